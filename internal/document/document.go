package document

import (
	"strings"
	"time"

	"parley/internal/chat"
	"parley/internal/policy"
)

// ID names a document within its room: [a-z0-9] and inner "-", 1 to 64 bytes.
type ID string

// PartID names a part within its document, in the same form.
type PartID string

// ParseID accepts what a client calls a document.
func ParseID(s string) (ID, error) {
	return ID(s), checkSlug("doc", s, MaxDocumentID)
}

// ParsePartID accepts what a client calls a part.
func ParsePartID(s string) (PartID, error) {
	return PartID(s), checkSlug("part", s, MaxDocumentID)
}

// checkSlug accepts [a-z0-9] and inner "-".
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

// Document is something a room keeps in versions: its rules, an agenda, a charter. Its
// contents are its parts.
type Document struct {
	Room      chat.RoomID
	ID        ID
	Title     string
	CreatedBy chat.UserID
	CreatedAt time.Time
	// Allowed says who may read and write it. It is unset in lists.
	Allowed policy.Document
}

// Part is one version of a part of a document. The versions of a part count
// from 1, apart from those of other parts, and never change.
type Part struct {
	Room     chat.RoomID
	Document ID
	ID       PartID
	Version  int
	Text     string // 1 byte to MaxText
	SavedBy  chat.UserID
	SavedAt  time.Time
}

// PageBytes is how many bytes p takes in a page, against MaxPageBytes.
func (p Part) PageBytes() int { return chat.Message{Text: p.Text}.PageBytes() }

// isRetryOf tells whether kept is what a save of p has left behind: the
// answer was lost, and p is its retry.
func (p Part) isRetryOf(kept Part) bool {
	return kept.Version == p.Version && kept.SavedBy == p.SavedBy && kept.Text == p.Text
}

// Draft is what a caller says of a document; nil leaves it as it is, or
// to its default.
type Draft struct {
	Title       *string          // default: the id
	Read, Write *policy.Audience // default: as the room
}

func (d Draft) validate() error {
	if d.Title == nil {
		return nil
	}
	if strings.TrimSpace(*d.Title) == "" {
		return chat.Invalidf("title", "must not be empty or blank")
	}
	return chat.CheckLine("title", *d.Title, chat.MaxName)
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
