package main

import (
	"regexp"
	"strings"
	"testing"
)

// benchRun runs a short load as a user of a data folder.
func benchRun(t *testing.T, dir, url string, args ...string) (out string, failed bool) {
	t.Helper()
	cmd := command(t, append([]string{"bench", "--url", url, "--data", dir, "--as", "ann", "--posts", "20", "--pages", "10", "--for", "1s"}, args...)...)
	text, err := cmd.CombinedOutput()
	return string(text), err != nil
}

var benchTable = regexp.MustCompile(`(?s)^requests +answered .*\nposts +20 +0 .*\npages +10 +0 .*\nall 20 acknowledged messages are in the room once\n$`)

// TestBench_VerifiesALoad runs a load as one person and as several. The room is deleted.
func TestBench_VerifiesALoad(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "--send-rate", "1000")
	for _, args := range [][]string{nil, {"--people", "3"}} {
		if out, failed := benchRun(t, dir, s.url, args...); failed || !benchTable.MatchString(out) {
			t.Errorf("%v: failed %v\n%s", args, failed, out)
		}
	}
	for _, user := range []string{"ann", "ann-1", "ann-3"} {
		if rooms := mustCall(t, 200, "GET", s.url+"/people/me/rooms", tokenOf(t, dir, user), ""); strings.Contains(rooms, `"bench-`) {
			t.Errorf("%s is still in a room: %s", user, rooms)
		}
	}
}

// TestBench_NamesWhatIsWrong puts a proxy that corrupts one thing in front of a server.
func TestBench_NamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "--send-rate", "1000")
	first := func(change func(all []any) []any) func(map[string]any) {
		return func(b map[string]any) {
			if all, ok := b["items"].([]any); ok && len(all) > 0 {
				b["items"] = change(all)
			}
		}
	}
	for _, tt := range []struct {
		name   string
		broken breaker
		says   string
	}{
		{"a lost message", breaker{answer: edit("GET", "/messages", first(func(all []any) []any { return all[1:] }))}, "of 20 acknowledged messages 1 are missing"},
		{"a repeated message", breaker{answer: edit("GET", "/messages", first(func(all []any) []any { return append(all, all[0]) }))}, "1 are duplicated"},
		{"an unknown message", breaker{answer: edit("GET", "/messages", first(func(all []any) []any { return append(all, map[string]any{"id": "x"}) }))}, "1 are unknown"},
		{"no pages", breaker{refuse: "GET"}, `503: "out of order"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if out, failed := benchRun(t, dir, tt.broken.start(t, s.url)); !failed || !strings.Contains(out, tt.says) {
				t.Errorf("failed %v, want %q in\n%s", failed, tt.says, out)
			}
		})
	}
}

func TestBench_ExplainsInvalidFlags(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	for says, args := range map[string][]string{
		"--people must be 1 to 1000":             {"--people", "0"},
		"--posts and --pages must not be":        {"--posts=-1"},
		"--for must be positive":                 {"--for", "0s"},
		"the URL must be the API's address":      {"--url", "seattle"},
		"--people needs --as, because one token": {"--as", "", "--people", "2"},
	} {
		if out, failed := benchRun(t, dir, "http://127.0.0.1:1", args...); !failed || !strings.Contains(out, says) {
			t.Errorf("%v: failed %v, want %q in\n%s", args, failed, says, out)
		}
	}
}
