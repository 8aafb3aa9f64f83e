// Package thread lists the replies to messages and the threads of rooms and people. It stores who
// follows which thread and how far they have read.
//
// A reply is a message, which package chat posts. All rows below its root follow from the feed:
// Projection writes them.
package thread
