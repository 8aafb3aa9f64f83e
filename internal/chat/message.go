package chat

import (
	"time"
)

// Message is one message as it stands in a room.
type Message struct {
	Room RoomID
	ID   MessageID // who sent it and when
	Text string    // 1 byte to MaxText; empty when it is deleted
	// ReceivedAt is when the service took it, to the millisecond, in UTC.
	// It orders the room.
	ReceivedAt time.Time
	// Digest tells a retry from another message under the same id, also
	// when the text is gone. See ContentDigest.
	Digest []byte
	// Revision counts from 1, one more with each edit and with the deletion.
	Revision int
	// EditedAt is when the text was last replaced; zero when it never was.
	EditedAt time.Time
	// DeletedAt and DeletedBy are set when only the tombstone is left.
	DeletedAt time.Time
	DeletedBy UserID
	// VersionBytes is how many bytes of text its versions hold; 0 as long as there are none.
	VersionBytes int
}

// SentAt is when the sender made it, to the millisecond, in UTC. It orders
// the messages of one user.
func (m Message) SentAt() time.Time { return m.ID.SentAt() }

// PageBytes is how many bytes m takes in a page, against MaxPageBytes: its
// text as JSON writes it, and something for the rest.
func (m Message) PageBytes() int {
	const rest = 300 // ids, times and names of a message in an answer
	n := rest + len(m.Text)
	for i := range len(m.Text) {
		if c := m.Text[i]; c < 0x20 {
			n += 5 // \u0000
		} else if c == '"' || c == '\\' {
			n++
		}
	}
	return n
}
