package history_test

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/test/nightly"
)

// laggedRooms is the number of rooms in which pages are read, each with about 440 pages.
const laggedRooms = 3

// page is a page that a client holds, with its query.
type page struct {
	query   chat.MessageQuery
	listing chat.MessagePage
	at      time.Time
	head    int64          // the head of the feed when the page was read
	begin   *chat.Position // the position before the page; nil for the first page
}

// messageRange returns the part of the query that positions depend on.
func (s page) messageRange() chat.MessageRange { return chat.MessageRange{User: s.query.User} }

// list reads a page of a random query, or the next page of one of the earlier pages.
func (b *laggedRoom) list(earlier []page) page {
	b.t.Helper()
	s := page{query: b.randomQuery(), at: b.clock.now(), head: b.head}
	if n := len(earlier); n > 0 && b.r.IntN(3) == 0 {
		previous := earlier[n-1-b.r.IntN(min(n, 4))]
		if l := previous.listing; l.Next != "" && previous.query.Around == nil {
			s.query = previous.query
			s.query.Cursor, s.query.Before, s.query.After = l.Next, nil, nil
			if previous.query.After != nil {
				s.query.Order = new(chat.Oldest)
			}
			at := previous.messageRange().PositionOf(l.Items[len(l.Items)-1])
			s.begin = &at
		}
	}
	if id := cmp.Or(s.query.Before, s.query.After); id != nil {
		at := s.messageRange().PositionOf(b.messages[*id])
		s.begin = &at
	}
	var err error
	if s.listing, err = b.service.Messages(b.t.Context(), person(b.r.IntN(4)), s.query); err != nil {
		b.t.Fatalf("%+v: %v", s.query, err)
	}
	return s
}

// randomQuery returns a random query.
func (b *laggedRoom) randomQuery() chat.MessageQuery {
	q := chat.MessageQuery{Room: laggedRoomID, Limit: 1 + b.r.IntN(40)}
	if b.r.IntN(10) == 0 {
		q.Limit = chat.MaxLimit
	}
	if len(b.order) > 0 && b.r.IntN(6) == 0 {
		id := b.randomID()
		q.Around = &id
		return q
	}
	if b.r.IntN(3) == 0 {
		q.User = person(b.r.IntN(4))
	}
	if len(b.order) > 0 && b.r.IntN(6) == 0 {
		id := b.randomID()
		if q.Before = &id; b.r.IntN(2) == 0 {
			q.Before, q.After = nil, &id
		}
		return q
	}
	if b.r.IntN(3) == 0 {
		oldest := chat.Oldest
		q.Order = &oldest
	}
	switch now := b.clock.now(); b.r.IntN(6) {
	case 0:
		q.At = now.Format("2006-01-02:15")
	case 1:
		q.At = now.Format("2006-01-02:15:04")
	case 2:
		q.From = now.Add(-time.Duration(b.r.IntN(120)) * time.Second)
	case 3:
		q.To = now.Add(-time.Duration(b.r.IntN(30)) * time.Second)
	}
	return q
}

// matches reports whether a message matches a query.
func matches(q chat.MessageQuery, m chat.Message) bool {
	at := m.ReceivedAt
	if q.User != "" {
		at = m.SentAt()
	}
	if q.User != "" && m.ID.User != q.User || !q.From.IsZero() && at.Before(q.From) || !q.To.IsZero() && !at.Before(q.To) {
		return false
	}
	return q.At == "" || at.Format("2006-01-02:15:04:05")[:len(q.At)] == q.At
}

// covers reports whether the page has to show a message if nothing lags. The message must lie
// between the start and the end of the page.
func (s page) covers(m chat.Message) bool {
	if !matches(s.query, m) {
		return false
	}
	l, span := s.listing, s.messageRange()
	at := span.PositionOf(m)
	direction := 1
	if s.query.After != nil || s.query.Order != nil && *s.query.Order == chat.Oldest {
		direction = -1
	}
	if s.begin != nil && direction*at.Compare(*s.begin) >= 0 {
		return false
	}
	// A next page may be empty as well, if this replica lacks the messages that the previous one
	// had.
	if len(l.Items) == 0 {
		return l.Next == "" && l.Prev == ""
	}
	first, last := span.PositionOf(l.Items[0]), span.PositionOf(l.Items[len(l.Items)-1])
	return (l.Next == "" || direction*at.Compare(last) >= 0) && (l.Prev == "" || direction*at.Compare(first) <= 0)
}

// readPages reads pages while the room changes and the feed falls behind. It checks each page after
// the feed has caught up. A client continues at the position that from returns. The results are the
// number of pages read and the problems found.
func (b *laggedRoom) readPages(steps int, from func(page) chat.FeedPosition) (pages int, wrong []string) {
	b.t.Helper()
	var held []page
	for range steps {
		b.clock.advance(time.Duration(b.r.IntN(1000)) * time.Millisecond)
		switch n := b.r.IntN(20); {
		case n < 4:
			b.write()
		case n < 6:
			b.deliver(1 + b.r.IntN(6))
		case n == 6 && b.r.IntN(4) == 0:
			b.clock.advance(time.Duration(b.r.IntN(30)) * time.Second) // an idle period
		default:
			held = append(held, b.list(held))
		}
		if len(held) == 40 {
			b.deliver(len(b.pending))
			pages += len(held)
			if wrong := b.check(held, from); len(wrong) > 0 {
				return pages, wrong
			}
			held = nil
		}
	}
	return pages, nil
}

// fromSince returns the position that the API documents for clients.
func fromSince(s page) chat.FeedPosition { return s.listing.Since }

// fromHead returns the head of the feed, which the API tells clients not to use.
func fromHead(s page) chat.FeedPosition {
	return chat.FeedPosition{Seq: s.head, Generation: s.listing.Since.Generation}
}

// laggedRun is how the pages of a room are read, and the fault of its store.
type laggedRun struct {
	maxLag time.Duration
	steps  int
	from   func(page) chat.FeedPosition
	wrap   func(app.Stores) app.Stores // nil for no fault
}

// runLaggedRoom reads the pages of one room.
func runLaggedRoom(t *testing.T, seed uint64, r laggedRun) (int, []string) {
	t.Helper()
	if r.wrap == nil {
		r.wrap = func(s app.Stores) app.Stores { return s }
	}
	b := newLaggedRoom(t, seed, r.maxLag, r.wrap)
	pages, wrong := b.readPages(r.steps, r.from)
	t.Logf("seed %d: %d pages of %d messages; %d of %d queries read stale data", seed, pages, len(b.messages), b.lag.staleQueries, b.lag.queries)
	if b.lag.staleQueries == 0 {
		t.Error("no query read stale data, want some")
	}
	return pages, wrong
}

func TestLaggedRoom_PageAndChangesSinceItAreComplete(t *testing.T) {
	t.Parallel()
	for n, seed := range seedsOf(t, nightly.Times(laggedRooms, laggedRooms*nightlyRounds)) {
		t.Run(fmt.Sprint("room ", n), func(t *testing.T) {
			t.Parallel()
			_, wrong := runLaggedRoom(t, seed, laggedRun{maxLag: feed.IndexLag, steps: 700, from: fromSince})
			for _, w := range wrong {
				t.Error(w)
			}
		})
	}
}
