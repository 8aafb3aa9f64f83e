package inbox

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// place is a place between two changes of a feed: the number of the change before it, and the
// number of messages created up to there.
type place struct{ seq, count int64 }

// location is where a message was created in a feed: the places before and after this change.
type location struct {
	before, after place
	head          feed.Head
}

// locate finds the creation of a message in the feed of its room. If the feed does not have the
// message yet, both places are the head's.
//
// One query finds a message within the newest changes. An older one is found by bisecting the
// feed's segments by time, since a message's segment was written after its receipt. The error is
// Invalid, in the field message, if the feed no longer has the change.
func (s *Service) locate(ctx context.Context, room chat.RoomID, id chat.MessageID) (location, error) {
	var message chat.Message
	var head feed.Head
	var both errgroup.Group // neither cancels the other, so an unknown message costs the same calls
	both.Go(func() (err error) { message, err = s.source.Message(ctx, room, id); return err })
	both.Go(func() (err error) { head, err = s.source.CurrentFeedHead(ctx, room); return err })
	if err := both.Wait(); err != nil {
		return location{}, err
	}
	l := search{source: s.source, message: message, head: head}
	if err := l.newest(ctx); err != nil {
		return location{}, err
	}
	if l.found == nil && l.isOlder {
		if err := l.older(ctx); err != nil {
			return location{}, err
		}
	}
	end := place{head.Last, head.Count}
	switch {
	case l.found != nil:
		return *l.found, nil
	case s.clock().Sub(message.ReceivedAt) < maxFeedDelay:
		return location{before: end, after: end, head: head}, nil
	case head.Newest.Known() && head.Newest.Message == id && head.Count > 0:
		// The head has its place even if the segment has expired, as in a quiet room.
		return location{before: place{end.seq - 1, end.count - 1}, after: end, head: head}, nil
	}
	return location{}, chat.Invalidf("message", "must be of a message whose change the room's feed still has")
}

// search is a search for the creation of a message.
type search struct {
	source  Source
	message chat.Message
	head    feed.Head
	found   *location
	// isOlder reports whether the message may be in a segment that begins before oldest.
	isOlder bool
	oldest  int64
}

// newest searches the segments with the newest changes. The newest message of the room, which
// people mark most often, is in the first few segments.
func (l *search) newest(ctx context.Context) error {
	if l.head.Last == 0 {
		return nil
	}
	r := feed.SegmentRange{Room: l.head.Room, Last: l.head.Last, Limit: newestChanges}
	r.First = max(1, l.head.Last-newestChanges-feed.MaxSegmentChanges+2)
	if l.head.Newest.Message == l.message.ID {
		r.Limit = segmentsFirst
	}
	segments, more, err := l.source.SegmentsBack(ctx, r)
	if err == nil && (len(segments) == 0 || segments[0].Last() < l.head.Last) {
		r.Consistent = true // the replica is behind the head, or the last segment has expired
		segments, more, err = l.source.SegmentsBack(ctx, r)
	}
	if err == nil && more && r.Limit == segmentsFirst && !l.add(segments) {
		r.Limit = newestChanges
		segments, more, err = l.source.SegmentsBack(ctx, r)
	}
	if err != nil || l.add(segments) {
		return err
	}
	l.oldest, l.isOlder = r.First, r.First > 1
	if n := len(segments); n > 0 {
		l.oldest = segments[n-1].First
		l.isOlder = (more || r.First > 1) && !segments[n-1].WrittenAt.Before(l.since())
	}
	return nil
}

// older searches the segments before the newest ones.
func (l *search) older(ctx context.Context) error {
	next, err := l.firstWritten(ctx)
	for scanned := 0; err == nil && next < l.oldest && scanned < maxScanned; {
		var segments []feed.Segment
		segments, err = l.source.SegmentsFrom(ctx, l.head, next, chat.MaxLimit)
		if err != nil || len(segments) == 0 || l.add(segments) {
			return err
		}
		next = segments[len(segments)-1].Last() + 1
		for _, segment := range segments {
			scanned += len(segment.Changes)
		}
	}
	return err
}

// firstWritten returns the first number of the first segment that can contain the message, or
// oldest.
func (l *search) firstWritten(ctx context.Context) (int64, error) {
	low, high := int64(1), l.oldest // no segment that begins before low can contain it
	for low < high {
		middle := low + (high-low)/2
		segments, _, err := l.source.SegmentsBack(
			ctx, feed.SegmentRange{Room: l.head.Room, First: low, Last: middle, Limit: 1},
		)
		switch {
		case err != nil:
			return 0, err
		case len(segments) == 0 || segments[0].WrittenAt.Before(l.since()):
			low = middle + 1
		default:
			high = segments[0].First
		}
	}
	return high, nil
}

// since returns the time before which no segment with the message was written.
func (l *search) since() time.Time { return l.message.ReceivedAt.Add(-maxClockSkew) }

// add looks for the message's creation in segments, and reports whether one contains it.
func (l *search) add(segments []feed.Segment) bool {
	for _, segment := range segments {
		for i, c := range segment.Changes {
			if (c.Type == feed.MessageCreated || c.Type == feed.ReplyCreated || c.Type == feed.SystemCreated) &&
				c.Message == l.message.ID {
				seq := segment.First + int64(i)
				l.found = &location{
					before: place{seq - 1, segment.CountAt(seq - 1)}, after: place{seq, segment.CountAt(seq)},
					head: l.head,
				}
				return true
			}
		}
	}
	return false
}
