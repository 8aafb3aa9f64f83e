package table

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
)

// The keys of the activity log, a table of its own since its sort key is a number:
//
//	item         device           at (a number)
//	event        amsg#phone       1535544000.123456
//	audit line   r#seattle        1535544000.123456
//	             audit#u#bob      1535544000.123456
//
// The number is Unix time in seconds, with microseconds. DynamoDB removes an item some time after
// the second in LogTTL.
const (
	LogPK  = "device"
	LogSK  = "at"
	LogTTL = "expires"
)

const (
	attrLogID     = "id"
	attrLogType   = "what"
	attrLogDetail = "detail"
	attrLogBy     = "by"
	attrLogOn     = "on"
)

// auditUser is the only user id that equals the prefix of a room's audit key.
const auditUser = "r"

// auditPrefix begins the key of a person's audit. No other key begins with it and contains another
// "#".
const auditPrefix = "audit#"

// LogKeyOf returns the partition key of a log: user#device for a device. For the user r it is
// u#r#device, since r#device is the key of a room.
func LogKeyOf(log activity.Log) string {
	switch {
	case log.Room != "":
		return RoomPK(log.Room)
	case log.Person != "":
		return auditPrefix + PersonPK(log.Person)
	case log.User == auditUser:
		return PersonPK(log.User) + "#" + string(log.Device)
	}
	return string(log.User) + "#" + string(log.Device)
}

// LogTime returns a time as the sort key of a log. Times before 1970 become 1970.
func LogTime(t time.Time) types.AttributeValue {
	micro := max(0, t.UnixMicro())
	return &types.AttributeValueMemberN{Value: fmt.Sprintf("%d.%06d", micro/1e6, micro%1e6)}
}

// LogItem writes an entry.
func LogItem(log activity.Log, e activity.LogEntry) Item {
	kind := EventKind
	if log.IsAudit() {
		kind = AuditKind
	}
	item := Item{
		LogPK: Text(LogKeyOf(log)), LogSK: LogTime(e.At), LogTTL: Number(e.Expires.Unix()),
		attrType: Text(kind), attrVersion: Number(schemaVersion),
		attrLogID: Text(e.ID), attrLogType: Text(e.Type),
	}
	for name, value := range map[string]string{
		attrLogDetail: e.Detail, attrLogBy: string(e.By), attrLogOn: string(e.On), attrVia: string(e.Via),
	} {
		if value != "" {
			item[name] = Text(value)
		}
	}
	return item
}

// ParseLogItem reads an item that LogItem wrote for the same kind of log.
func ParseLogItem(log activity.Log, item Item) (activity.LogEntry, error) {
	kind := EventKind
	if log.IsAudit() {
		kind = AuditKind
	}
	r := Reader{Item: item}
	r.Expect(kind)
	at, err := parseLogTime(item[LogSK])
	r.Keep(err)
	e := activity.LogEntry{
		At: at, ID: r.Text(attrLogID), Type: r.Text(attrLogType), Detail: r.OptionalText(attrLogDetail),
		By: chat.UserID(r.OptionalText(attrLogBy)), On: chat.UserID(r.OptionalText(attrLogOn)),
		Via:     chat.UserID(r.OptionalText(attrVia)),
		Expires: time.Unix(r.Number(LogTTL), 0).UTC(),
	}
	if r.Err != nil {
		return activity.LogEntry{}, fmt.Errorf("log item: %w", r.Err)
	}
	return e, nil
}

// parseLogTime reads a number as DynamoDB returns it: without trailing zeros.
func parseLogTime(v types.AttributeValue) (time.Time, error) {
	n, ok := v.(*types.AttributeValueMemberN)
	if !ok {
		return time.Time{}, fmt.Errorf("%w: %s is not a number", errKey, LogSK)
	}
	whole, fraction, _ := strings.Cut(n.Value, ".")
	if len(fraction) > 6 {
		return time.Time{}, fmt.Errorf("%w: time %q", errKey, n.Value)
	}
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || seconds < 0 {
		return time.Time{}, fmt.Errorf("%w: time %q", errKey, n.Value)
	}
	micro, err := strconv.ParseUint(fraction+"000000"[len(fraction):], 10, 32)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: time %q", errKey, n.Value)
	}
	t := time.Unix(seconds, int64(micro)*1000).UTC()
	if t.Year() > lastYear {
		return time.Time{}, fmt.Errorf("%w: time %q", errKey, n.Value)
	}
	return t, nil
}
