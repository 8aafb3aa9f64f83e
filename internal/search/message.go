package search

import (
	"regexp"
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

// docOf returns what the index knows of a message. No search finds a system message.
func docOf(m chat.Message) Doc {
	d := Doc{ID: m.ID, ReceivedAt: m.ReceivedAt}
	if m.Deleted() || m.System != nil {
		d.Features = deleted
		return d
	}
	d.Mentioned = m.Mentions.Users
	texts := []string{Fold(m.Text)}
	for _, a := range m.Attachments {
		texts = append(texts, Fold(a.Name))
	}
	d.Text = strings.Join(texts, "\n")
	if hasLink(texts[0]) {
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

// www begins an address without a scheme, and wwwHost is one from there on.
var (
	www     = Term{Text: "www."}
	wwwHost = regexp.MustCompile(`^www\.[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}]`)
)

// hasLink reports whether a folded text has what the page makes a link.
func hasLink(folded string) bool {
	if strings.Contains(folded, "https://") || strings.Contains(folded, "http://") {
		return true
	}
	for from := 0; ; from += len(www.Text) {
		at, _ := www.next(folded, from)
		if at < 0 {
			return false
		}
		within := at > 0 && strings.IndexByte("@._/-", folded[at-1]) >= 0 // another address
		if from = at; !within && wwwHost.MatchString(folded[at:]) {
			return true
		}
	}
}

// compare compares the positions of documents in their room.
func (d Doc) compare(e Doc) int {
	return chat.Position{At: d.ReceivedAt, ID: d.ID}.Compare(chat.Position{At: e.ReceivedAt, ID: e.ID})
}

// match reports whether a document matches the query, without regard to its room, and returns the
// steps that it took.
func (q Query) match(d Doc) (matches bool, steps int) {
	if d.Features&deleted != 0 || d.Features&q.Features != q.Features ||
		q.From != "" && d.ID.User != q.From ||
		q.Mentioned != "" && !slices.Contains(d.Mentioned, q.Mentioned) ||
		d.ReceivedAt.Before(q.Since) || !q.Until.IsZero() && !d.ReceivedAt.Before(q.Until) {
		return false, 0
	}
	for _, t := range q.Terms {
		at, took := t.next(d.Text, 0)
		if steps += took; at < 0 {
			return false, steps
		}
	}
	for _, t := range q.Without {
		at, took := t.next(d.Text, 0)
		if steps += took; at >= 0 {
			return false, steps
		}
	}
	return true, steps
}

// matchMessage is Match with the steps of a message that was just read.
func (q Query) matchMessage(m chat.Message) (matches bool, steps int) {
	d := docOf(m)
	matches, steps = q.match(d)
	return matches, steps + costOf(m) + foldCost*len(d.Text)
}

// costOf returns the steps of reading messages from the table.
func costOf(messages ...chat.Message) (steps int) {
	for _, m := range messages {
		steps += messageCost * m.PageBytes()
	}
	return steps
}

// marks returns the parts of a message's text and of its files' names that the query matches, and
// the steps that it took.
func (q Query) marks(m chat.Message) (text []Range, files [][]Range, steps int) {
	text, steps = highlights(m.Text, q.Terms)
	found := false
	for _, a := range m.Attachments {
		of, took := highlights(a.Name, q.Terms)
		files, found, steps = append(files, of), found || len(of) > 0, steps+took
	}
	if !found {
		files = nil
	}
	return text, files, steps
}
