package reaction

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
)

// Store stores reactions. All methods return a *chat.Error of kind Unavailable if the store cannot
// answer at present. Writes are durable when they return.
type Store interface {
	// Message is as in chat.MessageStore.
	Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error)
	// PutReaction stores a reaction, unless the person has already reacted with the emoji. It
	// reports whether it stored one.
	PutReaction(ctx context.Context, r Reaction) (stored bool, err error)
	// DeleteReaction removes a reaction, and reports whether there was one.
	DeleteReaction(ctx context.Context, r Reaction) (existed bool, err error)
	// Reactors returns who reacted to a message with an emoji, ordered by user id, after a user:
	// at most limit people. more reports whether there are others. A reaction of the last second
	// may be missing.
	Reactors(ctx context.Context, q ReactorQuery) (users []chat.UserID, more bool, err error)
	// OwnReactions returns a person's reactions to the messages of a room that were received from
	// first to last. A reaction of the last second may be missing.
	OwnReactions(ctx context.Context, q OwnQuery) ([]Reaction, error)
}

// ReactorQuery selects the people who reacted to a message with an emoji.
type ReactorQuery struct {
	Room    chat.RoomID
	Message chat.MessageID
	Emoji   string      // the key
	After   chat.UserID // the last person of the previous page; "" is the beginning
	Limit   int
}

// OwnQuery selects reactions of a person.
type OwnQuery struct {
	User chat.UserID
	Room chat.RoomID
	// First and Last bound when the messages were received, inclusively.
	First, Last time.Time
}
