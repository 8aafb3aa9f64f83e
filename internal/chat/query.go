package chat

import (
	"cmp"
	"strings"
	"time"

	"example.com/parley/internal/timetext"
)

// MessageQuery selects messages of a room. The zero value selects the newest messages.
type MessageQuery struct {
	Room RoomID
	User UserID // limits the result to this sender; times are then sending times
	// At is a prefix of a time, such as 2018 or 2018-08-29:12:00:00. It cannot be combined with
	// From or To.
	At       string
	From, To time.Time // half-open; zero is unbounded
	// Order is nil for the cursor's order, or for newest first without a cursor.
	Order *Order
	// Cursor continues after another page of the same query.
	Cursor string
	// Around selects the messages on both sides of a message. It can be combined only with Room
	// and Limit.
	Around *MessageID
	// Before selects the messages older than a message, newest first. After selects the newer
	// messages, oldest first. Each can be combined only with Room, User and Limit.
	Before, After *MessageID
	// Limit is the maximum number of messages, 1 to MaxLimit.
	Limit int
}

// Range validates the query and returns the range that it selects.
func (q MessageQuery) Range() (MessageRange, error) {
	r := MessageRange{Room: q.Room, User: q.User, From: q.From, To: q.To, Limit: q.Limit}
	if err := q.checkCombination(); err != nil {
		return MessageRange{}, err
	}
	if q.Limit < 1 || q.Limit > MaxLimit {
		return MessageRange{}, Invalidf("limit", "must be 1 to %d", MaxLimit)
	}
	if q.At != "" {
		var err error
		if r.From, r.To, err = timetext.ParsePrefix(q.At); err != nil {
			return MessageRange{}, Invalidf("at", "%v", err)
		}
	}
	if err := checkRange(r.From, r.To); err != nil {
		return MessageRange{}, err
	}
	if q.Order != nil {
		r.Order = *q.Order
	}
	if q.After != nil {
		r.Order = Oldest
	}
	if q.Cursor == "" {
		return r, nil
	}
	return q.resume(r)
}

// resume returns r, continuing after the position in the cursor.
func (q MessageQuery) resume(r MessageRange) (MessageRange, error) {
	var after messagePosition
	if err := DecodeCursor(r.cursorScope(), q.Cursor, &after); err != nil {
		return MessageRange{}, err
	}
	if q.Order != nil && *q.Order != after.order {
		return MessageRange{}, badCursor("the cursor belongs to the other order")
	}
	// A list of one sender's messages contains only positions of that sender, at the times of the
	// ids.
	if r.User != "" && (after.ID.User != r.User || !after.At.Equal(after.ID.SentAt())) {
		return MessageRange{}, errInvalidCursor()
	}
	r.Order, r.After, r.Continued = after.order, &after.Position, true
	return r, nil
}

// checkCombination returns an error if parameters contradict each other.
func (q MessageQuery) checkCombination() error {
	timed := !q.From.IsZero() || !q.To.IsZero()
	if q.At != "" && timed {
		return Invalidf("at", "must not be combined with from or to")
	}
	anchor, field := q.anchor()
	if anchor == nil {
		return nil
	}
	for _, other := range []struct {
		name  string
		given bool
	}{
		{"user", q.User != "" && q.Around != nil}, {"at", q.At != ""}, {"from or to", timed},
		{"order", q.Order != nil}, {"cursor", q.Cursor != ""},
		{"before", q.Before != nil && field != "before"}, {"after", q.After != nil && field != "after"},
	} {
		if other.given {
			return Invalidf(field, "must not be combined with %s", other.name)
		}
	}
	return nil
}

// anchor returns the message that the query is relative to and the name of the field that holds
// its id. It returns nil if there is no such message.
func (q MessageQuery) anchor() (id *MessageID, field string) {
	switch {
	case q.Around != nil:
		return q.Around, "around"
	case q.Before != nil:
		return q.Before, "before"
	}
	return q.After, "after"
}

func checkRange(from, to time.Time) error {
	for _, t := range []struct {
		field string
		time  time.Time
	}{{"from", from}, {"to", to}} {
		// The end of the year 9999 is the beginning of the year 10000.
		if y := t.time.UTC().Year(); !t.time.IsZero() && (y < 1 || y > maxYear+1) {
			return Invalidf(t.field, "must be within the years 1 to %d", maxYear)
		}
	}
	if !from.IsZero() && !to.IsZero() && from.After(to) {
		return Invalidf("to", "must not be before from")
	}
	return nil
}

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
