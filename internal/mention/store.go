package mention

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
)

// Store reads and writes the rows of mentions and their ledgers. It checks no rights.
type Store struct{ table *dynamo.Table }

// NewStore returns a store of the mentions in a table.
func NewStore(t *dynamo.Table) Store { return Store{t} }

// Ledgers writes mentions. All methods return a *chat.Error of kind Unavailable if the store cannot
// answer at present.
type Ledgers interface {
	// MentionLedger returns the current ledger of a message, with revision 0 if there is none.
	MentionLedger(ctx context.Context, room chat.RoomID, id chat.MessageID) (Ledger, error)
	// PutMentionLedger stores a ledger unless the revision of the stored one is not before. In
	// both cases it returns the stored ledger; ok reports whether it stored next. Removed entries
	// are added to the stored ones.
	PutMentionLedger(ctx context.Context, before int, next Ledger) (stored Ledger, ok bool, err error)
	// ForgetRemoved removes entries from the Removed ones of a ledger.
	ForgetRemoved(ctx context.Context, l Ledger) error
	// PutMention writes a row; the same row may already exist.
	PutMention(ctx context.Context, r Row) error
	// RemoveMention removes a row, which may be missing.
	RemoveMention(ctx context.Context, r Row) error
}

// AccessSource reads who may read a room.
type AccessSource interface {
	// Room returns a room, or NotFound.
	Room(ctx context.Context, id chat.RoomID) (chat.Room, error)
	// Membership returns the current membership of a person, or the zero Membership.
	Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error)
}

// Blocks reads whom people have blocked.
type Blocks interface {
	// Blocks returns the people whom a user has blocked, in order.
	Blocks(ctx context.Context, user chat.UserID) ([]chat.UserID, error)
}
