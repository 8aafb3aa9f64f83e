// Package chat is the core of the domain: rooms, members and messages. It holds their rules, the
// service that applies them, and the contract that a store implements.
//
// The package does not depend on AWS, HTTP or JSON. Time and randomness are arguments. The user on
// whose behalf a method acts is always an explicit argument, named caller.
//
// Memberships, people, documents, activity logs and the feed are separate packages that import
// this one. Package chat reaches them through the interfaces Auditor, Names and FeedPositions.
// They use Authorizer to reach it.
//
// Lists are read in pages. A PageRequest holds the cursor of the previous page. A cursor encodes a
// CursorPosition, and is valid only within the CursorScope of its query. A FeedPosition is encoded
// in the same way, but clients store it for months.
//
// Besides Service, the package has small types that each use a store. Directory lists public
// rooms, Quotes reads quoted messages, SlowMode spaces people's contributions, and MessageReader
// reads messages from many rooms.
package chat
