// Package report stores which messages people have reported, for moderators and services. A report
// never holds the text of a message.
package report

import (
	"fmt"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
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

// openPK is the index partition of the open reports of all rooms.
const openPK = "reports"

// prefix begins the sort keys of reports, in the partition of their room's items.
const prefix = "report#"

// The attributes of a report.
const (
	attrReason     = "reason"
	attrCreated    = "createdAt"
	attrResolved   = "resolvedAt"
	attrResolvedBy = "resolvedBy"
)

// key returns the primary key of a report.
func key(room chat.RoomID, id ID) table.Item {
	return table.Key(table.RoomItemsPK(room), prefix+id.Message.String()+"#"+string(id.Reporter))
}

// position returns the position of an open report in the list of all rooms. The index key of the
// report is its Sort, "#" and its ID.
func (r Report) position() chat.ListPosition {
	return chat.ListPosition{Sort: table.TimeText(r.CreatedAt), ID: r.place()}
}

// Item returns the item of an open report.
func Item(r Report) table.Item {
	item, at := key(r.Room, r.ID), r.position()
	table.Stamp(item, table.ReportKind)
	item[attrReason], item[attrCreated] = table.Text(r.Reason), table.Number(r.CreatedAt.UnixMilli())
	item[table.IndexPK], item[table.IndexSK] = table.Text(openPK), table.Text(at.Sort+"#"+at.ID)
	return item
}

// resolution resolves an open report, which then leaves the index.
func resolution(r Report) table.Update {
	return table.Update{
		Expression: "SET #at = :at, #by = :by REMOVE #pk, #sk",
		Condition:  "attribute_exists(PK) AND attribute_not_exists(#at)",
		Names: map[string]string{
			"#at": attrResolved, "#by": attrResolvedBy, "#pk": table.IndexPK, "#sk": table.IndexSK,
		},
		Values: table.Item{":at": table.Number(r.ResolvedAt.UnixMilli()), ":by": table.Text(r.ResolvedBy)},
	}
}

// Parse reads a report, open or resolved.
func Parse(item table.Item) (Report, error) {
	r := table.Reader{Item: item}
	r.Expect(table.ReportKind)
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(table.PK), table.RoomItemsPK("")))
	r.Keep(err)
	id, err := ParseID(strings.Replace(strings.TrimPrefix(r.Text(table.SK), prefix), "#", "~", 1))
	r.Keep(err)
	out := Report{
		Room: room, ID: id, Reason: r.Text(attrReason), CreatedAt: r.OptionalTime(attrCreated),
		ResolvedAt: r.OptionalTime(attrResolved), ResolvedBy: chat.UserID(r.OptionalText(attrResolvedBy)),
	}
	if r.Err != nil {
		return Report{}, fmt.Errorf("report: %w", r.Err)
	}
	return out, nil
}
