package feed

import (
	"time"

	"parley/internal/chat"
)

// Change is one entry of a room's feed: a reference to what changed, never its contents.
type Change struct {
	Type     ChangeType
	Message  chat.MessageID // of a message's change
	Revision int            // of the message, after the change
	User     chat.UserID    // whose membership changed
	Key      string         // of an unknown change: the sort key of its item, at most MaxChangeKey bytes
	// Origin tells those changes apart that are not of a message, which has revisions.
	Origin uint64
	// Opaque holds the stored bytes of a framed change that this version cannot read: all of a type
	// that it does not know, and what a newer version put behind the fields of one it knows.
	Opaque string
}

// ChangeOf is the change that made a message what it is.
func ChangeOf(m chat.Message) Change {
	c := Change{Type: MessageEdited, Message: m.ID, Revision: m.Revision}
	switch {
	case m.Revision == 1:
		c.Type = MessageCreated
	case m.Deleted():
		c.Type = MessageDeleted
	}
	return c
}

// Identity is equal for two changes exactly when they are the same one, told twice. It takes the
// stored fields alone, so that what a reader finds in a feed equals what it would append itself.
func (c Change) Identity() Change {
	switch {
	case c.Type.OfMessage():
		return Change{Message: c.Message, Revision: c.Revision}
	case c.Type < FirstFramedChange:
		return Change{Type: c.Type, Origin: c.Origin}
	case c.Message != (chat.MessageID{}):
		return Change{Type: c.Type, Message: c.Message, Revision: c.Revision}
	case c.Origin != 0:
		return Change{Type: c.Type, Origin: c.Origin}
	}
	return Change{Type: c.Type, User: c.User, Opaque: c.Opaque}
}

// ChangedItem is the item whose change an entry names, as the change left it. At most one field is
// set. None is for an item that is gone, and for an unknown change.
type ChangedItem struct {
	Message *chat.Message
	Member  *chat.Membership
	// Room is the room's metadata alone. It does not say who may post, and has no digest key.
	Room *chat.Room
}

// Segment is a run of a room's feed, under unbroken sequence numbers. It never changes.
type Segment struct {
	Room    chat.RoomID
	First   int64 // the sequence number of Changes[0], from 1
	Changes []Change
	// Count is how many messages had been created in the room before Changes[0].
	Count int64
	// Generation names the stream that the changes came from: another one may have missed changes
	// in between.
	Generation string
	// WrittenAt is when it was appended, never earlier than the segment before.
	WrittenAt time.Time
	// CreatedFrom and CreatedTo enclose when its changes were made, as the stream tells it.
	CreatedFrom, CreatedTo time.Time
	// Settled is the last number that was written more than IndexLag before WrittenAt.
	Settled int64
	// Expires is when it may be removed; zero is never.
	Expires time.Time
}

// Last is the sequence number of the last change.
func (s Segment) Last() int64 { return s.First + int64(len(s.Changes)) - 1 }

// CountAt is how many messages had been created in the room up to a sequence number within s, that
// one included.
func (s Segment) CountAt(seq int64) int64 {
	n := s.Count
	for i, c := range s.Changes {
		if s.First+int64(i) > seq {
			break
		}
		if c.Type == MessageCreated {
			n++
		}
	}
	return n
}

// Total is how many messages had been created in the room when s ended.
func (s Segment) Total() int64 { return s.CountAt(s.Last()) }

// Head is what is known of s when it is the newest.
func (s Segment) Head() Head {
	return Head{
		Room: s.Room, Last: s.Last(), Count: s.Total(), Generation: s.Generation, WrittenAt: s.WrittenAt, Settled: s.Settled,
	}
}

// Head is where a room's feed ends. It is kept for ever, so that numbers and counts go on when all
// segments have been removed, and is small, so that it is cheap to read.
type Head struct {
	Room       chat.RoomID
	Last       int64 // the newest sequence number; 0 when there is no feed yet
	Count      int64 // messages created in the room up to Last
	Generation string
	WrittenAt  time.Time
	Settled    int64 // as in the newest segment
}

// SettledAt is a position: all changes up to it show in the room's listings at the given time,
// however much the index lags.
func (h Head) SettledAt(now time.Time) int64 {
	if now.Sub(h.WrittenAt) > IndexLag {
		return h.Last
	}
	return h.Settled
}
