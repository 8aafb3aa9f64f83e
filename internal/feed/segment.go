package feed

import (
	"time"

	"example.com/parley/internal/chat"
)

const (
	// MaxSegmentChanges bounds the changes of a segment. At 100 bytes or less per change, a
	// segment stays within 100 KB. A batch of the stream holds no more records than this, so it
	// becomes one segment for each room.
	MaxSegmentChanges = 1000
	// MaxChangeKey bounds the Key of an unknown change, in bytes.
	MaxChangeKey = 80
	// MaxChangePayload bounds the entry of a framed change without its type and user. It keeps a
	// full segment of such entries well below the 400 KB of an item.
	MaxChangePayload = 128
	// GenerationGap is how far sequence numbers jump when a feed begins a new generation. No feed
	// appends this many changes between a backup and its restore, so no number of an older
	// generation is one of the new generation.
	GenerationGap = 1_000_000_000
	// IndexLag is the assumed lag of an index, or of an eventually consistent read, behind the
	// table. The usual lag is less than a second, but DynamoDB promises no bound.
	IndexLag = 10 * time.Second
	// maxBeside is how long after the beginning of a listing the head may be read for its
	// position. Clocks differ, so a head that was written meanwhile may seem older. The position
	// is then ahead by at most this time, a tenth of IndexLag.
	maxBeside = time.Second
	// DefaultRetention is how long segments are stored. A client that was away for three months
	// catches up; a client that was away longer starts over.
	DefaultRetention = 90 * 24 * time.Hour
	// messagesPerRead is the number of messages that one consistent read of a page requests: as
	// many as one call can return. Messages of 2 KB or less all fit in the page.
	messagesPerRead = 100
	// receiptMargin bounds the usual time between the receipt of a message and the time of its
	// change, including the difference of their clocks. It affects only how messages are read: a
	// message received earlier or later is read by its key.
	receiptMargin = 250 * time.Millisecond
	// createdUnit is the resolution of the times of changes, which the stream rounds down.
	createdUnit = time.Second
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

// newestMargin bounds the time between the receipt of a message and the clock of the process that
// appends its change. A message that was received later than this after an append is newer than
// all messages of that append.
const newestMargin = 5 * time.Second

// Newest is the most recently received message of a room. Segments carry it forward, so that no
// search is needed.
type Newest struct {
	Message    chat.MessageID
	ReceivedAt time.Time
	Shard      int // of the message, from 1; 0 if unknown
	// Gap is when message changes were last appended whose times are unknown: by a repair, or of a
	// later version's type. One of these messages may be newer.
	Gap time.Time
}

// Known reports whether n is certainly the newest message.
func (n Newest) Known() bool {
	if n.Message == (chat.MessageID{}) || n.Shard == 0 {
		return false
	}
	return n.Gap.IsZero() || n.ReceivedAt.After(n.Gap.Add(newestMargin))
}

// With returns the newer one of n and a message in a shard, by their positions in the room.
func (n Newest) With(m chat.Message, shard int) Newest {
	known := n.Message != (chat.MessageID{})
	position := chat.Position{At: m.ReceivedAt, ID: m.ID}
	if known && position.Compare(chat.Position{At: n.ReceivedAt, ID: n.Message}) < 0 {
		return n
	}
	n.Message, n.ReceivedAt, n.Shard = m.ID, m.ReceivedAt, shard
	if n.Known() {
		n.Gap = time.Time{}
	}
	return n
}
