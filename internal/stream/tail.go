package stream

import (
	"context"
	"slices"
	"sync"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

const (
	// clockSkew bounds the differences between the clocks of appending processes and the clock of
	// the stream, which rounds the time of a record down to the second.
	clockSkew = 5 * time.Second
	// trimSlack is how much further back a tail reaches than the last batch needed. The next batch
	// may come from a shard of the stream that lags a little.
	trimSlack = time.Minute
)

// tail is this process's copy of the end of one room's feed.
//
// It decides by looking back whether a record was already appended. A record cannot have been
// appended before it was created. Only segments written since then can hold it, if their records
// were created around the same time. The tail stores no position in the stream, which would be
// wrong after the stream is split, merged or read by another process.
type tail struct {
	mu    sync.Mutex
	room  chat.RoomID
	store Store

	maxBytes int // for identities in memory, except one segment's

	loaded        bool
	coveredSince  time.Time // segments holds all segments written since
	asOf          time.Time // when the tail was the end of the feed
	segments      []summary // oldest first
	identityBytes int       // of the identities in all of them
	uses          int       // counts the uses of identities
	end           feed.Head
	headStored    bool // the stored head is end
	closed        bool // the feed never accepts more
}

// summary is the part of a segment that stays in memory.
type summary struct {
	first, last int64
	count       int64 // messages created in the room up to last
	generation  string
	writtenAt   time.Time
	createdFrom time.Time
	createdTo   time.Time
	expires     time.Time
	identities  map[feed.Change]int64 // with their numbers, or 0 if merged; nil when they were dropped
	bytes       int                   // of the identities, estimated
	lastUse     int                   // of the identities, in uses of the tail
}

func summarize(s feed.Segment) summary {
	sum := summary{
		first: s.First, last: s.Last(), count: s.Total(), generation: s.Generation, writtenAt: s.WrittenAt,
		createdFrom: s.CreatedFrom, createdTo: s.CreatedTo, expires: s.Expires,
	}
	sum.remember(s)
	return sum
}

// remember keeps the identities of the segment's changes.
func (s *summary) remember(of feed.Segment) {
	s.identities, s.bytes = of.Identities(), 0
	for id := range s.identities {
		s.bytes += bytesOf(id)
	}
}

// cover reads the tail unless it reaches back far enough: to any segment that may hold one of the
// changes, and to the last number that has settled.
func (t *tail) cover(ctx context.Context, now time.Time, changes []feed.StreamChange) error {
	since := now.Add(-feed.IndexLag)
	for _, c := range changes {
		if c.Created.Before(since) {
			since = c.Created
		}
	}
	since = since.Add(-clockSkew)
	if t.loaded && !t.coveredSince.After(since) {
		t.trim(since.Add(-trimSlack))
		return nil
	}
	t.forget()
	segments, head, err := t.store.FeedTail(ctx, t.room, 0, since)
	if err != nil {
		return err
	}
	if head.Closed {
		return feed.ErrClosed
	}
	t.loaded, t.coveredSince, t.asOf = true, since, now
	for _, s := range segments {
		t.push(s)
	}
	if head.Last >= t.end.Last {
		t.headStored = true
	}
	if head.Last > t.end.Last {
		t.end = head
	}
	return nil
}

// trim drops the segments that were written before a time, except the newest one.
func (t *tail) trim(before time.Time) {
	n := 0
	for n < len(t.segments)-1 && t.segments[n].writtenAt.Before(before) {
		t.identityBytes -= t.segments[n].bytes
		n++
	}
	if n > 0 {
		t.segments = slices.Delete(t.segments, 0, n)
		t.coveredSince = later(t.coveredSince, before)
	}
}

// catchUp reads the segments that other processes have appended.
func (t *tail) catchUp(ctx context.Context, now time.Time) error {
	var after int64
	if n := len(t.segments); n > 0 {
		after = t.segments[n-1].first
	}
	segments, _, err := t.store.FeedTail(ctx, t.room, after, time.Time{})
	if err != nil {
		t.forget()
		return err
	}
	t.asOf = now
	for _, s := range segments {
		t.push(s)
	}
	return nil
}

// push adds the next segment.
func (t *tail) push(s feed.Segment) {
	t.segments = append(t.segments, summarize(s))
	t.end, t.headStored = s.Head(), false
	t.added(len(t.segments) - 1)
}

// added counts the identities of a segment. While there are too many, it drops the least recently
// used segment's identities.
func (t *tail) added(at int) {
	t.identityBytes += t.segments[at].bytes
	t.use(at)
	for t.identityBytes > t.maxBytes {
		oldest := -1
		for i, s := range t.segments {
			if i != at && s.identities != nil && (oldest < 0 || s.lastUse < t.segments[oldest].lastUse) {
				oldest = i
			}
		}
		if oldest < 0 {
			return
		}
		t.identityBytes -= t.segments[oldest].bytes
		t.segments[oldest].identities, t.segments[oldest].bytes = nil, 0
	}
}

// use records that the identities of a segment are used.
func (t *tail) use(at int) {
	t.uses++
	t.segments[at].lastUse = t.uses
}

// bytes estimates the memory of a tail.
func (t *tail) bytes() int { return tailBytes + cap(t.segments)*summaryBytes + t.identityBytes }

func (t *tail) forget() {
	t.loaded, t.segments, t.identityBytes = false, nil, 0
	t.end, t.headStored = feed.Head{}, false
}

// rate returns how fast messages were created in the room lately, by the clock of the stream.
func (t *tail) rate() feed.Rate {
	return feed.RateOf(func(yield func(feed.Count) bool) {
		for _, s := range slices.Backward(t.segments) {
			if !yield(feed.Count{At: s.createdTo, Messages: s.count}) {
				return
			}
		}
	})
}

// putHead stores the end of the feed as its head, unless it is stored. Only then is a batch done:
// if the process ends earlier, the batch is retried.
func (t *tail) putHead(ctx context.Context) error {
	if t.headStored || t.end.Last == 0 {
		return nil
	}
	if err := t.store.PutFeedHead(ctx, t.end); err != nil {
		return err
	}
	t.headStored = true
	return nil
}
