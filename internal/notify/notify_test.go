package notify_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/notify"
)

var update = flag.Bool("update", false, "write the golden files")

// checkGolden compares a text with a golden file, or writes it. web/client/test/notify.test.ts reads both.
func checkGolden(t *testing.T, name, got string, write bool) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if write {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// columns are the kinds of messages of the table.
var columns = []struct {
	name    string
	message notify.Message
}{
	{"message", notify.Message{Listed: true}}, {"reply", notify.Message{}}, {"followed reply", notify.Message{Followed: true}},
	{"direct", notify.Message{Listed: true, Direct: true}}, {"@everyone", notify.Message{Listed: true, Everyone: true}},
	{"@person", notify.Message{Listed: true, Mention: true}},
}

// readers calls f with every reader who is not barred, and their cells of the table.
func readers(f func(cells []string, r notify.Reader)) {
	quiet := map[string]notify.Reader{"": {}, "quiet": {Quiet: true}, "quiet, mentions always": {Quiet: true, MentionsAlways: true}, "mentions always": {MentionsAlways: true}}
	for room := notify.Unset; room <= notify.None; room++ {
		for person := notify.All; person <= notify.None; person++ {
			for _, name := range []string{"", "mentions always", "quiet", "quiet, mentions always"} {
				r := quiet[name]
				r.Room, r.Person = room, person
				f([]string{room.String(), person.String(), name}, r)
			}
		}
	}
}

// TestDecide_Table has a row for each reader, and a column for each kind of message.
func TestDecide_Table(t *testing.T) {
	var b strings.Builder
	row := func(cells []string) {
		line := fmt.Sprintf("%-9s| %-9s| %-23s", cells[0], cells[1], cells[2])
		for i, c := range cells[3:] {
			line += fmt.Sprintf("| %-*s", len(columns[i].name)+1, c)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	head := []string{"room", "person", "quiet"}
	for _, c := range columns {
		head = append(head, c.name)
	}
	row(head)
	readers(func(cells []string, r notify.Reader) {
		for _, c := range columns {
			cell := ""
			if notify.Decide(r, c.message) {
				cell = "yes"
			}
			cells = append(cells, cell)
		}
		row(cells)
	})
	checkGolden(t, "decisions.golden", b.String(), *update)
}

// TestDecide_PartsAddUp compares each combination of what a message is with the parts of which it
// consists. Nobody who is barred hears of any.
func TestDecide_PartsAddUp(t *testing.T) {
	t.Parallel()
	readers(func(cells []string, r notify.Reader) {
		for bits := range 1 << 5 {
			m := notify.Message{Listed: bits&1 != 0, Direct: bits&2 != 0, Followed: bits&4 != 0, Mention: bits&8 != 0, Everyone: bits&16 != 0}
			want := false
			for _, part := range []notify.Message{{Listed: m.Listed, Direct: m.Direct}, {Followed: m.Followed}, {Mention: m.Mention}, {Everyone: m.Everyone}} {
				want = want || notify.Decide(r, part)
			}
			if got := notify.Decide(r, m); got != want {
				t.Errorf("%q, %+v: %t, want %t", cells, m, got, want)
			}
			barred := r
			barred.Barred = true
			if notify.Decide(barred, m) {
				t.Errorf("%q, %+v: a barred reader is notified", cells, m)
			}
		}
	})
}

// TestQuietHours_Transitions lists when quiet hours begin and end around changes of the clock: an
// hour is left out in spring and repeated in autumn, on Lord Howe Island half an hour.
func TestQuietHours_Transitions(t *testing.T) {
	t.Parallel()
	const step = 5 * time.Minute
	var b strings.Builder
	for _, tt := range []struct{ hours, first, last string }{
		{"Europe/Berlin 22:00 07:00 1234567", "2026-03-27T12:00Z", "2026-03-30T12:00Z"},
		{"Europe/Berlin 22:00 07:00 1234567", "2026-10-23T12:00Z", "2026-10-26T12:00Z"},
		{"Europe/Berlin 02:00 03:00 1234567", "2026-03-28T00:00Z", "2026-03-31T00:00Z"},
		{"Europe/Berlin 02:30 03:30 1234567", "2026-03-28T00:00Z", "2026-03-31T00:00Z"},
		{"Europe/Berlin 02:00 03:00 1234567", "2026-10-24T00:00Z", "2026-10-27T00:00Z"},
		{"Europe/Berlin 02:30 02:45 1234567", "2026-10-24T00:00Z", "2026-10-27T00:00Z"},
		{"America/New_York 23:00 02:30 67", "2026-11-27T00:00Z", "2026-11-30T12:00Z"},
		{"America/New_York 23:00 02:30 1234567", "2026-10-31T00:00Z", "2026-11-02T12:00Z"},
		{"Australia/Lord_Howe 01:45 02:15 1234567", "2026-04-03T00:00Z", "2026-04-06T00:00Z"},
		{"Australia/Lord_Howe 01:45 02:15 1234567", "2026-10-02T00:00Z", "2026-10-05T00:00Z"},
		{"Asia/Kolkata 18:30 09:00 12345", "2026-11-26T00:00Z", "2026-12-01T00:00Z"},
		{"UTC 09:00 09:00 3", "2026-11-24T00:00Z", "2026-11-28T00:00Z"},
		{"UTC 09:00 17:00 7", "2026-11-28T00:00Z", "2026-12-01T00:00Z"},
		{"Nowhere/Never 00:00 23:59 1234567", "2026-11-28T00:00Z", "2026-11-30T00:00Z"},
	} {
		q, at, last := parseHours(t, tt.hours), parseMinute(t, tt.first), parseMinute(t, tt.last)
		fmt.Fprintf(&b, "%s %s %s:", tt.hours, tt.first, tt.last)
		for quiet := false; at.Before(last); at = at.Add(step) {
			if q.Contains(at) != quiet {
				quiet = !quiet
				fmt.Fprintf(&b, " %s", at.Format("02T15:04"))
			}
		}
		b.WriteByte('\n')
	}
	checkGolden(t, "quiet.golden", b.String(), *update)
}

func parseMinute(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02T15:04Z", text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func parseHours(t *testing.T, text string) (q notify.QuietHours) {
	t.Helper()
	var h, m, h2, m2 int
	var days string
	if _, err := fmt.Sscanf(text, "%s %d:%d %d:%d %s", &q.Zone, &h, &m, &h2, &m2, &days); err != nil {
		t.Fatal(err)
	}
	q.From, q.To = h*60+m, h2*60+m2
	for _, d := range days {
		q.Days = q.Days.With(time.Weekday((d - '0') % 7))
	}
	return q
}

func TestQuietHours_Check(t *testing.T) {
	t.Parallel()
	valid := notify.QuietHours{Zone: "Europe/Berlin", From: 22 * 60, To: 7 * 60, Days: notify.EveryDay}
	if err := valid.Check(); err != nil {
		t.Error(err)
	}
	for field, change := range map[string]func(*notify.QuietHours){
		"quiet.zone": func(q *notify.QuietHours) { q.Zone = "Europe/Nowhere" },
		"quiet.from": func(q *notify.QuietHours) { q.From = -1 },
		"quiet.to":   func(q *notify.QuietHours) { q.To = 24 * 60 },
		"quiet.days": func(q *notify.QuietHours) { q.Days = 0 },
	} {
		q := valid
		change(&q)
		if err := q.Check(); chat.KindOf(err) != chat.Invalid || !strings.Contains(err.Error(), field) {
			t.Errorf("%+v: %v, want the field %s", q, err, field)
		}
	}
	for _, zone := range []string{"", "Local"} {
		if err := (notify.QuietHours{Zone: zone, To: 60, Days: notify.EveryDay}).Check(); chat.KindOf(err) != chat.Invalid {
			t.Errorf("zone %q: %v", zone, err)
		}
	}
}
