package timetext_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/parley/internal/timetext"
)

// TestText_IsThatOfTheStandardLibrary compares random times, also outside of four digits.
func TestText_IsThatOfTheStandardLibrary(t *testing.T) {
	t.Parallel()
	const latest = 300_000_000_000 // seconds, in the year 11476
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(-latest, latest).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds"))
		if got, want := timetext.Text(at, 'T', "Z"), at.UTC().Format("2006-01-02T15:04:05.000Z"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		want := at.UTC().Truncate(time.Millisecond)
		got, ok := timetext.Parse(timetext.Text(at, ':', ""), ':')
		if inRange := want.Year() >= 0 && want.Year() <= 9999; ok != inRange || inRange && !got.Equal(want) {
			t.Errorf("%v is parsed as %v, %v", want, got, ok)
		}
	})
}

// FuzzParse checks that Parse accepts the texts that time.Parse accepts and time.Time.Format writes, and no others.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"2018-08-29:12:00:00.123", "2018-02-30:12:00:00.123", "2018-08-29:24:00:00.000", "2018-08-29T12:00:00.123",
		"2018-08-29:12:00:00,123", "2018-08-29:12:00:60.123", "+018-08-29:12:00:00.123", "2018-08-29:12:00:00.12", "0000-01-01:00:00:00.000",
		"2018-08-2\xff:12:00:00.123",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		const layout = "2006-01-02:15:04:05.000"
		want, err := time.Parse(layout, s)
		valid := err == nil && want.Format(layout) == s
		if got, ok := timetext.Parse(s, ':'); ok != valid || valid && !got.Equal(want) {
			t.Errorf("%q: %v, %v, want %v, %v", s, got, ok, want, valid)
		}
	})
}
