package table

import (
	"fmt"
	"strings"

	"parley/internal/chat"
	"parley/internal/report"
)

// OpenReportsPK is the index partition of the open reports of all rooms.
const OpenReportsPK = "reports"

// ReportPrefix is the prefix of the sort keys of reports.
const ReportPrefix = "report#"

// RoomItemsPK returns the partition key of items of a room that are not read with the room itself.
func RoomItemsPK(room chat.RoomID) string { return "p#" + string(room) }

// ReportKey returns the primary key of a report.
func ReportKey(room chat.RoomID, id report.ID) Item {
	return Key(RoomItemsPK(room), ReportSK(id))
}

// ReportSK returns the sort key of a report.
func ReportSK(id report.ID) string {
	return ReportPrefix + id.Message.String() + "#" + string(id.Reporter)
}

// ReportIndexSK returns the index key of an open report: its time, and its place.
func ReportIndexSK(r report.Report) string { return TimeText(r.CreatedAt) + "#" + r.Place() }

// ReportPosition returns the position of an open report in the list of all.
func ReportPosition(r report.Report) chat.ListPosition {
	return chat.ListPosition{Sort: TimeText(r.CreatedAt), ID: r.Place()}
}

// ReportItem returns the item of an open report.
func ReportItem(r report.Report) Item {
	item := ReportKey(r.Room, r.ID)
	Stamp(item, ReportKind)
	item[attrReason], item[attrCreated] = Text(r.Reason), Number(r.CreatedAt.UnixMilli())
	item[IndexPK], item[IndexSK] = Text(OpenReportsPK), Text(ReportIndexSK(r))
	return item
}

// ReportResolution resolves an open report, which then leaves the index.
func ReportResolution(r report.Report) Update {
	return Update{
		Expression: "SET #at = :at, #by = :by REMOVE #pk, #sk",
		Condition:  "attribute_exists(PK) AND attribute_not_exists(#at)",
		Names:      map[string]string{"#at": attrResolved, "#by": attrResolvedBy, "#pk": IndexPK, "#sk": IndexSK},
		Values:     Item{":at": Number(r.ResolvedAt.UnixMilli()), ":by": Text(string(r.ResolvedBy))},
	}
}

// ParseReport reads a report, open or resolved.
func ParseReport(item Item) (report.Report, error) {
	r := Reader{Item: item}
	r.Expect(ReportKind)
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(PK), RoomItemsPK("")))
	r.Keep(err)
	id, err := report.ParseID(strings.Replace(strings.TrimPrefix(r.Text(SK), ReportPrefix), "#", "~", 1))
	r.Keep(err)
	out := report.Report{
		Room: room, ID: id, Reason: r.Text(attrReason), CreatedAt: r.OptionalTime(attrCreated),
		ResolvedAt: r.OptionalTime(attrResolved), ResolvedBy: chat.UserID(r.OptionalText(attrResolvedBy)),
	}
	if r.Err != nil {
		return report.Report{}, fmt.Errorf("report: %w", r.Err)
	}
	return out, nil
}
