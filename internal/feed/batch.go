package feed

import (
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
)

// Batch is what a batch of the stream contains for consumers.
type Batch struct {
	// Rooms has one Appended for each room with new entries.
	Rooms []Appended
	// Repeated are the feeds that already contained changes of the batch. Their delivery may have
	// failed, with the process that appended them.
	Repeated []Reached
	Personal []PersonalChange // in the order of their records
	// Deleted are the rooms that were deleted.
	Deleted []chat.RoomID
	// Banned are the people who were banned from rooms, whether or not they are members: a public
	// room has readers who never joined.
	Banned []chat.MemberOf
	// Suspended are the people who were suspended, and some who were already suspended.
	Suspended []chat.UserID
}

// Empty reports whether there is nothing to consume in b.
func (b Batch) Empty() bool {
	return len(b.Rooms)+len(b.Repeated)+len(b.Personal)+len(b.Deleted)+len(b.Banned)+len(b.Suspended) == 0
}

// Reached is the end of what a room's feed contains of a batch.
type Reached struct {
	Room chat.RoomID
	Seq  int64
}

// StreamChange is a change that a record of the stream reports.
type StreamChange struct {
	Change
	// Created is the time of the change by the stream's clock, in whole seconds. It is zero if
	// unknown; an append then compares with the whole feed.
	Created time.Time
	// Item is the changed item as in the record. It is not stored in the feed.
	Item ChangedItem
}

// Appended holds the entries that one batch appended to one room's feed. A room is left out if one
// of its appends failed, since readers may not see its new entries yet.
type Appended struct {
	Room chat.RoomID
	// Head is the head of the feed after the append. Readers see at least the entries up to it.
	Head Head
	// Rate is how fast messages have recently been created in the room.
	Rate Rate
	// Entries are in the order of their numbers. A missing number belongs to another process's
	// entry, or to the gap between two generations.
	Entries []AppendedEntry
}

// AppendedEntry is an entry with its number in the feed. Its Item is in the state in which the
// change left it, and may have changed since.
type AppendedEntry struct {
	Seq int64
	StreamChange
}

// RoomChanges is what one batch of the stream contains for the projections of one room.
type RoomChanges struct {
	Room chat.RoomID
	// Entries are the changes of the batch with their numbers in the feed, in the order of the
	// numbers. If the batch is a retry, some may have been appended earlier.
	Entries []AppendedEntry
	Rows    []RowChange // in the order of their records
	Joins   []Join      // in the order of their records, also those whose entries were merged
}

// Join is the start of a membership that a system message reports.
type Join struct {
	User  chat.UserID
	By    chat.UserID // the message's sender
	Added bool        // By added User
	At    time.Time   // by the stream's clock, in whole seconds
}

// Empty reports whether there is nothing to do for a room.
func (c RoomChanges) Empty() bool { return len(c.Entries)+len(c.Rows) == 0 }

// RowChange is a row of a message or a room that was put or removed. It is not in any feed;
// projections receive it and write what follows from it.
type RowChange struct {
	Message chat.MessageID // zero for an upload without a message
	User    chat.UserID    // the row's owner
	Emoji   string         // of a reaction
	Vote    bool           // a vote in a poll
	Upload  uuid.UUID      // an upload
	Removed bool
	// Links is when the links to send an upload's bytes expire; zero if unknown.
	Links time.Time
}
