package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServe_Profiles takes a profile at the address that the server prints. Neither the API nor a
// foreign name has any.
func TestServe_Profiles(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "--profile", "localhost:0")
	profiles := strings.TrimSpace(strings.TrimPrefix(s.line(t, "pprof "), "pprof "))
	if text := mustCall(t, 200, "GET", profiles+"goroutine?debug=1", "", ""); !strings.Contains(text, "goroutine profile:") {
		t.Errorf("the profile is %.200q", text)
	}
	mustCall(t, 404, "GET", profiles+"cmdline", "", "")
	mustCall(t, 404, "GET", s.url+profilesPath, tokenOf(t, s.dir, "amsg"), "")
	askForeign(t, portOf(t, strings.TrimSuffix(profiles, profilesPath)), foreign, http.MethodGet, profilesPath, "")
	if err := s.end(t, os.Interrupt); err != nil || s.logs.String() != "" {
		t.Errorf("it ends with %v, and logs\n%s", err, s.logs)
	}
}

// TestServe_RefusesProfilesForOthers starts nothing, not even the data folder.
func TestServe_RefusesProfilesForOthers(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{":6060", "0.0.0.0:0", "[::]:0", "203.0.113.7:6060", "127.0.0.1", "6060"} {
		dir := filepath.Join(t.TempDir(), "data")
		out, err := command(t, "serve", "--addr", "127.0.0.1:0", "--data", dir, "--profile", addr).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "--profile must be a loopback address, such as 127.0.0.1:6060, not ") || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s: %v\n%s", addr, err, out)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: the data folder exists", addr)
		}
	}
}
