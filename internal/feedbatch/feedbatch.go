// Package feedbatch holds the results of one batch of the stream: the entries that were appended to
// feeds, and the changes for single people. Package feedwriter passes them to its consumers, which
// need not import the writer.
package feedbatch

import (
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
)

// Change is a change to append.
type Change struct {
	feed.Change
	// Created is the time of the change by the stream's clock, in whole seconds. It is zero if
	// unknown; the Appender then compares with the whole feed.
	Created time.Time
	// Item is the changed item as in the stream's record. It is not stored in the feed.
	Item feed.ChangedItem
}

// Appended holds the entries that one batch appended to the feed of one room. A room is left out if
// one of its appends failed, since readers may not see its new entries yet.
type Appended struct {
	Room chat.RoomID
	// Head is the head of the feed after the append. Readers see at least the entries up to it.
	Head feed.Head
	// Rate is how fast messages were created in the room lately.
	Rate Rate
	// Entries are in the order of their numbers. A missing number belongs to an entry of another
	// process, or to the gap between two generations.
	Entries []AppendedEntry
}

// AppendedEntry is an entry with its number in the feed. Its Item is in the state in which the
// change left it, and may have changed since.
type AppendedEntry struct {
	Seq int64
	Change
}
