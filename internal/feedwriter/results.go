package feedwriter

import "parley/internal/feedbatch"

type (
	// Change is a change with the item that it left.
	Change = feedbatch.Change
	// Appended holds what was appended to the feed of one room.
	Appended = feedbatch.Appended
	// AppendedEntry is an entry with its number.
	AppendedEntry = feedbatch.AppendedEntry
	// PersonalType is the type of a personal change.
	PersonalType = feedbatch.PersonalType
	// Personal is a change for one person's connections.
	Personal = feedbatch.Personal
	// Row is a row that enters no feed, which duties receive.
	Row = feedbatch.Row
	// Work is what one batch has for the duties of one room.
	Work = feedbatch.Work
	// Batch is the result of one batch, which consumers receive.
	Batch = feedbatch.Batch
)

// The kinds of personal changes.
const (
	ReadChanged     = feedbatch.ReadChanged
	ThreadChanged   = feedbatch.ThreadChanged
	RoomAdded       = feedbatch.RoomAdded
	RoomRemoved     = feedbatch.RoomRemoved
	BlockChanged    = feedbatch.BlockChanged
	ReactionChanged = feedbatch.ReactionChanged
	MentionAdded    = feedbatch.MentionAdded
)
