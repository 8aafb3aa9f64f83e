package table

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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

// auditUser is the only user id that equals the prefix of a room's audit key.
const auditUser = "r"

// auditPrefix begins the key of a person's audit. No other key begins with it and contains another
// "#".
const auditPrefix = "audit#"

// DeviceLogPK returns the partition key of the log of a device: user#device. For the user r it is
// u#r#device, since r#device is the key of a room.
func DeviceLogPK(user chat.UserID, device string) string {
	if user == auditUser {
		return PersonPK(user) + "#" + device
	}
	return string(user) + "#" + device
}

// PersonAuditPK returns the partition key of the audit of a person. The key of a room's is RoomPK.
func PersonAuditPK(person chat.UserID) string { return auditPrefix + PersonPK(person) }

// LogTime returns a time as the sort key of a log. Times before 1970 become 1970.
func LogTime(t time.Time) types.AttributeValue {
	micro := max(0, t.UnixMicro())
	return &types.AttributeValueMemberN{Value: fmt.Sprintf("%d.%06d", micro/1e6, micro%1e6)}
}

// LogTime reads the time of an entry of a log.
func (r *Reader) LogTime() time.Time {
	at, err := parseLogTime(r.Item[LogSK])
	r.Keep(err)
	return at
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
