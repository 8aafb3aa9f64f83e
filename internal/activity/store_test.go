package activity_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/tabletest"
)

var begin = time.Unix(1_535_544_000, 0).UTC()

// TestStore_KeepsTheContract runs on every engine that Parley runs on.
func TestStore_KeepsTheContract(t *testing.T) {
	t.Parallel()
	tabletest.KeepsLog(t, "log", activity.NewStore, map[string]func(*testing.T, activity.Store){
		"an entry is stored once and read back in full":               entryIsStoredOnce,
		"an entry that exists is never changed":                       entryIsNeverChanged,
		"entries of one instant are stored one microsecond apart":     entriesOfOneInstant,
		"entries appended concurrently at one instant are all stored": concurrentLogAppends,
		"the number of entries of one instant is limited":             instantIsFull,
		"bounds are exclusive to the microsecond":                     logBounds,
		"pages of a log have no gaps":                                 logPages,
		"an expired entry is not returned while it still exists":      expiredEntryIsHidden,
		"logs with similar names are separate":                        similarLogs,
	})
}

var phone = activity.Log{User: "ada", Device: "phone"}

// entry returns an entry at the given number of microseconds after start.
func entry(micro int, id string) activity.LogEntry {
	at := begin.Add(time.Duration(micro) * time.Microsecond)
	return activity.LogEntry{At: at, ID: id, Type: "error", Detail: "what " + id, Expires: begin.Add(time.Hour)}
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
		span.Now = begin
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
		At: begin.Add(123456 * time.Microsecond), ID: "a", Type: "member.role", Detail: "moderator",
		By: "ada", Via: "desk", On: "bob", Expires: begin.Add(time.Hour),
	}
	plain := activity.LogEntry{At: begin, ID: "b", Type: "connection", Expires: begin.Add(time.Hour)}
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
		if want := begin.Add(time.Duration(n) * time.Microsecond); !stored.At.Equal(want) {
			t.Errorf("entry %d is at %v, want %v", n, stored.At, want)
		}
	}
	stored, created, err := s.AppendLog(t.Context(), phone, entry(0, "7"))
	if err != nil || created || !stored.At.Equal(begin.Add(7*time.Microsecond)) {
		t.Errorf("retry: %+v, created %v, %v", stored, created, err)
	}
	if all, _ := readLog(t, s, activity.LogRange{Log: phone, Limit: 20}); len(all) != 10 {
		t.Errorf("%d entries, want 10", len(all))
	}
}

func concurrentLogAppends(t *testing.T, s activity.Store) {
	var appends sync.WaitGroup
	for i := range 16 {
		appends.Go(func() {
			// Each entry is appended twice, as by a retry concurrent with the first attempt.
			if _, _, err := s.AppendLog(t.Context(), phone, entry(0, fmt.Sprint(i/2))); err != nil {
				t.Error(err)
			}
		})
	}
	appends.Wait()
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
	at := func(micro int) time.Time { return begin.Add(time.Duration(micro) * time.Microsecond) }
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
		e.Expires = begin.Add(time.Duration(n%2+1) * time.Minute)
		appendLog(t, s, phone, e)
	}
	for name, c := range map[string]struct {
		after time.Duration
		want  int
	}{
		"before expiry": {59 * time.Second, 6}, "at the first expiry": {time.Minute, 3}, "after every expiry": {time.Hour, 0},
	} {
		for _, limit := range []int{1, 10} {
			entries, more := readLog(t, s, activity.LogRange{Log: phone, Now: begin.Add(c.after), Limit: limit})
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

// TestReadLog_ReadsOnlyTheEntriesReturned checks the units that DynamoDB reports: half a unit for
// each 4 KB, here of entries of about 1 KB.
func TestReadLog_ReadsOnlyTheEntriesReturned(t *testing.T) {
	t.Parallel()
	client := tabletest.StartLog(t, "log")
	tabletest.CreateLog(t, client, "log") // exists already
	var used []dynamo.Usage
	s := activity.NewStore(dynamo.NewLogTable(client, "log", func(_ context.Context, u dynamo.Usage) { used = append(used, u) }))
	log, detail := activity.Log{User: "ada", Device: "phone"}, fmt.Sprintf("%0900d", 0)
	for n := range 100 {
		e := activity.LogEntry{At: begin.Add(time.Duration(n) * time.Second), ID: fmt.Sprint(n), Type: "error", Detail: detail, Expires: begin.Add(time.Hour)}
		if _, _, err := s.AppendLog(t.Context(), log, e); err != nil {
			t.Fatal(err)
		}
	}
	if want := (dynamo.Usage{Operation: "append to log", Units: 1, Write: true}); len(used) != 100 || used[99] != want {
		t.Errorf("%d writes, the last %+v", len(used), used[99])
	}
	used = nil
	span := activity.LogRange{Log: log, After: begin.Add(39 * time.Second), Before: begin.Add(43 * time.Second), Now: begin, Limit: 50}
	entries, more, err := s.ReadLog(t.Context(), span)
	if err != nil || more || len(entries) != 3 {
		t.Fatalf("%d entries, more %v, %v", len(entries), more, err)
	}
	if diff := cmp.Diff([]dynamo.Usage{{Operation: "read log", Units: 0.5, Items: 3}}, used); diff != "" {
		t.Error(diff)
	}
}

// counter counts the calls of each operation, including failed calls. Further attempts by the SDK,
// as on a busy machine, belong to the same call.
type counter struct {
	next  dynamodb.HTTPClient
	calls map[string]int
	last  string // the SDK's name for the last call
}

func (c *counter) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if call := r.Header.Get("Amz-Sdk-Invocation-Id"); call != c.last {
		c.calls[operation]++
		c.last = call
	}
	return c.next.Do(r)
}

// TestAppendLog_BusyInstantCostsTwoPuts counts the calls for a taken instant: one query and one
// more put, for any number of entries there. There is no second put if the entry exists or no
// place is left.
func TestAppendLog_BusyInstantCostsTwoPuts(t *testing.T) {
	t.Parallel()
	c := &counter{calls: map[string]int{}}
	client := tabletest.StartLog(t, "log", func(o *dynamodb.Options) {
		c.next, o.HTTPClient = o.HTTPClient, c
	})
	s := activity.NewStore(dynamo.NewLogTable(client, "log", nil))
	log, at := activity.Log{User: "ada", Device: "phone"}, time.Unix(1_535_544_000, 0).UTC()
	for n := range 2*activity.MaxPerInstant + 10 {
		clear(c.calls)
		// Each is appended twice. Entries beyond the last place are refused.
		e := activity.LogEntry{At: at, ID: fmt.Sprint(n / 2), Type: "error", Expires: at.Add(time.Hour)}
		kept, created, err := s.AppendLog(t.Context(), log, e)
		full, first, retry := n >= 2*activity.MaxPerInstant, n/2 == 0, n%2 == 1
		puts, looks := 2, 1
		if first {
			looks = 0
		}
		if first || retry || full {
			puts = 1
		}
		if c.calls["PutItem"] != puts || c.calls["Query"] != looks {
			t.Errorf("entry %d: %v, want %d puts and %d looks", n, c.calls, puts, looks)
		}
		switch want := at.Add(time.Duration(n/2) * activity.LogStep); {
		case full && chat.KindOf(err) != chat.Conflict:
			t.Errorf("entry %d: %v, want conflict", n, err)
		case !full && (err != nil || created == retry || !kept.At.Equal(want)):
			t.Errorf("entry %d: at %v, created %v, %v", n, kept.At, created, err)
		}
	}
}
