// Package chat is the core of the domain: rooms, members and messages. It holds the rules that they
// obey, the service that applies these rules, and the contract that a store implements.
//
// The package knows no AWS, no HTTP and no JSON. Time and randomness are arguments. The user on
// whose behalf a method acts is always an explicit argument, named caller.
//
// Memberships, people, documents, activity logs and the feed are packages of their own that import
// this one. Package chat reaches them through the interfaces Auditor, Names and FeedPositions. They
// reach it through Authorizer.
//
// Lists are read in pages. A PageRequest holds the cursor of the previous page. A cursor encodes a
// CursorPosition, and is valid only within the CursorScope of its query. A FeedPosition is encoded
// in the same way, but clients store it for months.
//
// Beside the service stand small parts with a store each: Directory lists public rooms, Quotes
// reads the messages that others quote, SlowMode spaces what people contribute, and MessageReader
// reads messages of many rooms.
package chat
