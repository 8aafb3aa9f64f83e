package slack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/slacktext"
)

// message is the part of a record that an import uses.
type message struct {
	plain
	Edited      edited                 `json:"edited"`
	Reactions   []reaction             `json:"reactions"`
	Attachments []slacktext.Attachment `json:"attachments"`
	Blocks      []slacktext.Block      `json:"blocks"`
	File        *file                  `json:"file"` // of older exports
	Files       []file                 `json:"files"`
	BotProfile  botProfile             `json:"bot_profile"`
}

// plain is the part of a record that a message requires.
type plain struct {
	Type       string  `json:"type"`
	Subtype    string  `json:"subtype"`
	User       string  `json:"user"`
	Text       string  `json:"text"`
	TS         loose   `json:"ts"`
	ThreadTS   loose   `json:"thread_ts"`      // the time of the root, also in the root
	ParentUser loose   `json:"parent_user_id"` // the root's user
	BotID      loose   `json:"bot_id"`
	Username   loose   `json:"username"` // under which a program writes
	Comment    comment `json:"comment"`  // of a file
}

// loose is a text that some tools write as a number. Anything else is as if it were absent.
type loose string

// UnmarshalJSON implements json.Unmarshaler.
func (l *loose) UnmarshalJSON(v []byte) error {
	switch jsontext.Value(v).Kind() {
	case '"':
		return json.Unmarshal(v, (*string)(l), slacktext.Lenient())
	case '0':
		*l = loose(v)
	}
	return nil
}

// comment is a comment of a file in older exports.
type comment struct {
	User string `json:"user"`
	Text string `json:"comment"`
}

// sentBy returns m as a message of the person who wrote it: a comment of a file is a person's.
func (m message) sentBy() message {
	if m.Subtype == fileComment {
		m.User = slacktext.First(m.Comment.User, m.User)
		m.Text = slacktext.First(m.Comment.Text, m.Text)
		m.File, m.Files = nil, nil // which belong to the message that shared them
	}
	return m
}

// readMessage reads a record. If a part of it cannot be read, it returns the others and complete
// is false.
func readMessage(v jsontext.Value) (m message, complete bool, err error) {
	if json.Unmarshal(v, &m, slacktext.Lenient()) == nil {
		return m.sentBy(), true, nil
	}
	m = message{}
	if err = json.Unmarshal(v, &m.plain, slacktext.Lenient()); err != nil {
		return m, false, err
	}
	var parts map[string]jsontext.Value
	_ = json.Unmarshal(v, &parts, slacktext.Lenient()) // it is an object
	m.Reactions = slacktext.ReadEach[reaction](parts["reactions"])
	m.Attachments = slacktext.ReadEach[slacktext.Attachment](parts["attachments"])
	m.Blocks, m.Files = slacktext.ReadEach[slacktext.Block](parts["blocks"]), slacktext.ReadEach[file](parts["files"])
	_ = json.Unmarshal(parts["edited"], &m.Edited, slacktext.Lenient()) // at an unknown time then
	return m.sentBy(), false, nil
}

// edited is the mark of a message that was edited. The export contains only the last text.
type edited struct {
	TS loose `json:"ts"`
}

// The subtypes that are imported, in addition to messages without a subtype.
const (
	fileShare       = "file_share"
	botMessage      = "bot_message"
	meMessage       = "me_message"
	threadBroadcast = "thread_broadcast" // a reply that is also in the channel
	replyBroadcast  = "reply_broadcast"  // its name in older exports
	fileComment     = "file_comment"
)

// importable reports whether records of a subtype are imported.
func importable(subtype string) bool {
	switch subtype {
	case "", fileShare, botMessage, meMessage, threadBroadcast, replyBroadcast, fileComment:
		return true
	}
	return false
}

// parse parses one record of the channel.
func (c channelReader) parse(v rawRecord) stamped {
	m, complete, err := readMessage(v.json)
	ts, timed := parseTS(m.TS)
	if !timed {
		ts = time.Time{}
	}
	skip := func(reason archive.Reason, note string) stamped {
		r := archive.Record{Place: v.place, Skip: reason, Note: note}
		if n := m.reactionCount(); n > 0 {
			r.LeftOut = withMore(nil, OfSkipped, n)
		}
		return stamped{Record: r, ts: ts}
	}
	switch {
	case err != nil:
		return skip(BadRecord, "is not a Slack message")
	case m.Type != "" && m.Type != "message":
		return skip(NotMessage, "")
	case !importable(m.Subtype):
		return skip(subtypeReason(m.Subtype))
	case m.User == "" && !m.byBot():
		return skip(NoUser, "has no user")
	case !timed:
		return skip(archive.BadTime, "has no valid time")
	}
	leftOut := map[archive.Reason]int{}
	attached, rest := c.downloads.attached(m.allFiles(), leftOut)
	content := c.content(m, rest, leftOut)
	if _, wanted := c.roots[ts.UnixNano()]; wanted && content.text == "" && len(attached) == 0 && len(rest) > 0 {
		content.text = lostFile
	}
	if reason, note := archive.CheckText(content.text); reason != "" && (content.text != "" || len(attached) == 0) {
		return skip(reason, note)
	}
	r := c.sender(m)
	r.Place, r.Room, r.Text, r.LeftOut = v.place, c.channel.room, content.text, content.leftOut
	r.Metadata, r.EditedAt, r.Files, r.NotFound = content.metadata, editedAt(m, ts), content.files, content.notFound
	r.Attached, r.Mentions = attached, c.mentions(m)
	if !complete {
		r.LeftOut = withMore(r.LeftOut, UnreadablePart, 1)
	}
	r.At, r.Tail = millisecond(ts), c.tail(ts)
	r.Reactions, r.LeftOut = c.reactions(m, r.LeftOut)
	r.ShowInRoom = m.Subtype == threadBroadcast || m.Subtype == replyBroadcast
	thread, _ := parseTS(m.ThreadTS)
	if m.ThreadTS == "" || thread.Equal(ts) {
		thread = time.Time{}
	}
	return stamped{ts: ts, thread: thread, Record: r}
}

// lostFile is the text of the first message of a thread that was only a file, which is gone.
const lostFile = "a file that is no longer available"

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
	if c.names.Users[id] != "" || c.unlisted[id] {
		return ""
	}
	c.unlisted[id] = true
	return fmt.Sprintf("its user %.40q is not in %s", id, usersFile)
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
func parseTS[S ~string](s S) (time.Time, bool) {
	const nanoDigits = 9
	whole, fraction, _ := strings.Cut(string(s), ".")
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
