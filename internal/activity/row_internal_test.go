package activity

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/table"
)

func TestLogItem_ReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		log := Log{User: "ada", Device: "phone"}
		switch rapid.IntRange(0, 2).Draw(t, "audit") {
		case 1:
			log = Log{Room: "seattle"}
		case 2:
			log = Log{Person: "bob"}
		}
		want := LogEntry{
			At: time.UnixMicro(rapid.Int64Range(0, 1<<52).Draw(t, "at")).UTC(), ID: "id", Type: "error",
			Detail: rapid.String().Draw(t, "detail"), By: "ada",
			Expires: time.Unix(rapid.Int64Range(0, 1<<40).Draw(t, "expires"), 0).UTC(),
		}
		got, err := log.parse(log.item(want))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatal(err, diff)
		}
	})
}

func FuzzParseLogTime(f *testing.F) {
	for _, n := range []string{"0", "1535544000", "1535544000.1", "1535544000.123456", "1.2.3", "-1", "1e9", ".5", "1.+5", "100000000000000", "253402300799.999999"} {
		f.Add(n)
	}
	log := Log{User: "ada", Device: "phone"}
	f.Fuzz(func(t *testing.T, n string) {
		item := log.item(LogEntry{ID: "id", Type: "error"})
		item[table.LogSK] = &types.AttributeValueMemberN{Value: n}
		e, err := log.parse(item)
		if err != nil {
			return
		}
		item[table.LogSK] = table.LogTime(e.At)
		again, err := log.parse(item)
		if err != nil || !again.At.Equal(e.At) {
			t.Errorf("%q is read as %v, and then as %v, %v", n, e.At, again.At, err)
		}
	})
}
