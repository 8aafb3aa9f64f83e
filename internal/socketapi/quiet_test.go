package socketapi_test

import (
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/config"
)

// TestHandle_QuietLogsFailedAndSlowRequests counts the lines of requests at info, the level of prod.
func TestHandle_QuietLogsFailedAndSlowRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.connect("amsg")
	w.handler.Quiet = true
	lines := func() int {
		n := 0
		for line := range strings.Lines(w.logs.String()) {
			if strings.Contains(line, `"msg":"request"`) && strings.Contains(line, `"level":"INFO"`) {
				n++
			}
		}
		w.logs.Reset()
		return n
	}
	lines()
	c.send(sync1)
	if n := lines(); n != 0 {
		t.Errorf("a request that succeeds immediately has %d lines", n)
	}
	clock := w.handler.Clock
	var looks time.Duration
	w.handler.Clock = func() time.Time { looks++; return clock().Add(looks * config.SlowRequest) }
	c.send(sync1)
	if n := lines(); n != 1 {
		t.Errorf("a slow request has %d lines", n)
	}
	w.handler.Clock, w.handler.Subscriptions = clock, nil
	c.send(sync1)
	if n := lines(); n != 1 {
		t.Errorf("a failure has %d lines", n)
	}
}
