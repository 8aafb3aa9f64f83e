package main

import (
	"path/filepath"
	"strings"
	"testing"

	"example.com/parley/internal/measure"
)

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
