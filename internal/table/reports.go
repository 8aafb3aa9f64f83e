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
func ReportIndexSK(r report.Report) string { return timeText(r.CreatedAt) + "#" + r.Place() }

// ReportPosition returns the position of an open report in the list of all.
func ReportPosition(r report.Report) chat.ListPosition {
	return chat.ListPosition{Sort: timeText(r.CreatedAt), ID: r.Place()}
}

// ReportItem returns the item of an open report.
func ReportItem(r report.Report) Item {
	item := ReportKey(r.Room, r.ID)
	item[attrType], item[attrVersion] = str(ReportKind), number(schemaVersion)
	item[attrReason], item[attrCreated] = str(r.Reason), number(r.CreatedAt.UnixMilli())
	item[IndexPK], item[IndexSK] = str(OpenReportsPK), str(ReportIndexSK(r))
	return item
}

// ReportResolution resolves an open report, which then leaves the index.
func ReportResolution(r report.Report) Update {
	return Update{
		Expression: "SET #at = :at, #by = :by REMOVE #pk, #sk",
		Condition:  "attribute_exists(PK) AND attribute_not_exists(#at)",
		Names:      map[string]string{"#at": attrResolved, "#by": attrResolvedBy, "#pk": IndexPK, "#sk": IndexSK},
		Values:     Item{":at": number(r.ResolvedAt.UnixMilli()), ":by": str(string(r.ResolvedBy))},
	}
}

// ParseReport reads a report, open or resolved.
func ParseReport(item Item) (report.Report, error) {
	r := reader{item: item}
	r.expect(ReportKind)
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.str(PK), RoomItemsPK("")))
	r.keep(err)
	id, err := report.ParseID(strings.Replace(strings.TrimPrefix(r.str(SK), ReportPrefix), "#", "~", 1))
	r.keep(err)
	out := report.Report{
		Room: room, ID: id, Reason: r.str(attrReason), CreatedAt: r.optionalTime(attrCreated),
		ResolvedAt: r.optionalTime(attrResolved), ResolvedBy: chat.UserID(r.optionalStr(attrResolvedBy)),
	}
	if r.err != nil {
		return report.Report{}, fmt.Errorf("report: %w", r.err)
	}
	return out, nil
}
