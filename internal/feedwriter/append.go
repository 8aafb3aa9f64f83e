package feedwriter

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	smithytime "github.com/aws/smithy-go/time"

	"parley/internal/chat"
	"parley/internal/feed"
)

const (
	// appendTries bounds how often the append of one batch is refused because another process was
	// first. A stream has a shard for each partition, so dozens of processes append to a room of 64
	// shards. After that the batch is retried.
	appendTries = 24
	// waitBase and waitCap spread the processes that were refused. An append takes about 10 ms.
	waitBase = 5 * time.Millisecond
	waitCap  = 200 * time.Millisecond
	// busyRetryAfter is the delay after which a refused batch is to be retried.
	busyRetryAfter = time.Second
)

// Store reads and writes feeds.
type Store interface {
	// FeedTail returns the last segments of a feed by a consistent read, oldest first. The tail
	// begins behind the segment whose first number is after. Without after, it begins with the last
	// segment that was written before since. head is then the end of the feed before the tail was
	// read. It is ahead of the tail where segments have expired.
	FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) (tail []feed.Segment, head feed.Head, err error)
	// FeedSegment returns the segment that begins with first, or the zero Segment.
	FeedSegment(ctx context.Context, room chat.RoomID, first int64) (feed.Segment, error)
	// AppendSegment puts a segment unless the feed has one with its first number, and reports
	// whether it did.
	AppendSegment(ctx context.Context, segment feed.Segment) (bool, error)
	// PutFeedHead moves the end of a feed forward, never back. Readers are shown the entries up to
	// it.
	PutFeedHead(ctx context.Context, head feed.Head) error
}

// Appender appends changes to feeds, each once.
type Appender struct {
	store     Store
	clock     func() time.Time
	retention time.Duration
	jitter    func() float64
	log       *slog.Logger
	// remember is how many changes of a room are remembered at most.
	remember int

	mu    sync.Mutex
	tails map[chat.RoomID]*tail
}

// NewAppender creates an appender. It is safe for concurrent use.
func NewAppender(o Options) *Appender {
	a := &Appender{
		store: o.Store, clock: o.Clock, retention: o.Retention, jitter: o.Jitter, log: o.Log, remember: o.Remember,
		tails: map[chat.RoomID]*tail{},
	}
	if a.remember == 0 {
		a.remember = maxIdentities
	}
	if a.retention == 0 {
		a.retention = feed.DefaultRetention
	}
	if a.jitter == nil {
		a.jitter = rand.Float64
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	return a
}

// Append appends those changes that are not in a room's feed yet, in their order, and returns their
// number. The changes come from the stream of a generation; empty is the feed's own.
//
// Unavailable when the feed cannot be written for now: a part may have been appended, and the call
// may be retried.
func (a *Appender) Append(ctx context.Context, room chat.RoomID, generation string, changes []Change) (appended int, err error) {
	done, err := a.append(ctx, room, generation, changes)
	return len(done.Entries), err
}

// append does what Append does, and returns what it appended. After an error these are the entries
// that surely were. The last put may have taken effect too.
func (a *Appender) append(ctx context.Context, room chat.RoomID, generation string, changes []Change) (Appended, error) {
	t := a.tail(room)
	t.mu.Lock()
	defer t.mu.Unlock()
	done := Appended{Room: room}
	for refused := 0; refused < appendTries; {
		fresh, err := a.fresh(ctx, t, generation, changes)
		if err != nil {
			return done, err
		}
		if len(fresh) == 0 {
			err := t.putHead(ctx)
			done.Head = t.end
			return done, err
		}
		taken := fresh[:min(len(fresh), feed.MaxSegmentChanges)]
		next := t.next(generation, taken, a.now(), a.retention)
		ok, err := a.store.AppendSegment(ctx, next)
		if err != nil {
			t.forget() // the put may have taken effect
			return done, err
		}
		if !ok {
			refused++
			if err := a.readOthers(ctx, t, refused); err != nil {
				return done, err
			}
			continue
		}
		t.push(next)
		t.asOf = next.WrittenAt
		for i, c := range taken {
			done.Entries = append(done.Entries, AppendedEntry{Seq: next.First + int64(i), Change: c})
		}
		changes = fresh[len(taken):]
	}
	return done, &chat.Error{Kind: chat.Unavailable, RetryAfter: busyRetryAfter, Detail: "too many processes write this feed at once; " + chat.RetryHint}
}

// fresh returns the changes that are not in the feed. It reads the feed where the tail does not
// know enough of it.
func (a *Appender) fresh(ctx context.Context, t *tail, generation string, changes []Change) ([]Change, error) {
	// The put at the next number is refused when others were here. That holds only for the number
	// that they have taken, and only until their segments expire.
	if t.startsGeneration(generation) || a.now().Sub(t.asOf) > a.retention/2 {
		t.forget()
	}
	if err := t.cover(ctx, a.now(), changes); err != nil {
		return nil, err
	}
	return t.fresh(ctx, changes)
}

// readOthers waits, and reads what other processes have appended.
func (a *Appender) readOthers(ctx context.Context, t *tail, refused int) error {
	if err := a.wait(ctx, refused); err != nil {
		return err
	}
	return t.catchUp(ctx, a.now())
}

// now returns the time with the precision of segments.
func (a *Appender) now() time.Time { return a.clock().UTC().Truncate(time.Millisecond) }

// tail returns what this process knows of a room's feed.
func (a *Appender) tail(room chat.RoomID) *tail {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.tails[room]
	if t == nil {
		for other := range a.tails { // drop any one: it is read again when needed
			if len(a.tails) < maxTails {
				break
			}
			delete(a.tails, other)
		}
		t = &tail{room: room, store: a.store, remember: a.remember}
		a.tails[room] = t
	}
	return t
}

// wait pauses for a random part of a time that doubles with each refusal.
func (a *Appender) wait(ctx context.Context, refused int) error {
	limit := waitCap
	if refused < 7 { // 5 ms << 6 is over the cap
		limit = min(waitCap, waitBase<<(refused-1))
	}
	if err := smithytime.SleepWithContext(ctx, time.Duration(a.jitter()*float64(limit))); err != nil {
		return &chat.Error{Kind: chat.Unavailable, RetryAfter: busyRetryAfter, Cause: err}
	}
	return nil
}
