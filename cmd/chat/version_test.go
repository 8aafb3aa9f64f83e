package main

import (
	"bytes"
	"runtime/debug"
	"strings"
	"testing"

	"example.com/parley/internal/config"
)

func TestVersion_NamesVersionAndCommit(t *testing.T) {
	t.Parallel()
	built := func(pairs ...string) *debug.BuildInfo {
		var info debug.BuildInfo
		for i := 0; i < len(pairs); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return &info
	}
	tests := []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"a commit", built("vcs.revision", "abc", "vcs.time", "2026-11-21T19:00:00Z", "vcs.modified", "false"), "parley " + config.Version + " abc 2026-11-21T19:00:00Z"},
		{"changes on top", built("vcs.revision", "abc", "vcs.time", "2026-11-21T19:00:00Z", "vcs.modified", "true"), "parley " + config.Version + " abc 2026-11-21T19:00:00Z modified"},
		{"no repository", built("GOOS", "linux"), "parley " + config.Version + ", built outside of a repository"},
	}
	for _, tt := range tests {
		if got := version(tt.info); got != tt.want {
			t.Errorf("%s: version = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestVersion_IsACommand(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"version"}, &out, &errs); status != exitDone || !strings.HasPrefix(out.String(), "parley "+config.Version) {
		t.Errorf("chat version exits with %d and prints %q, %q", status, out.String(), errs.String())
	}
}
