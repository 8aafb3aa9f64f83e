package feed

import (
	"time"

	"example.com/parley/internal/chat"
)

// Segment is a part of a room's feed with consecutive sequence numbers. It never changes.
type Segment struct {
	Room    chat.RoomID
	First   int64 // the sequence number of Changes[0], from 1
	Changes []Change
	// Merged holds the changes represented by entries of Changes. Both together hold at most
	// MaxSegmentChanges changes.
	Merged []Merged
	// Count is the number of messages created in the room before Changes[0]. Replies count if the
	// room lists them.
	Count int64
	// Generation identifies the stream that the changes came from. Between two streams, changes may
	// be missing.
	Generation string
	// WrittenAt is the time of the append. It is never before the preceding segment's.
	WrittenAt time.Time
	// CreatedFrom and CreatedTo enclose the times of its changes, by the stream's clock.
	CreatedFrom, CreatedTo time.Time
	// ReceivedFrom and ReceivedTo enclose the times at which the messages that it adds to the
	// room's listing were received. They are zero if it adds none, or if one of these is unknown.
	ReceivedFrom, ReceivedTo time.Time
	// Settled is the last sequence number that was written more than IndexLag before WrittenAt.
	Settled int64
	// Newest is the newest message of the room up to the end of the segment.
	Newest Newest
	// Expires is the time after which the segment may be removed. The zero time means never.
	Expires time.Time
}

// Last returns the sequence number of the last change.
func (s Segment) Last() int64 { return s.First + int64(len(s.Changes)) - 1 }

// receivedWithin returns the range in which the messages of s were received, without its end:
// exactly, or probably if only the times of its changes are known. It is zero if no time is.
func (s Segment) receivedWithin() (from, to time.Time) {
	switch {
	case !s.ReceivedFrom.IsZero():
		return s.ReceivedFrom, s.ReceivedTo.Add(time.Millisecond) // their resolution
	case s.CreatedFrom.IsZero():
		return from, to
	}
	return s.CreatedFrom.Add(-receiptMargin), s.CreatedTo.Add(createdUnit + receiptMargin)
}

// CountAt returns the number of messages created in the room up to and including a sequence number
// within s.
func (s Segment) CountAt(seq int64) int64 {
	n := s.Count
	for i, c := range s.Changes {
		if s.First+int64(i) > seq {
			break
		}
		if c.CreatesInRoom() {
			n++
		}
	}
	return n
}

// Total returns the number of messages created in the room up to the end of s.
func (s Segment) Total() int64 { return s.CountAt(s.Last()) }

// Head returns the head of a feed whose newest segment is s.
func (s Segment) Head() Head {
	return Head{
		Room: s.Room, Last: s.Last(), Count: s.Total(), Generation: s.Generation, WrittenAt: s.WrittenAt,
		Settled: s.Settled,
		Newest:  s.Newest,
	}
}

// Head is the end of a room's feed. It never expires, so numbers and counts continue after all
// segments have been removed. It is small, so it is cheap to read.
type Head struct {
	Room       chat.RoomID
	Last       int64 // the newest sequence number; 0 before the first
	Count      int64 // messages created in the room up to Last
	Generation string
	WrittenAt  time.Time
	Settled    int64 // as in the newest segment
	Newest     Newest
	// Closed reports that the room is deleted. The feed accepts no more changes, and nobody may
	// read it.
	Closed bool
}

// MustReset reports whether h shows that the feed cannot continue from a position: the position is
// of another generation, or beyond the end. Only reading shows whether the changes since are
// stored.
func (h Head) MustReset(since chat.FeedPosition) bool {
	beginning := since == chat.FeedPosition{} // of any generation
	return !beginning && since.Generation != h.Generation || since.Seq > h.Last
}

// SettledAt returns the last sequence number up to which all changes show in the room's listings at
// a time. It assumes that the index lags by at most IndexLag.
func (h Head) SettledAt(now time.Time) int64 {
	if now.Sub(h.WrittenAt) > IndexLag {
		return h.Last
	}
	return h.Settled
}
