package webpage

import (
	"slices"
	"strings"
	"testing"
)

func TestAcceptsGzip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		header []string
		want   bool
	}{
		{nil, false},
		{[]string{""}, false},
		{[]string{"gzip"}, true},
		{[]string{"GZip"}, true},
		{[]string{"x-gzip"}, true},
		{[]string{"gzip, deflate, br"}, true},
		{[]string{"deflate,br;q=1.0, gzip;q=0.5"}, true},
		{[]string{"br", "gzip"}, true},
		{[]string{"gzip;q=0"}, false},
		{[]string{"gzip ; q=0.000"}, false},
		{[]string{"gzip;Q=1"}, true},
		{[]string{"*"}, true},
		{[]string{"*;q=0"}, false},
		{[]string{"*, gzip;q=0"}, false},
		{[]string{"*;q=0, gzip"}, true},
		{[]string{"identity"}, false},
		{[]string{"gzip;q=2"}, false},
		{[]string{"gzip;q=x"}, false},
		{[]string{"gzip;level=9"}, false},
		{[]string{"notgzip"}, false},
	} {
		if got := AcceptsGzip(c.header); got != c.want {
			t.Errorf("%q: %v, want %v", c.header, got, c.want)
		}
	}
}

// FuzzAcceptsGzip checks that several headers are read as one list, even if a gateway joins them.
// It also checks that only a client that names gzip, or every coding, gets it.
func FuzzAcceptsGzip(f *testing.F) {
	for _, header := range []string{"gzip, br", "*;q=0,gzip", "gzip;q=0.1;x", ",,;=", "gzip;q=NaN"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		got := AcceptsGzip([]string{header})
		if got != AcceptsGzip(slices.Collect(strings.SplitSeq(header, ","))) {
			t.Errorf("%q: joined %v, apart %v", header, got, !got)
		}
		if got && !strings.Contains(strings.ToLower(header), "gzip") && !strings.Contains(header, "*") {
			t.Errorf("%q takes gzip", header)
		}
	})
}
