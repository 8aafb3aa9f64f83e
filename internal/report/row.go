package report

import (
	"fmt"
	"strings"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

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
