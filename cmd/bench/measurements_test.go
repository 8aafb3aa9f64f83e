package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/parley/internal/measure"
)

// TestMain runs as make bench does, in the root of the repository. The test binary is also the
// command that LivePosts starts.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	if argument(1) == inPosts {
		main()
		return
	}
	os.Exit(m.Run())
}

func argument(n int) string {
	if n < len(os.Args) {
		return os.Args[n]
	}
	return ""
}

// TestMeasurements_RunSmall runs each measurement with a fraction of its amounts, so that a change of
// the API cannot break one unnoticed.
func TestMeasurements_RunSmall(t *testing.T) {
	elsewhere := map[string]string{
		"device":     "its scripts run in Chromium, at night (make nightly)",
		"depth":      "TestDepths_AreExact runs it",
		"gaps":       "internal/live has its test",
		"peers":      "TestPeers_MeasuresParleyAndNamesAbsentPeers runs it without other programs",
		"readers":    "internal/growth has its test",
		"sizes":      "the tests of functions build and start each",
		"searchmore": "search with more messages",
	}
	for _, m := range measurements() {
		if elsewhere[m.name] != "" {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			if m.name == "search" && os.Getenv("CHAT_DATA") == "" && os.Getenv("CI") == "" {
				t.Skip("CHAT_DATA does not name a folder with real archives")
			}
			if err := m.print(t.Context(), measure.Small); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestPeers_MeasuresParleyAndNamesAbsentPeers is the part of make bench-peers that needs no other
// program.
func TestPeers_MeasuresParleyAndNamesAbsentPeers(t *testing.T) {
	rows, err := measure.Peers(t.Context(), measure.PeerPrograms{Prosody: filepath.Join(t.TempDir(), "none")}, measure.Small)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"", "Parley"},
		{"sends, 8 clients", "/s"},
		{"newest 50, p50", " ms"},
		{"newest 50, 8 clients", "/s"},
		{"catch-up of 1,000", " ms"},
		{"whole room backwards, messages", "/s"},
		{"delivery at 20 posts/s to 10 listeners, p50", " ms"},
		{"Tinode", "absent: TINODE="},
		{"Prosody", "lua-dbi-sqlite3"},
	}
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d: %q", len(rows), len(want), rows)
	}
	for i, row := range rows {
		if len(row) != 2 || row[0] != want[i][0] || !strings.Contains(row[1], want[i][1]) {
			t.Errorf("row %q, want one of %q", row, want[i])
		}
	}
}
