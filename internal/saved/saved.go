// Package saved stores the messages that people have saved for themselves.
package saved

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley/internal/chat"
)

// Entry is a message that a person has saved.
type Entry struct {
	Room    chat.RoomID
	Message chat.MessageID
	At      time.Time // to the millisecond
}

// Position returns the position of an entry in the list of its person.
func (e Entry) Position() chat.ListPosition {
	return chat.ListPosition{Sort: fmt.Sprintf("%019d", e.At.UnixMilli()), ID: string(e.Room) + "#" + e.Message.String()}
}

// ParsePosition returns the entry of a position. ok is false if it is of no entry.
func ParsePosition(p chat.ListPosition) (e Entry, ok bool) {
	room, id, _ := strings.Cut(p.ID, "#")
	ms, err := strconv.ParseInt(p.Sort, 10, 64)
	if err != nil {
		return Entry{}, false
	}
	if e.Room, err = chat.ParseRoomID(room); err != nil {
		return Entry{}, false
	}
	if e.Message, err = chat.ParseMessageID(id); err != nil {
		return Entry{}, false
	}
	e.At = time.UnixMilli(ms).UTC()
	return e, e.Position() == p
}

// Saved is an entry with its message in its current state.
type Saved struct {
	Entry
	Current chat.Message
}

// Store stores saved messages. All methods return a *chat.Error of kind Unavailable if the store
// cannot answer at present.
type Store interface {
	// Save adds an entry to a person's list, unless it has the message.
	Save(ctx context.Context, user chat.UserID, e Entry) error
	// Unsave removes an entry, if the list has it. Its At is ignored.
	Unsave(ctx context.Context, user chat.UserID, e Entry) error
	// SavedBy returns the entries of a person, the newest first: at most limit, after a position of
	// an entry. Changes of about the last second may be missing.
	SavedBy(ctx context.Context, user chat.UserID, after chat.ListPosition, limit int) (entries []Entry, next chat.ListPosition, err error)
}

// Messages reads messages.
type Messages interface {
	// Message returns the current state of a message, or NotFound.
	Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error)
	// MessagesSoon returns those of the messages that exist. Changes of about the last second may
	// be missing.
	MessagesSoon(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error)
}

// Rooms authorizes callers. chat.Service implements it.
type Rooms interface {
	chat.Authorizer
	// TakeTokens takes tokens from the caller's budget, or returns how long to wait for one.
	TakeTokens(caller chat.UserID, tokens int) (wait time.Duration)
}
