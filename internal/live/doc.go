// Package live delivers the changes of rooms to connections as they happen.
//
// A connection subscribes to a room and learns the head of its feed. From then on it receives every
// change beyond that head, or is told that it no longer does. Two processes work on that without a
// lock, so the order of their steps matters:
//
//   - A subscriber stores a pending subscription, then checks the person's access and account, then
//     activates the subscription, and then reads the head.
//   - A sender appends to the feed, then reads the subscriptions, and then sends.
//   - A removal changes the membership, then deletes the subscriptions, and then answers.
//   - A suspension changes the account, then reads the person's connections, then deletes their
//     subscriptions, and then answers. A connection is stored with its rooms before them.
//
// The subscription is active before the head is read, so a change is up to the head, or its
// sender finds the subscription. A removal or a suspension is visible to the checks, or finds the
// subscription and deletes it, after which it cannot be activated. A process may end between any
// two steps: a pending subscription receives nothing (ADR 29).
//
// A connection ends with its token, and a new token puts off the end. It is then stored with the
// connection alone, where senders look for it after the end that a subscription states (ADR 59).
package live
