// Package document stores the documents of rooms: their metadata, permissions and parts. Every
// version of a part is stored.
package document

import (
	"cmp"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// MaxDocumentID limits the ids of documents and parts to the length of room ids.
const MaxDocumentID = 64

// ID identifies a document within its room: [a-z0-9] and inner "-", 1 to 64 bytes.
type ID string

// PartID identifies a part within its document, in the same format.
type PartID string

// ParseID parses the id of a document.
func ParseID(s string) (ID, error) {
	return ID(s), checkSlug("doc", s, MaxDocumentID)
}

// ParsePartID parses the id of a part.
func ParsePartID(s string) (PartID, error) {
	return PartID(s), checkSlug("part", s, MaxDocumentID)
}

// checkSlug returns an error unless s consists of [a-z0-9] and inner "-".
func checkSlug(field, s string, most int) error {
	if s == "" || len(s) > most {
		return chat.Invalidf(field, "must be 1 to %d bytes long", most)
	}
	for i := range len(s) {
		if c := s[i]; !chat.LowerAlnum(c) && c != '-' {
			return chat.Invalidf(field, "must contain only a-z, 0-9 and -")
		}
	}
	if s[0] == '-' || s[len(s)-1] == '-' {
		return chat.Invalidf(field, "must not begin or end with -")
	}
	return nil
}

// Document is a versioned text of a room, such as its rules, an agenda or a charter. Its contents
// are in its parts.
type Document struct {
	Room      chat.RoomID
	ID        ID
	Title     string
	CreatedBy chat.UserID
	CreatedAt time.Time
	// Allowed defines who may read and write the document. It is not set in lists.
	Allowed policy.Document
}

// Part is one version of a part of a document. The versions of each part count from 1 and never
// change.
type Part struct {
	Room     chat.RoomID
	Document ID
	ID       PartID
	Version  int
	Text     string // 1 byte to MaxText
	SavedBy  chat.UserID
	SavedAt  time.Time
}

// PageBytes returns the number of bytes of p that count against MaxPageBytes.
func (p Part) PageBytes() int { return chat.Message{Text: p.Text}.PageBytes() }

// isRetryOf reports whether stored is the result of an earlier save of p whose response was lost.
func (p Part) isRetryOf(stored Part) bool {
	return stored.Version == p.Version && stored.SavedBy == p.SavedBy && stored.Text == p.Text
}

// Draft holds the properties that a caller gives a document. A nil field keeps the current value,
// or the default for a new document.
type Draft struct {
	Title       *string          // default: the id
	Read, Write *policy.Audience // default: AsRoom
}

// whole returns the draft with the default of every value that it leaves out, for replacing those
// of a document.
func (d Draft) whole(id ID) Draft {
	d.Title = cmp.Or(d.Title, new(string(id)))
	d.Read, d.Write = cmp.Or(d.Read, new(policy.AsRoom)), cmp.Or(d.Write, new(policy.AsRoom))
	return d
}

func (d Draft) validate() error {
	if d.Title == nil {
		return nil
	}
	return cmp.Or(chat.CheckShows("title", *d.Title), chat.CheckLine("title", *d.Title, chat.MaxName))
}

func (d Draft) applyTo(doc Document) Document {
	if d.Title != nil {
		doc.Title = *d.Title
	}
	if d.Read != nil {
		doc.Allowed.Read = *d.Read
	}
	if d.Write != nil {
		doc.Allowed.Write = *d.Write
	}
	return doc
}
