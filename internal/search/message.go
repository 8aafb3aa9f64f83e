package search

import (
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/chat"
)

// Doc is what the index knows of a message.
type Doc struct {
	ID         chat.MessageID
	ReceivedAt time.Time // to the millisecond, in UTC
	Features   Feature
	Mentioned  []chat.UserID
	// Text is the folded text. The folded names of files follow, each after a newline, which no
	// folded text contains. A deleted message has none.
	Text string
}

// docOf returns what the index knows of a message.
func docOf(m chat.Message) Doc {
	d := Doc{ID: m.ID, ReceivedAt: m.ReceivedAt}
	if m.Deleted() {
		d.Features = deleted
		return d
	}
	d.Mentioned = m.Mentions.Users
	d.Text = Fold(m.Text)
	for _, a := range m.Attachments {
		d.Text += "\n" + Fold(a.Name)
	}
	if strings.Contains(m.Text, "https://") || strings.Contains(m.Text, "http://") {
		d.Features |= HasLink
	}
	if len(m.Attachments) > 0 {
		d.Features |= HasFile
	}
	if len(m.Tally.Reactions) > 0 {
		d.Features |= HasReaction
	}
	if m.IsReply() || m.Tally.Replies.Count > 0 {
		d.Features |= InThread
	}
	return d
}

// position returns the document's position in its room.
func (d Doc) position() chat.Position { return chat.Position{At: d.ReceivedAt, ID: d.ID} }

// Match reports whether a message matches the query, without regard to its room.
func (q Query) Match(m chat.Message) bool { return q.match(docOf(m)) }

func (q Query) match(d Doc) bool {
	return d.Features&deleted == 0 && d.Features&q.Features == q.Features &&
		(q.From == "" || d.ID.User == q.From) &&
		(q.Mentioned == "" || slices.Contains(d.Mentioned, q.Mentioned)) &&
		!d.ReceivedAt.Before(q.Since) && (q.Until.IsZero() || d.ReceivedAt.Before(q.Until)) &&
		!slices.ContainsFunc(q.Terms, func(t Term) bool { return !t.In(d.Text) }) &&
		!slices.ContainsFunc(q.Without, func(t Term) bool { return t.In(d.Text) })
}

// marks returns the parts of a message's text and of its files' names that the query matches.
func (q Query) marks(m chat.Message) (text []Range, files [][]Range) {
	text = Highlights(m.Text, q.Terms)
	found := false
	for _, a := range m.Attachments {
		of := Highlights(a.Name, q.Terms)
		files, found = append(files, of), found || len(of) > 0
	}
	if !found {
		files = nil
	}
	return text, files
}
