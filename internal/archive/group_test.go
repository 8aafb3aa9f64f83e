package archive_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/archive/slack"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/faults"
)

// loadTogether loads an export into a new store and returns the report and the messages of general.
func loadTogether(t *testing.T, export string, together, workers int) (archive.Report, []chat.Message) {
	t.Helper()
	a, err := slack.Open(export, slack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }() // it was only read
	store := newStore(t)
	var log bytes.Buffer
	o := options(&log)
	o.Together, o.Workers, o.Random = together, workers, bytes.NewReader(make([]byte, 1<<10))
	report, err := archive.Load(t.Context(), store, a, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	messages, more, err := store.Messages(t.Context(), chat.MessageRange{Room: "general", Order: chat.Oldest, Limit: 100})
	if err != nil || more {
		t.Fatal(more, err)
	}
	return report, messages
}

// TestLoad_Together compares messages that are put together with messages that are put one by one.
func TestLoad_Together(t *testing.T) {
	t.Parallel()
	const export = "slack/testdata/team"
	report, messages := loadTogether(t, export, 0, 1)
	for _, together := range []int{1, 2, 3, 10, 1 << 10} {
		for _, workers := range []int{1, archive.DefaultWorkers} {
			t.Run(fmt.Sprintf("%d by %d", together, workers), func(t *testing.T) {
				t.Parallel()
				r, m := loadTogether(t, export, together, workers)
				if diff := cmp.Diff(report, r, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("report (-one by one +together):\n%s", diff)
				}
				if diff := cmp.Diff(messages, m, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("messages (-one by one +together):\n%s", diff)
				}
			})
		}
	}
}

// A record that an export has twice is imported once, and another text under its id is a conflict.
func TestLoad_TogetherWithDuplicates(t *testing.T) {
	t.Parallel()
	const line = `{"type": "message", "user": %q, "text": %q, "ts": %q}`
	day := "[" + fmt.Sprintf(line, "U1", "one", "1577836800.000001")
	for _, text := range []string{"one", "other"} {
		day += "," + fmt.Sprintf(line, "U1", text, "1577836800.000001") + "," + fmt.Sprintf(line, "U2", text, "1577836800.000001"+fmt.Sprint(len(text)))
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "general"), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{"channels.json": `[{"id": "C1", "name": "general"}]`, "general/2020-01-01.json": day + "]"} {
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, together := range []int{0, archive.MaxTogether} {
		r, messages := loadTogether(t, dir, together, 1)
		checkCounts(t, r, 3, 1, 1)
		if len(messages) != 3 || messages[0].Text != "one" || r.Skipped[archive.Conflict] != 1 {
			t.Errorf("together %d: %v, %+v", together, r.Skipped, messages)
		}
	}
}

// A transaction may contain MaxTogether messages of the greatest length.
func TestPutMessages_MaxTogether(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	var log bytes.Buffer
	if _, err := archive.Load(t.Context(), store, slackExport(t), options(&log)); err != nil {
		t.Fatal(err)
	}
	all := make([]chat.Message, archive.MaxTogether)
	for i := range all {
		id := messageIDOf(t, "018e08b1-e4e2-70c8-94c3-10b6972f3f38~"+fmt.Sprint("u", i))
		text := strings.Repeat("x", chat.MaxText)
		all[i] = chat.Message{Room: "general", ID: id, Text: text, ReceivedAt: id.SentAt(), Revision: 1, Digest: make([]byte, 16)}
	}
	for _, want := range []bool{true, false} { // the second time, all exist
		if ok, err := store.PutMessages(t.Context(), all); ok != want || err != nil {
			t.Errorf("%v, %v, want %v", ok, err, want)
		}
	}
	all[0].ID.User = "another"
	if ok, err := store.PutMessages(t.Context(), all); ok || err != nil {
		t.Errorf("one new message among others: %v, %v", ok, err)
	}
	if _, err := store.Message(t.Context(), "general", all[0].ID); chat.KindOf(err) != chat.NotFound {
		t.Errorf("the new message is stored: %v", err)
	}
}

// A profile that an eventual read misses is found by the put.
func TestLoad_MissedProfiles(t *testing.T) {
	t.Parallel()
	missed := false
	store := newStore(t, faults.Altered(func(input any) any {
		if _, batch := input.(*dynamodb.BatchGetItemInput); batch && missed {
			return &dynamodb.BatchGetItemOutput{}
		}
		return nil
	}))
	first := loadTeam(t, store)
	missed = true
	again := loadTeam(t, store)
	checkGroup(t, "people", archive.Group{AlreadyThere: first.People.Added}, again.People)
	if m, err := store.Membership(t.Context(), "general", "U1"); err != nil || m.Name != "Ada Lovelace" {
		t.Errorf("%+v, %v", m, err)
	}
}
