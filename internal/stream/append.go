package stream

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	smithytime "github.com/aws/smithy-go/time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

const (
	// appendTries bounds the failed puts of one batch when other processes are first. A stream has
	// a shard for each partition, so dozens of processes append to a room of 64 shards. After the
	// last try, the batch is retried as a whole.
	appendTries = 24
	// waitBase, waitEach and waitCap spread the retries of processes in conflict. An append
	// takes about 10 ms. A refused put is billed by its size, so a process waits longer for
	// each change that it has.
	waitBase = 25 * time.Millisecond
	waitEach = 200 * time.Microsecond
	waitCap  = 400 * time.Millisecond
	// busyRetryAfter is the delay before a batch is retried as a whole.
	busyRetryAfter = time.Second
)

// Store reads and writes feeds. Reads are consistent.
//
// All methods return a *chat.Error of kind Unavailable if the store cannot answer at present. The
// error of a read wraps chat.ErrUnreadable if an item cannot be parsed.
type Store interface {
	// FeedTail returns the newest segments of a feed, oldest first.
	//
	// If after is 0, the tail begins with the last segment that was written before since, or
	// with the oldest one left. FeedTail then reads head before the tail. If head is ahead of
	// the tail, the segments in between have expired.
	//
	// If after is the first number of a segment, the tail holds all later segments. since and
	// head are then zero.
	FeedTail(
		ctx context.Context, room chat.RoomID, after int64, since time.Time,
	) (tail []feed.Segment, head feed.Head, err error)
	// FeedSegment returns the segment whose first number is first, or the zero Segment if there is
	// none.
	FeedSegment(ctx context.Context, room chat.RoomID, first int64) (feed.Segment, error)
	// AppendSegment puts a segment unless the feed has one with the same first number. It
	// reports whether it put the segment. After a lost answer it may report false for a segment
	// that it put itself.
	AppendSegment(ctx context.Context, segment feed.Segment) (bool, error)
	// PutFeedHead moves the head of a feed forward. A head behind the stored one changes
	// nothing. Readers see the entries up to the stored head. The error is feed.ErrClosed if
	// the head is closed; then it does not move.
	PutFeedHead(ctx context.Context, head feed.Head) error
}

// Appender appends each change to its feed once. It remembers the ends of feeds, so it normally
// writes without reading. It is safe for concurrent use.
type Appender struct {
	store     Store
	clock     func() time.Time
	retention time.Duration
	jitter    func() float64
	tails     *tails
}

// NewAppender returns an appender with the given options.
func NewAppender(o Options) *Appender {
	a := &Appender{
		store: o.Store, clock: o.Clock, retention: o.Retention, jitter: o.Jitter, tails: newTails(o.Store, o.Memory),
	}
	if a.retention == 0 {
		a.retention = feed.DefaultRetention
	}
	if a.jitter == nil {
		a.jitter = rand.Float64
	}
	return a
}

// Append appends the changes that are not yet in a room's feed, in their order, and returns their
// number of entries. Changes of one subject are merged into the last of them; see feed.Merge. It
// costs one put for each segment of up to feed.MaxSegmentChanges changes, and one update of the
// head after the last segment.
//
// generation identifies the stream of the changes, in the form of GenerationOf. If it is newer
// than the feed's, the changes begin a new generation, after a gap of feed.GenerationGap numbers.
// Otherwise, or if it is empty, they belong to the feed's current generation.
//
// The feed of a deleted room is closed and accepts nothing. appended is then 0, without an error.
//
// The error is Unavailable if the feed cannot be written at present. It wraps chat.ErrUnreadable
// if a stored segment cannot be parsed. After an error, appended counts the entries known to be
// appended; the feed may contain more. The call may be retried.
func (a *Appender) Append(
	ctx context.Context, room chat.RoomID, generation string, changes []feed.StreamChange,
) (appended int, err error) {
	done, err := a.append(ctx, room, generation, changes)
	return len(done.Entries), err
}

// outcome is the result of an append.
type outcome struct {
	feed.Appended
	// found are the entries of changes that were already in the feed, in no order.
	found  []feed.AppendedEntry
	closed bool // the room is deleted
}

