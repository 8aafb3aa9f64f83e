package chat

import (
	"cmp"
	"strings"
	"time"
)

// Order is the direction in which messages are read.
type Order int

// Newest is the order of a page nobody asked otherwise for.
const (
	Newest Order = iota // newest first
	Oldest              // oldest first
)

// Position is where a message stands among others: in a room by when it was
// received, for one user by when it was sent, and in both by its id
// where times are equal. No two messages of a room share one.
type Position struct {
	At time.Time
	ID MessageID
}

// Compare orders positions as the keys of the store do.
func (p Position) Compare(q Position) int {
	if c := p.At.Compare(q.At); c != 0 {
		return c
	}
	if c := cmp.Compare(p.ID.User, q.ID.User); c != 0 {
		return c
	}
	return strings.Compare(string(p.ID.UUID[:]), string(q.ID.UUID[:]))
}

// MessageRange is an ordered stretch of a room's messages.
type MessageRange struct {
	Room RoomID
	// User narrows the span to one sender; times then mean SentAt,
	// otherwise ReceivedAt.
	User UserID
	// From and To bound the time, half open: From <= t < To. Zero is open.
	From, To time.Time
	Order    Order
	// After starts the span beyond a position, exclusively; nil starts at the edge.
	After *Position
	// Limit is the most messages to return, at least 1.
	Limit int
}

// PositionOf is where m stands in s.
func (s MessageRange) PositionOf(m Message) Position {
	if s.User != "" {
		return Position{At: m.SentAt(), ID: m.ID}
	}
	return Position{At: m.ReceivedAt, ID: m.ID}
}
