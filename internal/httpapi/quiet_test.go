package httpapi_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/config"
	"example.com/parley/internal/httpapi"
)

// TestNew_QuietLogsFailedAndSlowRequests sends requests to handlers whose clock advances with
// every reading. A handler without services fails.
func TestNew_QuietLogsFailedAndSlowRequests(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, path string
		quiet      bool
		took       time.Duration
		lines      int
	}{
		{"a document at once", "/docs", true, time.Millisecond, 0},
		{"an unknown path at once", "/nowhere", true, time.Millisecond, 0},
		{"a slow document", "/docs", true, config.SlowRequest, 1},
		{"a failure", "/rooms", true, time.Millisecond, 1},
		{"a document on a laptop", "/docs", false, time.Millisecond, 1},
	} {
		logs, now := &bytes.Buffer{}, start
		h := httpapi.New(httpapi.Options{
			Operations: httpapi.Reads(), Quiet: tt.quiet, Log: slog.New(slog.NewJSONHandler(logs, nil)),
			Clock:   func() time.Time { now = now.Add(tt.took); return now },
			Subject: func(*http.Request) string { return "ann" },
		})
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, tt.path, nil))
		if n := strings.Count(logs.String(), `"msg":"request"`); n != tt.lines {
			t.Errorf("%s: %d lines, want %d:\n%s", tt.name, n, tt.lines, logs)
		}
	}
}
