package activity_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/tabletest"
)

// TestRecorder_AuditLogsAFailure checks that a line that cannot be stored is in the server's log.
// The change that it describes was made.
func TestRecorder_AuditLogsAFailure(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := activity.NewRecorder(activity.RecorderOptions{
		Store: activity.NewStore(dynamo.NewLogTable(tabletest.Start(t, "chat"), "missing", nil)), Clock: func() time.Time { return time.Unix(0, 0) }, Random: strings.NewReader(strings.Repeat("x", 99)),
		Log: slog.New(slog.NewTextHandler(&out, nil)),
	})
	r.Audit(t.Context(), "seattle", chat.AuditEvent{By: "ada", Action: "member.banned", On: "bob"})
	for _, want := range []string{"level=ERROR", "room=seattle", "by=ada", "action=member.banned", "on=bob", "append to log", "ResourceNotFoundException"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out.String())
		}
	}
}
