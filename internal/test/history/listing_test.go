package history_test

import (
	"fmt"
	"testing"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
)

// roomsOfPages is in how many rooms pages are read, each with some 440.
const roomsOfPages = 3

// page is a page that a client holds: what it asked, and what it was shown.
type page struct {
	question chat.MessageQuery
	listing  chat.MessagePage
	at       time.Time
	head     int64          // of the feed, as it stood when the page was read
	begin    *chat.Position // where the page began; nil is the edge
}

// where is the part of a question that positions depend on.
func (s page) where() chat.MessageRange { return chat.MessageRange{User: s.question.User} }

// list reads a page of some question, or the next page of one read before.
func (b *laggedRoom) list(before []page) page {
	b.t.Helper()
	s := page{question: b.question(), at: b.clock.now(), head: b.head}
	if n := len(before); n > 0 && b.r.IntN(3) == 0 {
		former := before[n-1-b.r.IntN(min(n, 4))]
		if l := former.listing; l.Next != "" && former.question.Around == nil {
			s.question = former.question
			s.question.Cursor = l.Next
			at := former.where().PositionOf(l.Items[len(l.Items)-1])
			s.begin = &at
		}
	}
	var err error
	if s.listing, err = b.service.Messages(b.t.Context(), person(b.r.IntN(4)), s.question); err != nil {
		b.t.Fatalf("%+v: %v", s.question, err)
	}
	return s
}

// question draws one.
func (b *laggedRoom) question() chat.MessageQuery {
	q := chat.MessageQuery{Room: laggedRoomID, Limit: 1 + b.r.IntN(40)}
	if b.r.IntN(10) == 0 {
		q.Limit = chat.MaxLimit
	}
	if len(b.order) > 0 && b.r.IntN(6) == 0 {
		id := b.any()
		q.Around = &id
		return q
	}
	if b.r.IntN(3) == 0 {
		q.User = person(b.r.IntN(4))
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

// asks tells whether a message is one that a question asks for.
func asks(q chat.MessageQuery, m chat.Message) bool {
	at := m.ReceivedAt
	if q.User != "" {
		at = m.SentAt()
	}
	if q.User != "" && m.ID.User != q.User || !q.From.IsZero() && at.Before(q.From) || !q.To.IsZero() && !at.Before(q.To) {
		return false
	}
	return q.At == "" || at.Format("2006-01-02:15:04:05")[:len(q.At)] == q.At
}

// covers tells whether a page had to show a message, were there no lag: it lies between the page's beginning and
// its end.
func (s page) covers(m chat.Message) bool {
	if !asks(s.question, m) {
		return false
	}
	l, span := s.listing, s.where()
	at := span.PositionOf(m)
	direction := 1
	if s.question.Order != nil && *s.question.Order == chat.Oldest {
		direction = -1
	}
	if s.begin != nil && direction*at.Compare(*s.begin) >= 0 {
		return false
	}
	// A next page may be empty too: what the former one had seen behind it has not reached this replica.
	if len(l.Items) == 0 {
		return l.Next == "" && l.Prev == ""
	}
	first, last := span.PositionOf(l.Items[0]), span.PositionOf(l.Items[len(l.Items)-1])
	return (l.Next == "" || direction*at.Compare(last) >= 0) && (l.Prev == "" || direction*at.Compare(first) <= 0)
}

// leaf reads pages while the room changes and the feed comes behind, and checks each once it has caught up. from is where
// a client goes on. It returns how many pages were read, and what is wrong.
func (b *laggedRoom) leaf(steps int, from func(page) chat.FeedPosition) (pages int, wrong []string) {
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
			b.clock.advance(time.Duration(b.r.IntN(30)) * time.Second) // nothing happens
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

// bySince is what the API tells clients to do.
func bySince(s page) chat.FeedPosition { return s.listing.Since }

// byHead is what it tells them not to do.
func byHead(s page) chat.FeedPosition {
	return chat.FeedPosition{Seq: s.head, Generation: s.listing.Since.Generation}
}

// leafThrough is one room's worth of pages.
func leafThrough(t *testing.T, seed uint64, longest time.Duration, steps int, from func(page) chat.FeedPosition) (int, []string) {
	t.Helper()
	b := newLaggedRoom(t, seed, longest)
	pages, wrong := b.leaf(steps, from)
	t.Logf("seed %d: %d pages of %d messages; %d of %d queries were answered from behind", seed, pages, len(b.messages), b.lag.behind, b.lag.queries)
	if b.lag.behind == 0 {
		t.Error("nothing lagged")
	}
	return pages, wrong
}

func TestLaggedRoom_PageAndChangesSinceItAreComplete(t *testing.T) {
	t.Parallel()
	for n := range roomsOfPages * *rounds {
		t.Run(fmt.Sprint("room ", n), func(t *testing.T) {
			t.Parallel()
			seed := seedOf(n)
			_, wrong := leafThrough(t, seed, feed.IndexLag, 700, bySince)
			for _, w := range wrong {
				t.Error(w)
			}
			if t.Failed() {
				t.Logf("to do the same again: go test ./internal/test/history -run TestAPage -args -seed %d", seed)
			}
		})
	}
}

// Whoever goes on from the end of the feed, and not from a page's since, misses what the index did not show yet; and
// since allows for as much lag as it says, not for more.
func TestLaggedRoom_TooLongALagIsNoticed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		longest time.Duration
		from    func(page) chat.FeedPosition
	}{
		"since is the head":           {feed.IndexLag, byHead},
		"the index lags for too long": {3 * feed.IndexLag, bySince},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for try := range 5 {
				if _, wrong := leafThrough(t, seedOf(try), tt.longest, 300, tt.from); len(wrong) > 0 {
					t.Logf("noticed in try %d: %s", try, wrong[0])
					return
				}
			}
			t.Error("nobody noticed")
		})
	}
}
