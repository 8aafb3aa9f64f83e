package main

import (
	"bytes"
	"strings"
	"testing"

	"parley/internal/httpapi"
	"parley/internal/live"
	"parley/internal/socketapi"
)

// TestServerLogger_TextWithoutRequestsOnATerminal writes the lines of requests and deliveries, and another one.
func TestServerLogger_TextWithoutRequestsOnATerminal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		level          string
		terminal       bool
		text, requests bool
	}{
		{"info", false, false, true}, {"debug", false, false, true},
		{"info", true, true, false}, {"debug", true, true, true},
	} {
		var b bytes.Buffer
		log, err := serverLogger(tt.level, &b, tt.terminal)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{httpapi.RequestLine, socketapi.RequestLine, live.DeliveryLine} {
			log.With("request", "1").Info(line, "status", 200) //nolint:sloglint // the lines of other packages
		}
		log.Warn("slow")
		got, requests := b.String(), 0
		if tt.requests {
			requests = 3
		}
		if isText := !strings.HasPrefix(got, "{"); isText != tt.text || strings.Count(got, "200") != requests || !strings.Contains(got, "slow") {
			t.Errorf("%+v: it logs\n%s", tt, got)
		}
	}
	if isTerminal(&bytes.Buffer{}) {
		t.Error("a buffer is a terminal")
	}
}
