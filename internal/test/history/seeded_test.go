package history_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/feedwriter"
)

// everyNth is how often a seeded fault strikes: seldom enough for the rest to look right.
const everyNth = 3

// strikes counts for a seeded fault.
type strikes struct {
	mu sync.Mutex
	n  int
}

func (s *strikes) strike() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.n%everyNth == 0
}

// losesWrites answers that a message was kept, and keeps nothing.
type losesWrites struct {
	app.Store
	*strikes
}

func (s losesWrites) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	if s.strike() {
		return m, true, nil
	}
	return s.Store.PutMessage(ctx, m)
}

// losesEdits does so with edits and deletions.
type losesEdits struct {
	app.Store
	*strikes
}

func (s losesEdits) ReviseMessage(ctx context.Context, before, after chat.Message) (chat.Message, bool, error) {
	if s.strike() {
		return after, true, nil
	}
	return s.Store.ReviseMessage(ctx, before, after)
}

// knowsNoRetries keeps what comes again a second time, under an id of its own.
type knowsNoRetries struct{ app.Store }

func (s knowsNoRetries) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	kept, created, err := s.Store.PutMessage(ctx, m)
	if err != nil || created {
		return kept, created, err
	}
	again := m
	again.ID.UUID[15]++
	if _, _, err := s.Store.PutMessage(ctx, again); err != nil {
		return chat.Message{}, false, err
	}
	return kept, false, nil // the client is told that all is well
}

// overwrites puts what comes again over what is there.
type overwrites struct{ app.Store }

func (s overwrites) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	kept, created, err := s.Store.PutMessage(ctx, m)
	if err == nil && !created {
		return m, true, nil
	}
	return kept, created, err
}

// readsStale answers with what it has read before, as a cache does, or a read that is not consistent.
type readsStale struct {
	app.Store
	*strikes
	known *sync.Map
}

func (s readsStale) Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error) {
	if old, ok := s.known.Load(place{room, id}); ok && s.strike() {
		return old.(chat.Message), nil
	}
	m, err := s.Store.Message(ctx, room, id)
	if err == nil {
		s.known.LoadOrStore(place{room, id}, m)
	}
	return m, err
}

// takesNumbersFirst reserves the numbers of a segment before it writes it, and then fails at times.
type takesNumbersFirst struct {
	feedwriter.Store
	*strikes
	taken map[chat.RoomID]int64
}

func (s takesNumbersFirst) AppendSegment(ctx context.Context, segment feed.Segment) (bool, error) {
	s.mu.Lock()
	segment.First = max(segment.First, s.taken[segment.Room]+1)
	s.taken[segment.Room] = segment.Last()
	s.mu.Unlock()
	if s.strike() {
		return false, &chat.Error{Kind: chat.Unavailable, RetryAfter: time.Second, Detail: "the process ended"}
	}
	return s.Store.AppendSegment(ctx, segment)
}

// leavesNoMarks writes segments without what repeats are known by: when their changes were made.
type leavesNoMarks struct{ feedwriter.Store }

func (s leavesNoMarks) AppendSegment(ctx context.Context, segment feed.Segment) (bool, error) {
	segment.CreatedFrom, segment.CreatedTo = time.Unix(0, 0), time.Unix(0, 0)
	return s.Store.AppendSegment(ctx, segment)
}

// forgetsMarks reads them as those of others.
type forgetsMarks struct{ feedwriter.Store }

func (s forgetsMarks) FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) ([]feed.Segment, feed.Head, error) {
	segments, head, err := s.Store.FeedTail(ctx, room, after, since)
	for _, segment := range segments {
		for i := range segment.Changes {
			segment.Changes[i].Revision += 1_000_000
			segment.Changes[i].Origin++
		}
	}
	return segments, head, err
}

// inStore and inFeed make the setup of a fault; each world has one fault of its own, which all processes share.
func inStore(wrap func(app.Store, *strikes) app.Store) func() setup {
	return func() setup {
		n := &strikes{}
		return setup{store: func(s app.Store) app.Store { return wrap(s, n) }}
	}
}

func inFeed(wrap func(feedwriter.Store) feedwriter.Store) func() setup {
	return func() setup { return setup{feed: wrap} }
}

func TestSeededFaultsAreFound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		want   fault // whatever else is found
		seeded func() setup
	}{
		{"lost write", wrongMessage, inStore(func(s app.Store, n *strikes) app.Store { return losesWrites{s, n} })},
		{"lost edit", wrongMessage, inStore(func(s app.Store, n *strikes) app.Store { return losesEdits{s, n} })},
		{"duplicate on retry", wrongFeed, inStore(func(s app.Store, _ *strikes) app.Store { return knowsNoRetries{s} })},
		{"overwritten by a retry", wrongMessage, inStore(func(s app.Store, _ *strikes) app.Store { return overwrites{s} })},
		{"stale read", wrongMessage, inStore(func(s app.Store, n *strikes) app.Store { return readsStale{s, n, &sync.Map{}} })},
		{"sequence taken before the write", wrongLog, takingNumbersFirst},
		{"mark not written", wrongFeed, inFeed(func(s feedwriter.Store) feedwriter.Store { return leavesNoMarks{s} })},
		{"mark not read", wrongFeed, inFeed(func(s feedwriter.Store) feedwriter.Store { return forgetsMarks{s} })},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			const tries = 8
			for try := range tries {
				s := tt.seeded()
				s.seed, s.clients, s.steps, s.rooms, s.people = seedOf(try), 12, 20, 1, 3
				w := newWorld(t, s)
				w.run()
				for _, f := range w.verdict() {
					if f.of == tt.want {
						t.Logf("found in try %d of seed %d: %.300s", try+1, s.seed, f)
						return
					}
				}
			}
			t.Errorf("nobody noticed in %d tries", tries)
		})
	}
}

func takingNumbersFirst() setup {
	n, taken := &strikes{}, map[chat.RoomID]int64{}
	return setup{feed: func(s feedwriter.Store) feedwriter.Store { return takesNumbersFirst{s, n, taken} }}
}
