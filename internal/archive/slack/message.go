package slack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"parley/internal/archive"
)

// message is the part of a record that an import uses.
type message struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	User    string `json:"user"`
	Text    string `json:"text"`
	TS      string `json:"ts"`
}

// fileShare is the only subtype that is imported: a message with a file.
const fileShare = "file_share"

// parse parses one record of the channel.
func (c channelReader) parse(v rawRecord) stamped {
	skip := func(reason archive.Reason, note string) stamped {
		return stamped{Record: archive.Record{Place: v.place, Skip: reason, Note: note}}
	}
	var m message
	switch {
	case !utf8.Valid(v.json):
		return skip(archive.NotUTF8, "is not valid UTF-8")
	case json.Unmarshal(v.json, &m) != nil:
		return skip(BadRecord, "is not a Slack message")
	case m.Type != "" && m.Type != "message":
		return skip(NotMessage, "")
	case m.Subtype != "" && m.Subtype != fileShare:
		return skip(subtypeReason(m.Subtype))
	case m.User == "":
		return skip(NoUser, "has no user")
	}
	ts, ok := parseTS(m.TS)
	if !ok {
		return skip(archive.BadTime, "has no valid time")
	}
	text := c.names.decode(m.Text)
	if reason, note := archive.CheckText(text); reason != "" {
		return skip(reason, note)
	}
	return stamped{ts: ts, Record: archive.Record{
		Place: v.place,
		Note:  c.noteUnlisted(m.User),
		Room:  c.channel.room,
		User:  archive.EscapeName(c.names.handle(m.User)),
		Text:  text,
		Tail:  archive.NewTail("slack", firstOf(c.channel.ID, c.channel.Name), m.User, m.TS),
	}}
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

// parseTS parses a time as Slack writes it, in seconds with a fraction. In older exports, the
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
