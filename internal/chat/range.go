package chat

import (
	"cmp"
	"strings"
	"time"
)

// Order is the direction in which messages are read.
type Order int

// The orders.
const (
	Newest Order = iota // newest first
	Oldest              // oldest first
)

// Position is the position of a message. In a room, messages are ordered by the time at which they
// were received. The messages of one user are ordered by the time at which they were sent.
// Messages with equal times are ordered by id, so positions are unique within a room.
type Position struct {
	At time.Time
	ID MessageID
}

// Compare orders positions in the order of the store's keys.
func (p Position) Compare(q Position) int {
	if c := p.At.Compare(q.At); c != 0 {
		return c
	}
	if c := cmp.Compare(p.ID.User, q.ID.User); c != 0 {
		return c
	}
	return strings.Compare(string(p.ID.UUID[:]), string(q.ID.UUID[:]))
}

// ReplyRange is a range of the replies to a message, by when they were received.
type ReplyRange struct {
	Room  RoomID
	Root  MessageID // the message that they reply to
	Order Order
	After *Position // nil is the beginning
	Limit int       // the maximum number of replies, at least 1
}

// MessageRange is an ordered range of a room's messages.
type MessageRange struct {
	Room RoomID
	// User limits the range to one sender. Times then mean SentAt, otherwise ReceivedAt.
	User UserID
	// From and To bound the time: From <= t < To. The zero time is unbounded.
	From, To time.Time
	Order    Order
	// After starts the range after a position; nil starts at its beginning.
	After *Position
	// Continued means that After is the end of another page. This page may then end early.
	Continued bool
	// Limit is the maximum number of messages to return, at least 1.
	Limit int
}

// PositionOf returns the position of m in r.
func (r MessageRange) PositionOf(m Message) Position {
	if r.User != "" {
		return Position{At: m.SentAt(), ID: m.ID}
	}
	return Position{At: m.ReceivedAt, ID: m.ID}
}

// nearestTo returns the position of m in r. If r selects another sender's messages, the position
// is between two of them and belongs to no message: Position.Compare places all of a user's
// messages of one instant on the same side of m.
func (r MessageRange) nearestTo(m Message) Position {
	p := r.PositionOf(m)
	if r.User == "" || r.User == m.ID.User {
		return p
	}
	const timeBytes = 6 // a UUIDv7 begins with its time
	edge := byte(0)
	if r.User < m.ID.User {
		edge = 0xff
	}
	p.ID.User = r.User
	for i := range p.ID.UUID[timeBytes:] {
		p.ID.UUID[timeBytes+i] = edge // as in no UUIDv7
	}
	return p
}
