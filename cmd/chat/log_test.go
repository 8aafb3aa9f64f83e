package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
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

// TestServerLogger_CanceledWorkIsNoError lowers only lines about the cancellation of their own
// context.
func TestServerLogger_CanceledWorkIsNoError(t *testing.T) {
	t.Parallel()
	live := t.Context()
	canceled, cancel := context.WithCancel(live)
	cancel()
	late, end := context.WithTimeout(live, 0)
	defer end()
	wrapped := fmt.Errorf("query: %w", context.Canceled)
	for _, tt := range []struct {
		ctx   context.Context
		value any
		want  slog.Level
	}{
		{canceled, errors.Join(errors.New("x"), wrapped), slog.LevelInfo}, {canceled, wrapped.Error(), slog.LevelInfo},
		{canceled, errors.New("x"), slog.LevelError}, {live, wrapped, slog.LevelError}, {late, context.DeadlineExceeded, slog.LevelError},
	} {
		for _, terminal := range []bool{false, true} {
			for level, logged := range map[string]bool{"warn": tt.want > slog.LevelInfo, "info": true} {
				var b bytes.Buffer
				log, err := serverLogger(level, &b, terminal)
				if err != nil {
					t.Fatal(err)
				}
				log.With("function", "feed").WithGroup("of").ErrorContext(tt.ctx, "failed", "error", tt.value)
				if got := b.String(); strings.Contains(got, "failed") != logged || logged && !strings.Contains(got, tt.want.String()) {
					t.Errorf("at %s, %v, %v: it logs %q", level, tt.ctx.Err(), tt.value, got)
				}
			}
		}
	}
}

// TestServerLogger_InterruptedPartsLogNoError cancels a sweep of the index and a search, as a server
// that stops and a client that leaves do.
func TestServerLogger_InterruptedPartsLogNoError(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	tabletest.Create(t, dynamo.LocalClient(endpoint), localTable)
	var b lockedBuffer
	log, err := serverLogger("warn", &b, false)
	if err != nil {
		t.Fatal(err)
	}
	c := &serveCmd{data: data{Data: t.TempDir()}, SendRate: 10}
	c.disk = &diskWatch{log: log, folder: c.Data}
	c.files = c.openFiles()
	if _, err := c.files.client.Write(t.Context(), "_search/gone/block", []byte("a block"), ""); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.function(log, endpoint, httpapi.Search).Search().Sweep(ctx); err == nil {
		t.Error("a canceled sweep ends without an error")
	}
	verifier, keySet, err := c.tokens(log)
	if err != nil {
		t.Fatal(err)
	}
	api, err := c.api(log, endpoint, verifier, keySet)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/search?q=eggs", nil)
	r.Header.Set("Authorization", "Bearer "+tokenOf(t, c.Data, "amsg"))
	answer := httptest.NewRecorder()
	api.ServeHTTP(answer, r)
	if got := b.String(); answer.Code != http.StatusServiceUnavailable || got != "" {
		t.Errorf("the request is answered with %d, and they log\n%s", answer.Code, got)
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