// reached returns the last number of the changes that were already in the feed. A merged change has
// none, so the end of the feed stands for it.
func (o outcome) reached() feed.Reached {
	r := feed.Reached{Room: o.Room}
	for _, e := range o.found {
		if e.Seq == 0 {
			return feed.Reached{Room: o.Room, Seq: o.Head.Last}
		}
		r.Seq = max(r.Seq, e.Seq)
	}
	return r
}

// append is Append, but returns the entries. After an error it returns the entries of the puts
// that succeeded. The last put may have taken effect too. A closed feed accepts no entries, which
// is not an error. A process that learns this only from the head has put a segment that no reader
// sees.
func (a *Appender) append(
	ctx context.Context, room chat.RoomID, generation string, changes []feed.StreamChange,
) (outcome, error) {
	t := a.tails.acquire(room)
	defer a.tails.release(t)
	done, err := a.appendTo(ctx, t, generation, changes)
	if errors.Is(err, feed.ErrClosed) {
		t.closed = true
		return outcome{Appended: feed.Appended{Room: room}, closed: true}, nil
	}
	return done, err
}

// appendTo is append to the feed of a tail, which the caller has locked. The error is
// feed.ErrClosed if the feed is closed.
func (a *Appender) appendTo(
	ctx context.Context, t *tail, generation string, changes []feed.StreamChange,
) (outcome, error) {
	done := outcome{Appended: feed.Appended{Room: t.room}}
	for failed := 0; failed < appendTries; {
		fresh, found, err := a.divide(ctx, t, generation, changes)
		if err != nil {
			return done, err
		}
		changes, done.found = fresh, append(done.found, found...)
		if len(fresh) == 0 {
			err := t.putHead(ctx)
			done.Head, done.Rate = t.end, t.rate()
			return done, err
		}
		taken := fresh[:min(len(fresh), feed.MaxSegmentChanges)]
		next, kept := t.next(generation, taken, a.now(), a.retention)
		ok, err := a.store.AppendSegment(ctx, next)
		if err != nil {
			t.forget() // the put may have taken effect
			return done, err
		}
		if !ok {
			failed++
			if err := a.readOthers(ctx, t, failed, len(taken)); err != nil {
				return done, err
			}
			continue
		}
		t.push(next)
		t.asOf = next.WrittenAt
		for i, c := range kept {
			done.Entries = append(done.Entries, feed.AppendedEntry{Seq: next.First + int64(i), StreamChange: c})
		}
		changes = fresh[len(taken):]
	}
	return done, &chat.Error{
		Kind: chat.Unavailable, RetryAfter: busyRetryAfter,
		Detail: "too many processes write this feed at once; " + chat.RetryHint,
	}
}

// divide returns the changes that are not in the feed, and the entries of the changes that are.
// It reads the feed if the tail does not go back far enough.
func (a *Appender) divide(
	ctx context.Context, t *tail, generation string, changes []feed.StreamChange,
) (fresh []feed.StreamChange, found []feed.AppendedEntry, err error) {
	if t.closed {
		return nil, nil, feed.ErrClosed
	}
	// A put at the next number fails if another process has taken that number. It does not fail
	// for the first number of a generation, nor after the other process's segments have
	// expired.
	if t.startsGeneration(generation) || a.now().Sub(t.asOf) > a.retention/2 {
		t.forget()
	}
	if err := t.cover(ctx, a.now(), changes); err != nil {
		return nil, nil, err
	}
	return t.divide(ctx, changes)
}

// readOthers waits, and then reads the segments that other processes have appended.
func (a *Appender) readOthers(ctx context.Context, t *tail, failed, changes int) error {
	if err := a.wait(ctx, failed, changes); err != nil {
		return err
	}
	return t.catchUp(ctx, a.now())
}

// now returns the time with the precision of segments.
func (a *Appender) now() time.Time { return a.clock().UTC().Truncate(time.Millisecond) }

// wait pauses for a random part of a delay that grows with the changes and doubles with each
// failed put.
func (a *Appender) wait(ctx context.Context, failed, changes int) error {
	limit := waitCap
	if failed < 5 { // 25 ms << 4 is the cap
		limit = min(waitCap, (waitBase+time.Duration(changes)*waitEach)<<(failed-1))
	}
	if err := smithytime.SleepWithContext(ctx, time.Duration(a.jitter()*float64(limit))); err != nil {
		return &chat.Error{Kind: chat.Unavailable, RetryAfter: busyRetryAfter, Cause: err}
	}
	return nil
}
