package history_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/nightly"
)

// everyNth is the interval of a seeded fault. It is long enough that other calls behave correctly.
const everyNth = 3

// counter counts the calls of a seeded fault.
type counter struct {
	mu sync.Mutex
	n  int
}

func (s *counter) fires() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.n%everyNth == 0
}

// losesWrites reports messages as stored without storing them.
type losesWrites struct {
	app.Stores
	*counter
}

func (s losesWrites) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	if s.fires() {
		return m, true, nil
	}
	return s.Stores.PutMessage(ctx, m)
}

// losesEdits reports edits and deletions as stored without storing them.
type losesEdits struct {
	app.Stores
	*counter
}

func (s losesEdits) ReviseMessage(ctx context.Context, before, after chat.Message) (chat.Message, bool, error) {
	if s.fires() {
		return after, true, nil
	}
	return s.Stores.ReviseMessage(ctx, before, after)
}

// duplicatesRetries stores a retry as another message with its own id.
type duplicatesRetries struct{ app.Stores }

func (s duplicatesRetries) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	stored, created, err := s.Stores.PutMessage(ctx, m)
	if err != nil || created {
		return stored, created, err
	}
	second := m
	second.ID.UUID[15]++
	if _, _, err := s.Stores.PutMessage(ctx, second); err != nil {
		return chat.Message{}, false, err
	}
	return stored, false, nil // the client gets the expected answer
}

// overwritesOnRetry replaces the stored message by a retry.
type overwritesOnRetry struct{ app.Stores }

func (s overwritesOnRetry) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	stored, created, err := s.Stores.PutMessage(ctx, m)
	if err == nil && !created {
		return m, true, nil
	}
	return stored, created, err
}

// readsStale returns messages from a cache that is never updated.
type readsStale struct {
	app.Stores
	*counter
	known *sync.Map
}

func (s readsStale) Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error) {
	if old, ok := s.known.Load(messageKey{room, id}); ok && s.fires() {
		return old.(chat.Message), nil
	}
	m, err := s.Stores.Message(ctx, room, id)
	if err == nil {
		s.known.LoadOrStore(messageKey{room, id}, m)
	}
	return m, err
}

// reservesNumbers reserves the numbers of a segment before it writes the segment. Some writes then
// fail.
type reservesNumbers struct {
	stream.Store
	*counter
	taken map[chat.RoomID]int64
}

func (s reservesNumbers) AppendSegment(ctx context.Context, segment feed.Segment) (bool, error) {
	s.mu.Lock()
	segment.First = max(segment.First, s.taken[segment.Room]+1)
	s.taken[segment.Room] = segment.Last()
	s.mu.Unlock()
	if s.fires() {
		return false, &chat.Error{Kind: chat.Unavailable, RetryAfter: time.Second, Detail: "the process ended"}
	}
	return s.Store.AppendSegment(ctx, segment)
}

// dropsTimes writes segments without the creation times that identify repeated changes.
type dropsTimes struct{ stream.Store }

func (s dropsTimes) AppendSegment(ctx context.Context, segment feed.Segment) (bool, error) {
	segment.CreatedFrom, segment.CreatedTo = time.Unix(0, 0), time.Unix(0, 0)
	return s.Store.AppendSegment(ctx, segment)
}

// changesIdentities returns stored changes with the identities of others.
type changesIdentities struct{ stream.Store }

func (s changesIdentities) FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) ([]feed.Segment, feed.Head, error) {
	segments, head, err := s.Store.FeedTail(ctx, room, after, since)
	for _, segment := range segments {
		for i := range segment.Changes {
			segment.Changes[i].Revision += 1_000_000
			segment.Changes[i].Origin++
		}
	}
	return segments, head, err
}

// storeFault and feedFault return setups with a seeded fault. All processes of a world share one
// fault.
func storeFault(wrap func(app.Stores, *counter) app.Stores) func() setup {
	return func() setup {
		n := &counter{}
		return setup{store: func(s app.Stores) app.Stores { return wrap(s, n) }}
	}
}

func feedFault(wrap func(stream.Store) stream.Store) func() setup {
	return func() setup { return setup{feed: wrap} }
}

// seededFault is a fault of a store, and the violation that the check has to report. Other
// violations may be reported as well.
type seededFault struct {
	name   string
	want   fault
	seeded func() setup
}

// seededFaults returns the faults. Nearly every history shows a lost write, the first of them.
func seededFaults() []seededFault {
	return []seededFault{
		{"lost write", wrongMessage, storeFault(func(s app.Stores, n *counter) app.Stores { return losesWrites{s, n} })},
		{"lost edit", wrongMessage, storeFault(func(s app.Stores, n *counter) app.Stores { return losesEdits{s, n} })},
		{"duplicate on retry", wrongFeed, storeFault(func(s app.Stores, _ *counter) app.Stores { return duplicatesRetries{s} })},
		{"overwrite on retry", wrongMessage, storeFault(func(s app.Stores, _ *counter) app.Stores { return overwritesOnRetry{s} })},
		{"stale read", wrongMessage, storeFault(func(s app.Stores, n *counter) app.Stores { return readsStale{s, n, &sync.Map{}} })},
		{"numbers reserved before the write", wrongLog, reservingNumbers},
		{"creation times not written", wrongFeed, feedFault(func(s stream.Store) stream.Store { return dropsTimes{s} })},
		{"identities not read", wrongFeed, feedFault(func(s stream.Store) stream.Store { return changesIdentities{s} })},
	}
}

// maxHistories bounds the histories until a seeded fault shows. Most faults show in the first, so
// that all of them stay unnoticed only if the check misses the fault.
const maxHistories = 40

// wantFound runs histories until one shows a fault. The function returns the violation, or "".
func wantFound(t *testing.T, run func(seed uint64) string) {
	t.Helper()
	for n, seed := range seedsOf(t, maxHistories) {
		if violation := run(seed); violation != "" {
			t.Logf("found in history %d: %.300s", n+1, violation)
			return
		}
	}
	t.Errorf("not found in %d histories", maxHistories)
}

// firstOf returns the first violation of a kind, or "".
func firstOf(found []finding, kind fault) string {
	for _, f := range found {
		if f.kind == kind {
			return f.String()
		}
	}
	return ""
}

func TestSeededFaultsAreFound(t *testing.T) {
	t.Parallel()
	for _, tt := range nightly.Share(seededFaults(), 1) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFound(t, func(seed uint64) string {
				s := tt.seeded()
				s.seed, s.clients, s.steps, s.rooms, s.people = seed, 12, 20, 1, 3
				w := newWorld(t, s)
				w.run()
				return firstOf(w.check(), tt.want)
			})
		})
	}
}

func reservingNumbers() setup {
	n, taken := &counter{}, map[chat.RoomID]int64{}
	return setup{feed: func(s stream.Store) stream.Store { return reservesNumbers{s, n, taken} }}
}
