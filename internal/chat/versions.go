package chat

import "time"

// MessageVersion is one of the contents of a message: 1 is the original, and each edit adds the
// next number. Versions never change, but a deletion removes the content of all of them.
type MessageVersion struct {
	Room   RoomID
	ID     MessageID
	Number int
	Text   string // empty if the message is deleted
	// Metadata is empty if there is none, and if the message is deleted.
	Metadata string
	By       UserID // who wrote it
	At       time.Time
	Via      UserID // the service that wrote it on their behalf, if any
}

// PageBytes returns the number of bytes of v that count against MaxPageBytes.
func (v MessageVersion) PageBytes() int {
	return Message{Text: v.Text, Metadata: v.Metadata}.PageBytes()
}

// Deleted reports whether m is deleted and only its tombstone is left.
func (m Message) Deleted() bool { return !m.DeletedAt.IsZero() }

// Edited returns m after an edit of its text.
func (m Message) Edited(text string, at time.Time) Message {
	return m.edited(MessageEdit{Text: &text}, at)
}

func (m Message) edited(edit MessageEdit, at time.Time) Message {
	if m.VersionBytes == 0 {
		m.VersionBytes = len(m.Text) + len(m.Metadata)
	}
	m = edit.appliedTo(m)
	m.VersionBytes += len(m.Text) + len(m.Metadata)
	m.EditedAt = at
	m.Revision++
	return m
}

// Tombstone returns m after its deletion. It keeps the id and the times of the message, and the
// digest, which still identifies a retry.
func (m Message) Tombstone(by UserID, at time.Time) Message {
	m.Text, m.Metadata, m.VersionBytes = "", "", 0
	m.DeletedAt, m.DeletedBy = at, by
	m.Revision++
	return m
}

// Versions returns the number of versions of m.
func (m Message) Versions() int {
	if m.Deleted() {
		return m.Revision - 1
	}
	return m.Revision
}

// Version returns the newest version of m, which must not be deleted.
func (m Message) Version() MessageVersion {
	v := MessageVersion{Room: m.Room, ID: m.ID, Number: m.Revision, Text: m.Text, Metadata: m.Metadata, By: m.ID.User, At: m.EditedAt, Via: m.Via}
	if m.Revision == 1 {
		v.At = m.ReceivedAt
	}
	return v
}

// original returns the only version of a message that was never edited, even if it is deleted.
func (m Message) original() MessageVersion {
	m.Revision = 1
	return m.Version()
}
