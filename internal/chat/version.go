package chat

import "time"

// MessageVersion is one text that a message had: 1 is the original, each edit is the
// next. Versions never change, but a deletion takes the text out of all of them.
type MessageVersion struct {
	Room   RoomID
	ID     MessageID
	Number int
	Text   string // empty when the message is deleted
	By     UserID // who wrote it
	At     time.Time
}

// PageBytes is how many bytes v takes in a page, against MaxPageBytes.
func (v MessageVersion) PageBytes() int { return Message{Text: v.Text}.PageBytes() }

// Deleted tells whether only the tombstone of m is left.
func (m Message) Deleted() bool { return !m.DeletedAt.IsZero() }

// Edited is m after an edit.
func (m Message) Edited(text string, at time.Time) Message {
	if m.VersionBytes == 0 {
		m.VersionBytes = len(m.Text)
	}
	m.VersionBytes += len(text)
	m.Text, m.EditedAt = text, at
	m.Revision++
	return m
}

// Tombstone is what is left of m after its deletion: where and whose it was, and the
// digest, by which a retry of its sending is still known.
func (m Message) Tombstone(by UserID, at time.Time) Message {
	m.Text, m.VersionBytes = "", 0
	m.DeletedAt, m.DeletedBy = at, by
	m.Revision++
	return m
}

// Versions is how many texts m has had.
func (m Message) Versions() int {
	if m.Deleted() {
		return m.Revision - 1
	}
	return m.Revision
}

// Version is the newest version of m, as long as m is not deleted.
func (m Message) Version() MessageVersion {
	v := MessageVersion{Room: m.Room, ID: m.ID, Number: m.Revision, Text: m.Text, By: m.ID.User, At: m.EditedAt}
	if m.Revision == 1 {
		v.At = m.ReceivedAt
	}
	return v
}

// original is the only version of a message that was never edited, also when it is deleted.
func (m Message) original() MessageVersion {
	m.Revision = 1
	return m.Version()
}
