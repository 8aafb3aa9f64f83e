package feedbatch

import "parley/internal/chat"

// Row is a row of a message that was put or removed. It enters no feed: duties receive it, and
// write what follows from it.
type Row struct {
	Message chat.MessageID
	User    chat.UserID // whose row it is
	Emoji   string      // of a reaction
	Removed bool
}

// Work is what one batch of the stream has for the duties of one room.
type Work struct {
	Room chat.RoomID
	// Entries are the changes of the batch with their numbers in the feed, in the order of the
	// numbers. Some were appended by this batch, the others earlier: the batch may be a retry.
	Entries []AppendedEntry
	Rows    []Row // in the order of their records
}

// Empty reports whether there is nothing to do.
func (w Work) Empty() bool { return len(w.Entries)+len(w.Rows) == 0 }
