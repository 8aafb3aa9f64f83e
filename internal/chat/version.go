package chat

import (
	"context"
	"time"
)

// Version is one version of a message's content: 1 is the original, and each edit adds the next
// number. Versions never change, but a deletion removes the content of all of them.
type Version struct {
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
func (v Version) PageBytes() int {
	return Message{Text: v.Text, Metadata: v.Metadata}.PageBytes()
}

// NewestVersion returns the newest version of m, which must not be deleted.
func NewestVersion(m Message) Version {
	v := Version{
		Room: m.Room, ID: m.ID, Number: m.Revision, Text: m.Text, Metadata: m.Metadata, By: m.ID.User, At: m.EditedAt,
		Via: m.Via,
	}
	if m.Revision == 1 || m.EditedAt.IsZero() { // a message whose place an import held was not edited
		v.At = m.ReceivedAt
	}
	return v
}

// VersionCount returns the number of versions of m.
func VersionCount(m Message) int {
	if m.Deleted() {
		return m.Revision - 1
	}
	return m.Revision
}

// original returns the only version of a message that was never edited, even if it is deleted.
func original(m Message) Version {
	m.Revision = 1
	return NewestVersion(m)
}

// VersionPosition is a position in a list of versions, newest first: after the version with this
// number. 0 is the beginning.
type VersionPosition int

// CursorFields implements CursorPosition.
func (p *VersionPosition) CursorFields(f *CursorCodec) {
	number := int64(*p)
	f.Int(&number)
	f.Check(number >= 1 && number <= MaxVersion)
	*p = VersionPosition(number)
}

// From returns the number of the first version of the page, given the newest version. It is less
// than 1 at the end of the list.
func (p VersionPosition) From(newest int) int {
	if p == 0 {
		return newest
	}
	return min(newest, int(p)-1)
}

// Cursor returns the cursor of the page after p; empty after the first version.
func (p VersionPosition) Cursor(s CursorScope) string {
	if p <= 1 {
		return ""
	}
	return EncodeCursor(s, &p)
}

// VersionQuery selects the versions of a message.
type VersionQuery struct {
	Room RoomID
	ID   MessageID
	Page PageRequest
}

// MessageVersions lists the versions of a message, newest first. It returns at most q.Page.Limit of
// them, or fewer if they would exceed MaxPageBytes. A message that was never edited has one
// version. The versions of a deleted message have no content.
//
// The error is NotFound if the message does not exist. Otherwise it is as for Authorizer and
// PageRequest.Read.
func (s *Service) MessageVersions(ctx context.Context, caller UserID, q VersionQuery) (Page[Version], error) {
	scope := NewCursorScope("message versions").Text(string(q.Room)).Text(q.ID.String())
	var after VersionPosition
	if err := q.Page.Read(scope, &after); err != nil {
		return Page[Version]{}, err
	}
	m, err := s.Message(ctx, caller, q.Room, q.ID)
	if err != nil {
		return Page[Version]{}, err
	}
	newest := Version{Room: q.Room, ID: q.ID, Number: after.From(VersionCount(m))}
	switch {
	case newest.Number < 1: // after the first version
		return Page[Version]{}, nil
	case VersionCount(m) == 1:
		return Page[Version]{Items: []Version{original(m)}}, nil
	}
	versions, err := s.store.MessageVersions(ctx, newest, q.Page.Limit)
	if err != nil {
		return Page[Version]{}, err
	}
	last := VersionPosition(versions[len(versions)-1].Number)
	return Page[Version]{Items: versions, Next: last.Cursor(scope)}, nil
}
