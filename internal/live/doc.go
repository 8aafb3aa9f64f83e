// Package live delivers the changes of rooms to connections as they happen.
//
// A connection subscribes to a room and receives the head of its feed. From then on it receives
// every change beyond that head, or a notice that its subscription has ended. Two processes
// cooperate without a lock, so the order of their steps matters:
//
//   - A subscriber stores a pending subscription, then checks the person's access and account, then
//     activates the subscription, and then reads the head.
//   - A sender appends to the feed, then reads the subscriptions, then sends, and then stores which
//     connections miss changes. Any sender tells them later. If it ends earlier, its batch is
//     repeated, and everybody in its rooms receives the rooms' heads.
//   - A removal changes the membership, then ends the subscriptions, and then answers. The sender
//     of the removal's own change notifies the connections, and deletes the ended subscriptions.
//   - A suspension changes the account, then reads the person's connections, then deletes their
//     subscriptions, and then answers. A connection is stored with its rooms before them.
//   - The end of a connection is recorded, and then its rows are deleted. A subscriber looks for
//     this record after the activation, and deletes what it has stored.
//
// The subscription is active before the head is read. So either the head includes a change, or the
// change's sender finds the subscription. Either the checks see a removal or suspension, or it
// finds and ends the subscription, which can then no longer be activated. A process may end
// between any two steps: a pending or ended subscription receives nothing (ADR 29).
//
// A connection ends with its token, and a new token extends it. The new end is stored only with
// the connection, where senders look for it after the end that a subscription states (ADR 59).
package live
