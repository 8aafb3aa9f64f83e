package activity

import (
	"fmt"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

const (
	attrID     = "id"
	attrType   = "what"
	attrDetail = "detail"
	attrBy     = "by"
	attrOn     = "on"
)

// key returns the partition key of a log.
func (l Log) key() string {
	switch {
	case l.Room != "":
		return table.RoomPK(l.Room)
	case l.Person != "":
		return table.PersonAuditPK(l.Person)
	}
	return table.DeviceLogPK(l.User, string(l.Device))
}

// kind returns the kind of the entries of a log.
func (l Log) kind() table.Kind {
	if l.IsAudit() {
		return table.AuditKind
	}
	return table.EventKind
}

// item returns the item of an entry.
func (l Log) item(e LogEntry) table.Item {
	item := table.Item{
		table.LogPK: table.Text(l.key()), table.LogSK: table.LogTime(e.At),
		table.LogTTL: table.Number(e.Expires.Unix()),
		attrID:       table.Text(e.ID), attrType: table.Text(e.Type),
	}
	table.Stamp(item, l.kind())
	for name, value := range map[string]string{
		attrDetail: e.Detail, attrBy: string(e.By), attrOn: string(e.On), table.AttrVia: string(e.Via),
	} {
		if value != "" {
			item[name] = table.Text(value)
		}
	}
	return item
}

// parse reads an item that the method item made for a log of the same kind.
func (l Log) parse(item table.Item) (LogEntry, error) {
	r := table.Reader{Item: item}
	r.Expect(l.kind())
	e := LogEntry{
		At: r.LogTime(), ID: r.Text(attrID), Type: r.Text(attrType), Detail: r.OptionalText(attrDetail),
		By: chat.UserID(r.OptionalText(attrBy)), On: chat.UserID(r.OptionalText(attrOn)),
		Via:     chat.UserID(r.OptionalText(table.AttrVia)),
		Expires: time.Unix(r.Number(table.LogTTL), 0).UTC(),
	}
	if r.Err != nil {
		return LogEntry{}, fmt.Errorf("log item: %w", r.Err)
	}
	return e, nil
}
