package activity_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
)

// fullLog is a log store that cannot store anything, because its table is gone.
type fullLog struct{ activity.Store }

func (fullLog) AppendLog(context.Context, activity.Log, activity.LogEntry) (activity.LogEntry, bool, error) {
	return activity.LogEntry{}, false, errors.New("the table is gone")
}

// TestRecorder_AuditLogsAFailure checks that a line that cannot be stored is in the server's log.
// The change that it describes was made.
func TestRecorder_AuditLogsAFailure(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := activity.NewRecorder(activity.RecorderOptions{
		Store: fullLog{}, Clock: func() time.Time { return time.Unix(0, 0) }, Random: strings.NewReader(strings.Repeat("x", 99)),
		Log: slog.New(slog.NewTextHandler(&out, nil)),
	})
	r.Audit(t.Context(), "seattle", chat.AuditEvent{By: "ada", Action: "member.banned", On: "bob"})
	for _, want := range []string{"level=ERROR", "room=seattle", "by=ada", "action=member.banned", "on=bob", "the table is gone"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out.String())
		}
	}
}
