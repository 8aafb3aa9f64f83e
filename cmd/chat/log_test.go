package main

import (
	"bytes"
	"strings"
	"syscall"
	"testing"
)

func TestServerLogger_TextOnATerminal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		level          string
		terminal, info bool
	}{
		{"warn", false, false}, {"info", false, true}, {"warn", true, false}, {"info", true, true},
	} {
		var b bytes.Buffer
		log, err := serverLogger(tt.level, &b, tt.terminal)
		if err != nil {
			t.Fatal(err)
		}
		log.Info("fine")
		log.Warn("slow")
		got := b.String()
		if isText := !strings.HasPrefix(got, "{"); isText != tt.terminal || strings.Contains(got, "fine") != tt.info || !strings.Contains(got, "slow") {
			t.Errorf("%+v: it logs\n%s", tt, got)
		}
	}
	if isTerminal(&bytes.Buffer{}) {
		t.Error("a buffer is a terminal")
	}
}

// TestServe_LogsRequestsIfAskedTo sends a request to a server started as by make run, and to one
// that logs requests.
func TestServe_LogsRequestsIfAskedTo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		flags []string
		want  bool
	}{{nil, false}, {[]string{"--verbose"}, true}} {
		s := serve(t, dataDir(t), tt.flags...)
		mustCall(t, 200, "GET", s.url+"/openapi.json", "", "")
		if err := s.end(t, syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if got := strings.Contains(s.logs.String(), "/openapi.json"); got != tt.want || !tt.want && s.logs.String() != "" {
			t.Errorf("with %q it logs\n%s", tt.flags, s.logs)
		}
	}
}
