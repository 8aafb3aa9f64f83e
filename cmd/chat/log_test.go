package main

import (
	"bytes"
	"strings"
	"testing"

	"parley/internal/httpapi"
)

// TestServerLogger_TextWithoutRequestsOnATerminal writes the line of a request and another one.
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
		const line = httpapi.RequestLine
		log.With("request", "1").Info(line, "status", 200)
		log.Warn("slow")
		got := b.String()
		if isText := !strings.HasPrefix(got, "{"); isText != tt.text || strings.Contains(got, "200") != tt.requests || !strings.Contains(got, "slow") {
			t.Errorf("%+v: it logs\n%s", tt, got)
		}
	}
	if isTerminal(&bytes.Buffer{}) {
		t.Error("a buffer is a terminal")
	}
}
