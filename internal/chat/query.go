package chat

import (
	"time"
)

// MessageQuery asks for messages of a room. Its zero fields ask for the
// newest of all.
type MessageQuery struct {
	Room RoomID
	User UserID // only this sender's; times then mean when they were sent
	// At is a prefix of a time, 2018 to 2018-08-29:12:00:00. It excludes From and To.
	At       string
	From, To time.Time // half open; zero is open
	// Order is nil for the cursor's, or newest first.
	Order *Order
	// Cursor goes on where an answer to the same question ended.
	Cursor string
	// Around asks for the messages on both sides of one; it excludes all
	// but Limit.
	Around *MessageID
	// Limit is the most messages in the answer, 1 to MaxLimit.
	Limit int
}

// span resolves a question to its stretch of messages.
func (q MessageQuery) span() (MessageRange, error) {
	s := MessageRange{Room: q.Room, User: q.User, From: q.From, To: q.To, Limit: q.Limit}
	if err := q.exclusions(); err != nil {
		return MessageRange{}, err
	}
	if q.Limit < 1 || q.Limit > MaxLimit {
		return MessageRange{}, Invalidf("limit", "must be 1 to %d", MaxLimit)
	}
	if q.At != "" {
		var err error
		if s.From, s.To, err = parsePrefix(q.At); err != nil {
			return MessageRange{}, err
		}
	}
	if err := checkRange(s.From, s.To); err != nil {
		return MessageRange{}, err
	}
	if q.Order != nil {
		s.Order = *q.Order
	}
	if q.Cursor == "" {
		return s, nil
	}
	return q.begin(s)
}

// begin lets a span begin behind the position of the cursor.
func (q MessageQuery) begin(s MessageRange) (MessageRange, error) {
	var after messagePosition
	if err := DecodeCursor(s.cursorScope(), q.Cursor, &after); err != nil {
		return MessageRange{}, err
	}
	if q.Order != nil && *q.Order != after.order {
		return MessageRange{}, badCursor("the cursor belongs to the other order")
	}
	// A list of one sender's messages holds them alone, at the times of their ids.
	if s.User != "" && (after.ID.User != s.User || !after.At.Equal(after.ID.SentAt())) {
		return MessageRange{}, errInvalidCursor()
	}
	s.Order, s.After = after.order, &after.Position
	return s, nil
}

// exclusions refuses parameters that contradict each other.
func (q MessageQuery) exclusions() error {
	timed := !q.From.IsZero() || !q.To.IsZero()
	if q.At != "" && timed {
		return Invalidf("at", "must not be combined with from or to")
	}
	if q.Around == nil {
		return nil
	}
	switch {
	case q.User != "":
		return Invalidf("around", "must not be combined with user")
	case q.At != "":
		return Invalidf("around", "must not be combined with at")
	case timed:
		return Invalidf("around", "must not be combined with from or to")
	case q.Order != nil:
		return Invalidf("around", "must not be combined with order")
	case q.Cursor != "":
		return Invalidf("around", "must not be combined with cursor")
	}
	return nil
}

func checkRange(from, to time.Time) error {
	for _, t := range []struct {
		field string
		time  time.Time
	}{{"from", from}, {"to", to}} {
		// The end of the year 9999 is the beginning of 10000.
		if y := t.time.UTC().Year(); !t.time.IsZero() && (y < 1 || y > maxYear+1) {
			return Invalidf(t.field, "must be within the years 1 to %d", maxYear)
		}
	}
	if !from.IsZero() && !to.IsZero() && from.After(to) {
		return Invalidf("to", "must not be before from")
	}
	return nil
}

// prefixes are the forms of a time prefix and the step to the end of each.
var prefixes = []struct {
	layout              string
	years, months, days int
	rest                time.Duration
}{
	{layout: "2006", years: 1},
	{layout: "2006-01", months: 1},
	{layout: "2006-01-02", days: 1},
	{layout: "2006-01-02:15", rest: time.Hour},
	{layout: "2006-01-02:15:04", rest: time.Minute},
	{layout: "2006-01-02:15:04:05", rest: time.Second},
}

// parsePrefix turns a time prefix into its half-open range.
func parsePrefix(s string) (from, to time.Time, err error) {
	for _, p := range prefixes {
		if len(p.layout) != len(s) {
			continue
		}
		from, err := time.Parse(p.layout, s)
		if err != nil || from.Year() < 1 {
			return time.Time{}, time.Time{}, Invalidf("at", "must be the beginning of an existing time")
		}
		return from, from.AddDate(p.years, p.months, p.days).Add(p.rest), nil
	}
	return time.Time{}, time.Time{}, Invalidf("at", "must be a prefix of yyyy-MM-dd:HH:mm:ss that ends with a whole field")
}
