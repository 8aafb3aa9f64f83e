// Package chat is the domain: rooms, people and messages, the rules they obey,
// the service that applies the rules, and the contract a store must keep.
//
// It knows no AWS, no HTTP and no JSON. Time and randomness are arguments.
// The user on whose behalf a call is made is always an explicit argument,
// called caller.
package chat
