package table_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/table"
)

func TestLogKeys_MatchTheChart(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"amsg#phone":  table.DeviceLogPK("amsg", "phone"),
		"u#r#phone":   table.DeviceLogPK("r", "phone"), // r#phone is the key of a room
		"audit#u#bob": table.PersonAuditPK("bob"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	at := time.Unix(1_535_544_000, 123_456_789)
	if got := table.LogTime(at).(*types.AttributeValueMemberN).Value; got != "1535544000.123456" {
		t.Errorf("LogTime = %s", got)
	}
}
