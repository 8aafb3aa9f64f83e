package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
)

// RunLog tests a log store. Each call of newStore returns an empty one.
func RunLog(t *testing.T, newStore func(t *testing.T) activity.Store) {
	for _, tt := range []struct {
		name string
		test func(*testing.T, activity.Store)
	}{
		{"an entry is stored once and read back in full", entryIsStoredOnce},
		{"an entry that exists is never changed", entryIsNeverChanged},
		{"entries of one instant are stored one microsecond apart", entriesOfOneInstant},
		{"entries appended concurrently at one instant are all stored", concurrentLogAppends},
		{"the number of entries of one instant is limited", instantIsFull},
		{"bounds are exclusive to the microsecond", logBounds},
		{"pages of a log have no gaps", logPages},
		{"an expired entry is not returned while it still exists", expiredEntryIsHidden},
		{"logs with similar names are separate", similarLogs},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.test(t, newStore(t))
		})
	}
}

var phone = activity.Log{User: "ada", Device: "phone"}

// entry returns an entry at the given number of microseconds after start.
func entry(micro int, id string) activity.LogEntry {
	at := start.Add(time.Duration(micro) * time.Microsecond)
	return activity.LogEntry{At: at, ID: id, Type: "error", Detail: "what " + id, Expires: start.Add(time.Hour)}
}

func appendLog(t *testing.T, s activity.Store, log activity.Log, e activity.LogEntry) activity.LogEntry {
	t.Helper()
	stored, created, err := s.AppendLog(t.Context(), log, e)
	if err != nil || !created {
		t.Fatalf("append %s: created %v, %v", e.ID, created, err)
	}
	return stored
}

func readLog(t *testing.T, s activity.Store, span activity.LogRange) ([]activity.LogEntry, bool) {
	t.Helper()
	if span.Now.IsZero() {
		span.Now = start
	}
	entries, more, err := s.ReadLog(t.Context(), span)
	if err != nil {
		t.Fatal(err)
	}
	return entries, more
}

func entryIsStoredOnce(t *testing.T, s activity.Store) {
	audit := activity.Log{Room: "seattle"}
	line := activity.LogEntry{
		At: start.Add(123456 * time.Microsecond), ID: "a", Type: "member.role", Detail: "moderator",
		By: "ada", Via: "desk", On: "bob", Expires: start.Add(time.Hour),
	}
	plain := activity.LogEntry{At: start, ID: "b", Type: "connection", Expires: start.Add(time.Hour)}
	for log, want := range map[activity.Log]activity.LogEntry{audit: line, phone: plain} {
		appendLog(t, s, log, want)
		stored, created, err := s.AppendLog(t.Context(), log, want)
		if err != nil || created || !cmp.Equal(stored, want) {
			t.Errorf("retry: %+v, created %v, %v", stored, created, err)
		}
		got, more := readLog(t, s, activity.LogRange{Log: log, Limit: 10})
		if diff := cmp.Diff([]activity.LogEntry{want}, got); diff != "" || more {
			t.Errorf("more %v, %s", more, diff)
		}
	}
}

// entryIsNeverChanged appends other lines at the instant of a line, and under its id.
func entryIsNeverChanged(t *testing.T, s activity.Store) {
	for _, log := range []activity.Log{{Room: "seattle"}, {Person: "bob"}, phone} {
		first := appendLog(t, s, log, entry(0, "a"))
		forged := entry(0, "a")
		forged.Type, forged.Detail = "forged", "another"
		if stored, created, err := s.AppendLog(t.Context(), log, forged); err != nil || created || !cmp.Equal(stored, first) {
			t.Errorf("another entry with its id: %+v, created %v, %v", stored, created, err)
		}
		forged.ID = "b"
		second := appendLog(t, s, log, forged)
		got, _ := readLog(t, s, activity.LogRange{Log: log, Limit: 10})
		if diff := cmp.Diff([]activity.LogEntry{second, first}, got); diff != "" {
			t.Errorf("%+v: %s", log, diff)
		}
	}
}

func entriesOfOneInstant(t *testing.T, s activity.Store) {
	for n := range 10 {
		stored := appendLog(t, s, phone, entry(0, fmt.Sprint(n)))
		if want := start.Add(time.Duration(n) * time.Microsecond); !stored.At.Equal(want) {
			t.Errorf("entry %d is at %v, want %v", n, stored.At, want)
		}
	}
	stored, created, err := s.AppendLog(t.Context(), phone, entry(0, "7"))
	if err != nil || created || !stored.At.Equal(start.Add(7*time.Microsecond)) {
		t.Errorf("retry: %+v, created %v, %v", stored, created, err)
	}
	if all, _ := readLog(t, s, activity.LogRange{Log: phone, Limit: 20}); len(all) != 10 {
		t.Errorf("%d entries, want 10", len(all))
	}
}

