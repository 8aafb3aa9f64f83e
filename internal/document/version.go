package document

import (
	"time"

	"example.com/parley/internal/chat"
)

// Version is one version of a message's content: 1 is the original, and each edit adds the next
// number. Versions never change, but a deletion removes the content of all of them.
type Version struct {
	Room   chat.RoomID
	ID     chat.MessageID
	Number int
	Text   string // empty if the message is deleted
	// Metadata is empty if there is none, and if the message is deleted.
	Metadata string
	By       chat.UserID // who wrote it
	At       time.Time
	Via      chat.UserID // the service that wrote it on their behalf, if any
}

// PageBytes returns the number of bytes of v that count against chat.MaxPageBytes.
func (v Version) PageBytes() int {
	return chat.Message{Text: v.Text, Metadata: v.Metadata}.PageBytes()
}

// Newest returns the newest version of m, which must not be deleted.
func Newest(m chat.Message) Version {
	v := Version{Room: m.Room, ID: m.ID, Number: m.Revision, Text: m.Text, Metadata: m.Metadata, By: m.ID.User, At: m.EditedAt, Via: m.Via}
	if m.Revision == 1 || m.EditedAt.IsZero() { // a message whose place an import held was not edited
		v.At = m.ReceivedAt
	}
	return v
}

// Count returns the number of versions of m.
func Count(m chat.Message) int {
	if m.Deleted() {
		return m.Revision - 1
	}
	return m.Revision
}

// original returns the only version of a message that was never edited, even if it is deleted.
func original(m chat.Message) Version {
	m.Revision = 1
	return Newest(m)
}
