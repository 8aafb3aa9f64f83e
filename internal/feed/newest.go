package feed

import (
	"time"

	"example.com/parley/internal/chat"
)

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
