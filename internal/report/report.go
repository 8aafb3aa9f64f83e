// Package report stores which messages people have reported, for moderators and services. A report
// never holds the text of a message.
package report

import (
	"strings"
	"time"

	"example.com/parley/internal/chat"
)

// MaxReason limits a reason in bytes. It is enough for a few lines.
const MaxReason = 1000

// ID identifies a report: a person reports a message once.
type ID struct {
	Message  chat.MessageID
	Reporter chat.UserID
}

// String returns the id as in the API: the message's id, ~, and the reporter.
func (id ID) String() string { return id.Message.String() + "~" + string(id.Reporter) }

// ParseID parses the result of String.
func ParseID(s string) (ID, error) {
	last := strings.LastIndexByte(s, '~')
	if last < 0 {
		return ID{}, chat.Invalidf("id", "must be a report's id: a message id, ~, and a user id")
	}
	message, err := chat.ParseMessageID(s[:last])
	if err != nil {
		return ID{}, err
	}
	reporter, err := chat.StoredUserID(s[last+1:])
	return ID{message, reporter}, chat.InField("id", err)
}

// Report is a person's report of a message.
type Report struct {
	Room      chat.RoomID
	ID        ID
	Reason    string
	CreatedAt time.Time
	// ResolvedAt and ResolvedBy are set once a moderator or a service has resolved the report.
	ResolvedAt time.Time
	ResolvedBy chat.UserID
}

// place identifies a report among all rooms' reports.
func (r Report) place() string { return string(r.Room) + "#" + r.ID.String() }

// parsePlace parses the result of place.
func parsePlace(s string) (chat.RoomID, ID, error) {
	before, after, _ := strings.Cut(s, "#")
	room, err := chat.ParseRoomID(before)
	if err != nil {
		return "", ID{}, err
	}
	id, err := ParseID(after)
	return room, id, err
}

// Open reports whether nobody has resolved the report.
func (r Report) Open() bool { return r.ResolvedAt.IsZero() }

// checkReason returns an Invalid error unless a reason is a few lines of text.
func checkReason(reason string) error {
	if len(reason) > MaxReason {
		return chat.Invalidf("reason", "must be at most %d bytes of UTF-8", MaxReason)
	}
	if err := chat.CheckShows("reason", reason); err != nil {
		return err
	}
	if err := chat.CheckLine("reason", strings.ReplaceAll(reason, "\n", " "), MaxReason); err != nil {
		return chat.Invalidf("reason", "must be valid UTF-8 without control characters other than line breaks")
	}
	return nil
}
