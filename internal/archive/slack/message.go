package slack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/archive"
)

// message is the part of a record that an import uses.
type message struct {
	plain
	ThreadTS    string       `json:"thread_ts"` // the time of the root, also in the root
	ReplyCount  int          `json:"reply_count"`
	Edited      edited       `json:"edited"`
	Reactions   []reaction   `json:"reactions"`
	Attachments []attachment `json:"attachments"`
	File        *file        `json:"file"` // of older exports
	Files       []file       `json:"files"`
	BotID       string       `json:"bot_id"`
	BotProfile  botProfile   `json:"bot_profile"`
	Username    string       `json:"username"` // under which a program writes
}

// plain is the part of a record that a message requires.
type plain struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	User    string `json:"user"`
	Text    string `json:"text"`
	TS      string `json:"ts"`
}

// readMessage reads a record. If anything but the plain part cannot be read, it returns only that
// part and complete is false.
func readMessage(v jsontext.Value) (m message, complete bool, err error) {
	if json.Unmarshal(v, &m) == nil {
		return m, true, nil
	}
	m = message{}
	return m, false, json.Unmarshal(v, &m.plain)
}

// edited is the mark of a message that was edited. The export contains only the last text.
type edited struct {
	TS string `json:"ts"`
}

// The subtypes that are imported, in addition to messages without a subtype.
const (
	fileShare       = "file_share"
	botMessage      = "bot_message"
	meMessage       = "me_message"
	threadBroadcast = "thread_broadcast" // a reply that is also in the channel
	replyBroadcast  = "reply_broadcast"  // its name in older exports
)

// importable reports whether records of a subtype are imported.
func importable(subtype string) bool {
	switch subtype {
	case "", fileShare, botMessage, meMessage, threadBroadcast, replyBroadcast:
		return true
	}
	return false
}

// parse parses one record of the channel.
func (c channelReader) parse(v rawRecord) stamped {
	m, complete, err := readMessage(v.json)
	skip := func(reason archive.Reason, note string) stamped {
		r := archive.Record{Place: v.place, Skip: reason, Note: note}
		if n := m.reactionCount(); n > 0 {
			r.LeftOut = withMore(nil, OfSkipped, n)
		}
		return stamped{Record: r}
	}
	switch {
	case !utf8.Valid(v.json):
		return skip(archive.NotUTF8, "is not valid UTF-8")
	case err != nil:
		return skip(BadRecord, "is not a Slack message")
	case m.Type != "" && m.Type != "message":
		return skip(NotMessage, "")
	case !importable(m.Subtype):
		return skip(subtypeReason(m.Subtype))
	case m.User == "" && !m.byBot():
		return skip(NoUser, "has no user")
	}
	ts, ok := parseTS(m.TS)
	if !ok {
		return skip(archive.BadTime, "has no valid time")
	}
	leftOut := map[archive.Reason]int{}
	attached, rest := c.downloads.attached(m.allFiles(), leftOut)
	content := c.content(m, rest, leftOut)
	if reason, note := archive.CheckText(content.text); reason != "" && (content.text != "" || len(attached) == 0) {
		return skip(reason, note)
	}
	r := c.sender(m)
	r.Place, r.Room, r.Text, r.LeftOut = v.place, c.channel.room, content.text, content.leftOut
	r.Metadata, r.EditedAt, r.Files, r.NotFound = content.metadata, editedAt(m, ts), content.files, content.notFound
	if r.Attached = attached; len(attached) > 0 {
		linked := c.content(m, m.allFiles(), map[archive.Reason]int{})
		r.Linked = archive.Linked{Text: linked.text, Metadata: linked.metadata}
	}
	if content.former != content.text {
		r.Former = content.former
	}
	if !complete {
		r.LeftOut = map[archive.Reason]int{UnreadablePart: 1}
	}
	r.Tail = archive.NewTail("slack", firstOf(c.channel.ID, c.channel.Name), firstOf(m.User, m.BotID, m.Username), m.TS)
	r.Reactions, r.LeftOut = c.reactions(m, r.LeftOut)
	r.ShowInRoom = m.Subtype == threadBroadcast || m.Subtype == replyBroadcast
	r.Root = m.ThreadTS == m.TS || m.ThreadTS == "" && m.ReplyCount > 0
	return stamped{ts: ts, Record: r, added: !inFirstVersion(m), key: m.TS, thread: m.ThreadTS}
}

// inFirstVersion reports whether the first version of the import, which imported only people's
// texts, imported m. The times of such messages, which are part of their ids, must never change.
func inFirstVersion(m message) bool {
	return (m.Subtype == "" || m.Subtype == fileShare) && m.User != "" && m.Text != ""
}

// editedAt returns when m was last edited. If that time is invalid or before the message, editedAt
// returns the message's time: it was edited at an unknown time.
func editedAt(m message, sent time.Time) time.Time {
	if m.Edited.TS == "" {
		return time.Time{}
	}
	at, ok := parseTS(m.Edited.TS)
	if !ok || at.Before(sent) {
		at = sent
	}
	return at.Truncate(time.Millisecond)
}

// noteUnlisted returns a note for the first message of a user without an entry in users.json.
func (c channelReader) noteUnlisted(id string) string {
	if c.names.users[id] != "" || c.unlisted[id] {
		return ""
	}
	c.unlisted[id] = true
	return fmt.Sprintf("its user %.40q is not in %s and keeps this id", id, usersFile)
}

// subtypeReason returns the reason for a subtype that is not imported, and a note if the subtype is
// unknown.
func subtypeReason(s string) (archive.Reason, string) {
	if reason := archive.Reason(s); slices.Contains(subtypes(), reason) {
		return reason, ""
	}
	return OtherSubtype, fmt.Sprintf("has the subtype %.40q", s)
}

// parseTS parses a time in Slack's format, in seconds with a fraction. In older exports, the
// fraction is the number of the message within the second.
func parseTS(s string) (time.Time, bool) {
	const nanoDigits = 9
	whole, fraction, _ := strings.Cut(s, ".")
	sec, err := strconv.ParseUint(whole, 10, 40) // ValidTime is far stricter
	if err != nil || len(fraction) > nanoDigits {
		return time.Time{}, false
	}
	nanos, err := strconv.ParseUint(fraction+strings.Repeat("0", nanoDigits-len(fraction)), 10, 32)
	if err != nil {
		return time.Time{}, false
	}
	t := time.Unix(int64(sec), int64(nanos)).UTC()
	return t, archive.ValidTime(t)
}
