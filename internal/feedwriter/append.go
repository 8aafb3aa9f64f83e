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
	// appendTries bounds the puts of one batch that fail because another process was first. A
	// stream has a shard for each partition, so dozens of processes append to a room of 64 shards.
	// After the last try, the batch is retried as a whole.
	appendTries = 24
	// waitBase and waitCap spread the retries of processes in conflict. An append takes about 10
	// ms.
	waitBase = 5 * time.Millisecond
	waitCap  = 200 * time.Millisecond
	// busyRetryAfter is the delay before a batch is retried as a whole.
	busyRetryAfter = time.Second
)

// Store reads and writes feeds.
type Store interface {
	// FeedTail returns the last segments of a feed by a consistent read, oldest first. The tail
	// begins after the segment whose first number is after. If after is 0, it begins with the last
	// segment that was written before since, and head is the head that was read before the tail.
	// The head is ahead of the tail if segments have expired.
	FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) (tail []feed.Segment, head feed.Head, err error)
	// FeedSegment returns the segment that begins with first, or the zero Segment.
	FeedSegment(ctx context.Context, room chat.RoomID, first int64) (feed.Segment, error)
	// AppendSegment puts a segment unless the feed has one with the same first number. It reports
	// whether it put the segment.
	AppendSegment(ctx context.Context, segment feed.Segment) (bool, error)
	// PutFeedHead moves the head of a feed forward, never back. Readers see the entries up to it.
	PutFeedHead(ctx context.Context, head feed.Head) error
}

// Appender appends each change to its feed once.
type Appender struct {
	store     Store
	clock     func() time.Time
	retention time.Duration
	jitter    func() float64
	log       *slog.Logger
	// remember bounds the changes of one room that stay in memory.
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

// Append appends the changes that are not yet in a room's feed, in their order, and returns how
// many these were. generation identifies the stream of the changes; empty means the feed's current
// one.
//
// Unavailable when the feed cannot be written at present. Some changes may have been appended, and
// the call may be retried.
func (a *Appender) Append(ctx context.Context, room chat.RoomID, generation string, changes []Change) (appended int, err error) {
	done, err := a.append(ctx, room, generation, changes)
	return len(done.Entries), err
}

// append is Append, but returns the appended entries. After an error it returns the entries of the
// puts that succeeded. The last put may have taken effect too.
func (a *Appender) append(ctx context.Context, room chat.RoomID, generation string, changes []Change) (Appended, error) {
	t := a.tail(room)
	t.mu.Lock()
	defer t.mu.Unlock()
	done := Appended{Room: room}
	for failed := 0; failed < appendTries; {
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
			failed++
			if err := a.readOthers(ctx, t, failed); err != nil {
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

// fresh returns the changes that are not in the feed. It reads the feed if the tail does not go
// back far enough.
func (a *Appender) fresh(ctx context.Context, t *tail, generation string, changes []Change) ([]Change, error) {
	// A put at the next number fails if another process has taken that number. It does not fail for
	// the first number of a generation, nor after the other process's segments have expired.
	if t.startsGeneration(generation) || a.now().Sub(t.asOf) > a.retention/2 {
		t.forget()
	}
	if err := t.cover(ctx, a.now(), changes); err != nil {
		return nil, err
	}
	return t.fresh(ctx, changes)
}

// readOthers waits, and then reads the segments that other processes have appended.
func (a *Appender) readOthers(ctx context.Context, t *tail, failed int) error {
	if err := a.wait(ctx, failed); err != nil {
		return err
	}
	return t.catchUp(ctx, a.now())
}

// now returns the time with the precision of segments.
func (a *Appender) now() time.Time { return a.clock().UTC().Truncate(time.Millisecond) }

// tail returns this process's copy of the end of a room's feed.
func (a *Appender) tail(room chat.RoomID) *tail {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.tails[room]
	if t == nil {
		for other := range a.tails { // drop any tail: it is read again when needed
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

// wait pauses for a random part of a time that doubles with each failed put.
func (a *Appender) wait(ctx context.Context, failed int) error {
	limit := waitCap
	if failed < 7 { // 5 ms << 6 is over the cap
		limit = min(waitCap, waitBase<<(failed-1))
	}
	if err := smithytime.SleepWithContext(ctx, time.Duration(a.jitter()*float64(limit))); err != nil {
		return &chat.Error{Kind: chat.Unavailable, RetryAfter: busyRetryAfter, Cause: err}
	}
	return nil
}