func concurrentLogAppends(t *testing.T, s activity.Store) {
	race(16, func(i int) {
		// Each entry is appended twice, as by a retry concurrent with the first attempt.
		if _, _, err := s.AppendLog(t.Context(), phone, entry(0, fmt.Sprint(i/2))); err != nil {
			t.Error(err)
		}
	})
	seen := map[string]int{}
	all, _ := readLog(t, s, activity.LogRange{Log: phone, Limit: 20})
	for _, e := range all {
		seen[e.ID]++
	}
	if len(all) != 8 || len(seen) != 8 {
		t.Errorf("entries %v, want each of 8 once", seen)
	}
}

func instantIsFull(t *testing.T, s activity.Store) {
	for n := range activity.MaxPerInstant {
		appendLog(t, s, phone, entry(n, fmt.Sprint(n)))
	}
	if _, _, err := s.AppendLog(t.Context(), phone, entry(0, "more")); chat.KindOf(err) != chat.Conflict {
		t.Errorf("append to a full instant: %v, want conflict", err)
	}
	appendLog(t, s, phone, entry(1, "more"))
}

func logBounds(t *testing.T, s activity.Store) {
	for n := range 5 {
		appendLog(t, s, phone, entry(n*1000, fmt.Sprint(n)))
	}
	at := func(micro int) time.Time { return start.Add(time.Duration(micro) * time.Microsecond) }
	for _, c := range []struct {
		name          string
		after, before time.Time
		want          string
	}{
		{"none", time.Time{}, time.Time{}, "43210"},
		{"after an entry", at(2000), time.Time{}, "43"},
		{"just before an entry", at(1999), time.Time{}, "432"},
		{"half a microsecond before an entry", at(2000).Add(-500), time.Time{}, "432"},
		{"before an entry", time.Time{}, at(2000), "10"},
		{"half a microsecond after an entry", time.Time{}, at(2000).Add(500), "210"},
		{"between two entries", at(1000), at(3000), "2"},
		{"around one entry", at(1999), at(2001), "2"},
		{"between adjacent microseconds", at(2000), at(2001), ""},
		{"an empty range", at(2000), at(2000), ""},
		{"before the epoch", time.Unix(-9, 0), time.Unix(-5, 0), ""},
		{"after a time before the epoch", time.Unix(-9, 0), time.Time{}, "43210"},
	} {
		got := ""
		entries, more := readLog(t, s, activity.LogRange{Log: phone, After: c.after, Before: c.before, Limit: 5})
		for _, e := range entries {
			got += e.ID
		}
		if got != c.want || more {
			t.Errorf("bounds %s: %q, more %v, want %q", c.name, got, more, c.want)
		}
	}
}

func logPages(t *testing.T, s activity.Store) {
	for n := range 11 {
		appendLog(t, s, phone, entry(n, fmt.Sprint(n)))
	}
	var all []string
	span := activity.LogRange{Log: phone, Limit: 3}
	for {
		entries, more := readLog(t, s, span)
		for _, e := range entries {
			all = append(all, e.ID)
		}
		if !more {
			break
		}
		span.Before = entries[len(entries)-1].At
	}
	slices.Reverse(all)
	if got := fmt.Sprint(all); got != "[0 1 2 3 4 5 6 7 8 9 10]" {
		t.Errorf("read %s", got)
	}
}

func expiredEntryIsHidden(t *testing.T, s activity.Store) {
	for n := range 6 {
		e := entry(n, fmt.Sprint(n))
		e.Expires = start.Add(time.Duration(n%2+1) * time.Minute)
		appendLog(t, s, phone, e)
	}
	for name, c := range map[string]struct {
		after time.Duration
		want  int
	}{
		"before expiry": {59 * time.Second, 6}, "at the first expiry": {time.Minute, 3}, "after every expiry": {time.Hour, 0},
	} {
		for _, limit := range []int{1, 10} {
			entries, more := readLog(t, s, activity.LogRange{Log: phone, Now: start.Add(c.after), Limit: limit})
			if len(entries) != min(limit, c.want) || more != (c.want > limit) {
				t.Errorf("%s, limit %d: %d entries, more %v", name, limit, len(entries), more)
			}
		}
	}
}

func similarLogs(t *testing.T, s activity.Store) {
	logs := []activity.Log{
		{User: "ada", Device: "phone"}, {User: "ad", Device: "aphone"}, {User: "ada", Device: "phone2"},
		{Room: "phone"}, {User: "r", Device: "phone"}, {User: "u", Device: "r"}, {User: "r", Device: "r"}, {Room: "r"},
		{Person: "u"}, {Person: "r"}, {User: "audit", Device: "u"}, {User: "u", Device: "audit"},
	}
	for n, log := range logs {
		appendLog(t, s, log, entry(0, fmt.Sprint(n)))
	}
	for n, log := range logs {
		entries, _ := readLog(t, s, activity.LogRange{Log: log, Limit: 10})
		if len(entries) != 1 || entries[0].ID != fmt.Sprint(n) {
			t.Errorf("log %+v has entries %+v", log, entries)
		}
	}
}
