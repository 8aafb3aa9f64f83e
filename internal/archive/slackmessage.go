package archive

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// slackMessage is what is read of a record.
type slackMessage struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	User    string `json:"user"`
	Text    string `json:"text"`
	TS      string `json:"ts"`
}

// fileShare is the one subtype that is imported: a message that came with a file.
const fileShare = "file_share"

// parse reads one record of the channel.
func (d slackDays) parse(v slackValueAt) stamped {
	skip := func(why Reason, note string) stamped {
		return stamped{Record: Record{Place: v.place, Skip: why, Note: note}}
	}
	var m slackMessage
	switch {
	case !utf8.Valid(v.json):
		return skip(NotUTF8, "is not valid UTF-8")
	case json.Unmarshal(v.json, &m) != nil:
		return skip(BadRecord, "is no Slack message")
	case m.Type != "" && m.Type != "message":
		return skip(NotMessage, "")
	case m.Subtype != "" && m.Subtype != fileShare:
		return skip(knownSubtype(m.Subtype))
	case m.User == "":
		return skip(NoUser, "has no user")
	}
	ts, ok := parseTS(m.TS)
	if !ok {
		return skip(BadTime, "has no time that can be read")
	}
	text := d.names.decode(m.Text)
	if why, note := checkText(text); why != "" {
		return skip(why, note)
	}
	return stamped{ts: ts, Record: Record{
		Place: v.place,
		Note:  d.tellUnknown(m.User),
		Room:  d.channel.room,
		User:  EscapeName(d.names.handle(m.User)),
		Text:  text,
		Tail:  tail("slack", firstOf(d.channel.ID, d.channel.Name), m.User, m.TS),
	}}
}

// tellUnknown tells once of each user without an entry.
func (d slackDays) tellUnknown(id string) string {
	if d.names.users[id] != "" || d.unknown[id] {
		return ""
	}
	d.unknown[id] = true
	return fmt.Sprintf("its user %.40q is not in %s and keeps this id", id, usersFile)
}

func knownSubtype(s string) (Reason, string) {
	if slices.Contains(subtypes(), Reason(s)) {
		return Reason(s), ""
	}
	return OtherSubtype, fmt.Sprintf("has the subtype %.40q", s)
}

// parseTS reads seconds and their fraction as Slack writes them: a message's
// time and, in older exports, its number within the second.
func parseTS(s string) (time.Time, bool) {
	const nanoDigits = 9
	whole, fraction, _ := strings.Cut(s, ".")
	sec, err := strconv.ParseUint(whole, 10, 40) // validTime is far stricter
	if err != nil || len(fraction) > nanoDigits {
		return time.Time{}, false
	}
	nanos, err := strconv.ParseUint(fraction+strings.Repeat("0", nanoDigits-len(fraction)), 10, 32)
	if err != nil {
		return time.Time{}, false
	}
	t := time.Unix(int64(sec), int64(nanos)).UTC()
	return t, validTime(t)
}
