package chat

import (
	"time"
)

// Message is a message of a room in its current state.
type Message struct {
	Room RoomID
	ID   MessageID // who sent it and when
	Text string    // 1 byte to MaxText; empty after a deletion
	// Metadata is the sender's JSON object; empty if there is none and after a deletion.
	Metadata string
	// ReceivedAt is when the service received the message, to the millisecond, in UTC. It
	// determines the order in the room.
	ReceivedAt time.Time
	// Digest distinguishes a retry from another message with the same id, even after the text is
	// deleted. See ContentDigest.
	Digest []byte
	// Revision starts at 1. Each edit and the deletion increment it.
	Revision int
	// EditedAt is when the content was last edited; zero if it never was.
	EditedAt time.Time
	// DeletedAt and DeletedBy are set if only the tombstone is left.
	DeletedAt time.Time
	DeletedBy UserID
	// VersionBytes is the number of bytes of text and metadata in all versions; 0 if the message
	// was never edited.
	VersionBytes int
	// Via is the service that wrote the current text on the sender's behalf, if any.
	Via UserID
}

// SentAt returns when the sender created the message, to the millisecond, in UTC. It determines the
// order of one user's messages.
func (m Message) SentAt() time.Time { return m.ID.SentAt() }

// PageBytes returns the number of bytes of m that count against MaxPageBytes: the text and the
// metadata as encoded in JSON, and an estimate for the other fields.
func (m Message) PageBytes() int {
	const rest = 300 // ids, times and field names of a message in JSON
	n := rest + len(m.Text) + len(m.Metadata)
	for i := range len(m.Text) {
		if c := m.Text[i]; c < 0x20 {
			n += 5 // \u0000
		} else if c == '"' || c == '\\' {
			n++
		}
	}
	return n
}
