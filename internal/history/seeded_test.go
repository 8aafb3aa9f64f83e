package history_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
)

// everyNth is how often a seeded fault strikes: seldom enough for the rest to look right.
const everyNth = 4

// strikes counts for a seeded fault.
type strikes struct {
	mu sync.Mutex
	n  int
}

func (s *strikes) strikes() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.n%everyNth == 0
}

// losesWrites answers that a message was kept, and keeps nothing.
type losesWrites struct {
	chat.Store
	*strikes
}

func (s losesWrites) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	if s.strikes.strikes() {
		return m, true, nil
	}
	return s.Store.PutMessage(ctx, m)
}

// losesEdits does so with edits and deletions.
type losesEdits struct {
	chat.Store
	*strikes
}

func (s losesEdits) ReviseMessage(ctx context.Context, before, after chat.Message) (chat.Message, bool, error) {
	if s.strikes.strikes() {
		return after, true, nil
	}
	return s.Store.ReviseMessage(ctx, before, after)
}

// knowsNoRetries keeps what comes again a second time, under an id of its own.
type knowsNoRetries struct{ chat.Store }

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
type overwrites struct{ chat.Store }

func (s overwrites) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	kept, created, err := s.Store.PutMessage(ctx, m)
	if err == nil && !created {
		return m, true, nil
	}
	return kept, created, err
}

// readsStale answers with what it has read before, as a cache does, or a read that is not consistent.
type readsStale struct {
	chat.Store
	*strikes
	known *sync.Map
}

func (s readsStale) Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error) {
	if old, ok := s.known.Load(place{room, id}); ok && s.strikes.strikes() {
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
	feed.Store
	*strikes
	taken map[chat.RoomID]int64
}

func (s takesNumbersFirst) AppendSegment(ctx context.Context, segment chat.Segment) (bool, error) {
	s.mu.Lock()
	segment.First = max(segment.First, s.taken[segment.Room]+1)
	s.taken[segment.Room] = segment.Last()
	s.mu.Unlock()
	if s.strikes.strikes() {
		return false, &chat.Error{Kind: chat.Unavailable, RetryAfter: time.Second, Detail: "the process ended"}
	}
	return s.Store.AppendSegment(ctx, segment)
}

// leavesNoMarks writes segments without what repeats are known by: when their changes were made.
type leavesNoMarks struct{ feed.Store }

func (s leavesNoMarks) AppendSegment(ctx context.Context, segment chat.Segment) (bool, error) {
	segment.CreatedFrom, segment.CreatedTo = time.Unix(0, 0), time.Unix(0, 0)
	return s.Store.AppendSegment(ctx, segment)
}

// forgetsMarks reads them as if they had never been written.
type forgetsMarks struct{ feed.Store }

func (s forgetsMarks) FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) ([]chat.Segment, error) {
	segments, err := s.Store.FeedTail(ctx, room, after, since)
	for i := range segments {
		segments[i].Changes = make([]chat.Change, len(segments[i].Changes))
	}
	return segments, err
}

func TestSeededFaultsAreFound(t *testing.T) {
	t.Parallel()
	for name, seeded := range map[string]setup{
		"lost write":             {store: func(s chat.Store) chat.Store { return losesWrites{s, &strikes{}} }},
		"lost edit":              {store: func(s chat.Store) chat.Store { return losesEdits{s, &strikes{}} }},
		"duplicate on retry":     {store: func(s chat.Store) chat.Store { return knowsNoRetries{s} }},
		"overwritten by a retry": {store: func(s chat.Store) chat.Store { return overwrites{s} }},
		"stale read":             {store: func(s chat.Store) chat.Store { return readsStale{s, &strikes{}, &sync.Map{}} }},
		"sequence taken before the write": {feed: func() func(feed.Store) feed.Store {
			shared := takesNumbersFirst{strikes: &strikes{}, taken: map[chat.RoomID]int64{}}
			return func(s feed.Store) feed.Store { return takesNumbersFirst{s, shared.strikes, shared.taken} }
		}()},
		"mark not written": {feed: func(s feed.Store) feed.Store { return leavesNoMarks{s} }},
		"mark not read":    {feed: func(s feed.Store) feed.Store { return forgetsMarks{s} }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := seeded
			s.clients, s.steps, s.rooms, s.people = 12, 15, 1, 3
			const tries = 5
			for try := range tries {
				s.seed = seedOf(try)
				w := newWorld(t, s)
				w.run()
				if wrong := w.verdict(); len(wrong) > 0 {
					t.Logf("found in try %d: %.1000s", try+1, wrong[0])
					return
				}
			}
			t.Errorf("nobody noticed in %d tries", tries)
		})
	}
}
