package httpapi_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/bill"
	"example.com/parley/internal/config"
	"example.com/parley/internal/httpapi"
)

// TestNew_QuietLogsASample sends requests with ids as API Gateway makes them, and compares the length
// of their lines with the bill's.
func TestNew_QuietLogsASample(t *testing.T) {
	t.Parallel()
	const requests, within = 16_000, 0.1
	logs, id := &bytes.Buffer{}, ""
	h := httpapi.New(httpapi.Options{
		Operations: httpapi.Reads(), Quiet: true, Log: slog.New(slog.NewJSONHandler(logs, nil)),
		Clock:     func() time.Time { return start },
		Subject:   func(*http.Request) string { return "" },
		RequestID: func(*http.Request) string { return id },
	})
	for n := range requests {
		id = fmt.Sprintf("JKJaX%06xHcESHA=", n*7919)
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/problems/conflict", nil))
	}
	lines := float64(strings.Count(logs.String(), `"route":"GET /problems/{type}","status":200,"ms":0,"sample":16}`))
	if want := requests / float64(config.SampleOf); math.Abs(lines-want) > within*want {
		t.Errorf("%v of %d requests are logged, want about %v", lines, requests, want)
	}
	const cloudWatchAdds = 26
	if length := float64(logs.Len())/lines + cloudWatchAdds; math.Abs(length-bill.RequestLineBytes) > within*bill.RequestLineBytes {
		t.Errorf("a line has %v bytes, and %v in the bill", length, bill.RequestLineBytes)
	}
}

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
		{"a fast document", "/docs", true, time.Millisecond, 0},
		{"a fast unknown path", "/nowhere", true, time.Millisecond, 0},
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
