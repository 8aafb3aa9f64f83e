package feedwriter

import "parley/internal/feedbatch"

// Change and the other results of a batch are those of package feedbatch.
type (
	Change        = feedbatch.Change
	Appended      = feedbatch.Appended
	AppendedEntry = feedbatch.AppendedEntry
	PersonalType  = feedbatch.PersonalType
	Personal      = feedbatch.Personal
	Batch         = feedbatch.Batch
)

// The kinds of personal changes.
const (
	ReadChanged  = feedbatch.ReadChanged
	RoomAdded    = feedbatch.RoomAdded
	RoomRemoved  = feedbatch.RoomRemoved
	BlockChanged = feedbatch.BlockChanged
)
