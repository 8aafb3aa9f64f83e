package measure

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPeerFigure_RowComparesMediansWithTheFirst(t *testing.T) {
	values := [][]float64{{4, 100, 2}, {2}, {8, 1, 6}}
	for _, test := range []struct {
		figure peerFigure
		want   []string
	}{
		{peerFigure{name: "a time", format: peerMilliseconds}, []string{"a time", "4.00 ms", "2.00 ms", "2.0 × slower", "6.00 ms", "1.5 × faster"}},
		{peerFigure{name: "a rate", rate: true, format: peerRates}, []string{"a rate", "4/s", "2/s", "2.0 × faster", "6/s", "1.5 × slower"}},
	} {
		if got := test.figure.row(values); !slices.Equal(got, test.want) {
			t.Errorf("row %q, want %q", got, test.want)
		}
	}
}

func TestStartTinode_NamesMissingPostgreSQL(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	_, err := startTinode(t.Context(), PeerPrograms{Tinode: t.TempDir(), Postgres: none})
	if err == nil || !strings.Contains(err.Error(), "postgresql-15") {
		t.Errorf("error %v, want one that names Debian's package", err)
	}
}
