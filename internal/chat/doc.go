// Package chat is the core of the domain: rooms, members and messages. It holds the rules that they
// obey, the service that applies these rules, and the contract that a store implements.
//
// The package knows no AWS, no HTTP and no JSON. Time and randomness are arguments. The user on
// whose behalf a method acts is always an explicit argument, named caller.
//
// People, documents, activity logs and the feed are packages of their own that import this one.
// Package chat reaches them through the small interfaces in ports.go.
package chat
