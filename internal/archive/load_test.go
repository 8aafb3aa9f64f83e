package archive_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/archive/irc"
	"example.com/parley/internal/archive/slack"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/people"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/tabletest"
)

// newStore returns a store on a real engine, with its own table.
func newStore(t *testing.T, options ...func(*dynamodb.Options)) *dynamo.Store {
	t.Helper()
	client := dynamo.LocalClient(enginetest.Start(t), options...)
	name := "archive-" + rand.Text()
	tabletest.Create(t, client, name)
	return dynamo.New(client, dynamo.Options{Table: name, Clock: time.Now})
}

func options(log *bytes.Buffer) archive.Options {
	return archive.Options{
		Shards:  3,
		Creator: "import",
		Now:     time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Random:  rand.Reader,
		Log:     slog.New(slog.NewTextHandler(log, nil)),
		Pause:   time.Millisecond,
		// Some groups are shorter than the archives, and some replies are apart from their roots.
		Together: 4,
	}
}

func slackExport(t *testing.T) *archive.Archive {
	t.Helper()
	a, err := slack.Open("slack/testdata/export", slack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// The messages and skips of slack/testdata/export, as export.golden lists them.
const (
	slackMessages = 10
	slackSkips    = 13
)

func checkCounts(t *testing.T, r archive.Report, imported, already, skipped int) {
	t.Helper()
	if r.Imported != imported || r.AlreadyThere != already || r.SkippedTotal() != skipped {
		t.Errorf("imported %d, already there %d, skipped %v; want %d, %d, %d in all",
			r.Imported, r.AlreadyThere, r.Skipped, imported, already, skipped)
	}
	for why := range r.Skipped {
		if !slices.Contains(r.Reasons, why) {
			t.Errorf("%q is not a reason of the report", why)
		}
	}
}

func TestLoad_TwiceAddsNothing(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	var log bytes.Buffer
	first, err := archive.Load(t.Context(), store, slackExport(t), options(&log))
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, first, slackMessages, 0, slackSkips)
	again, err := archive.Load(t.Context(), store, slackExport(t), options(&log))
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, again, 0, slackMessages, slackSkips)

	room, err := store.Room(t.Context(), "general")
	if err != nil || room.Name != "general" || room.Topic != "ask @ada & all" || room.CreatedBy != "import" || room.Shards != 3 {
		t.Errorf("%+v, %v", room, err)
	}
	page, _, err := store.Messages(t.Context(), chat.MessageRange{Room: "general", Order: chat.Oldest, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range page {
		if !m.SentAt().Equal(m.ReceivedAt) {
			t.Errorf("sent at %v, received at %v", m.SentAt(), m.ReceivedAt)
		}
		got = append(got, m.ReceivedAt.Format("02 05.000 ")+string(m.ID.User))
	}
	want := []string{"01 00.002 U1", "01 00.003 U1", "01 00.004 U2",
		"01 01.500 U1", "01 02.001 U9", "01 03.001 U9", "02 00.001 U1", "02 01.001 U1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoad_LogsBrokenRecordsWithoutText(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	if _, err := archive.Load(t.Context(), newStore(t), slackExport(t), options(&log)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`msg="skipped: has no valid time" file=general/2020-01-01.json record=9`,
		`file=general/canvas.json`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no line has %s in\n%s", want, &log)
		}
	}
	for _, text := range []string{"caf\uFFFD", "hush", "second", "cut o", "channel_join"} {
		if strings.Contains(log.String(), text) {
			t.Errorf("%q is logged in\n%s", text, &log)
		}
	}
}

func TestLoad_OtherTextIsAConflict(t *testing.T) {
	t.Parallel()
	store, dir := newStore(t), t.TempDir()
	load := func(text string) archive.Report {
		path := filepath.Join(dir, "2020-01-01.txt")
		if err := os.WriteFile(path, []byte("[12:00] <ada> "+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := irc.Open(irc.Options{Room: "test", Paths: []string{path}})
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		r, err := archive.Load(t.Context(), store, a, options(&log))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	checkCounts(t, load("one"), 1, 0, 0)
	r := load("other")
	checkCounts(t, r, 0, 0, 1)
	if r.Skipped[archive.Conflict] != 1 {
		t.Errorf("%v", r.Skipped)
	}
}

func TestLoad_ExistingRoomIsUnchanged(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	room := chat.Room{ID: "general", Name: "Ours", CreatedBy: "eve", CreatedAt: time.Unix(1, 0).UTC(), Shards: 5, DigestKey: make([]byte, 32)}
	if _, err := store.CreateRoom(t.Context(), room, chat.OwnerOf(room, "owner")); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	if _, err := archive.Load(t.Context(), store, slackExport(t), options(&log)); err != nil {
		t.Fatal(err)
	}
	if got, err := store.Room(t.Context(), "general"); err != nil || got.Name != "Ours" || got.CreatedBy != "eve" || got.Shards != 5 {
		t.Errorf("%+v, %v", got, err)
	}
}

// throttledStore returns a store whose first puts of messages fail. left is their number.
func throttledStore(t *testing.T) (store *dynamo.Store, left *atomic.Int64) {
	t.Helper()
	left = &atomic.Int64{}
	return newStore(t, faults.Altered(func(input any) any {
		var item table.Item
		switch in := input.(type) {
		case *dynamodb.PutItemInput:
			item = in.Item
		case *dynamodb.TransactWriteItemsInput:
			if put := in.TransactItems[0].Put; put != nil {
				item = put.Item
			}
		}
		if table.KindOf(item) == table.MessageKind && left.Add(-1) >= 0 {
			return &chat.Error{Kind: chat.Unavailable} // without a pause before the next try
		}
		return nil
	})), left
}

func TestLoad_RetriesAThrottledStore(t *testing.T) {
	t.Parallel()
	store, left := throttledStore(t)
	left.Store(4)
	var log bytes.Buffer
	r, err := archive.Load(t.Context(), store, slackExport(t), options(&log))
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, r, slackMessages, 0, slackSkips)
}

// A second load adds the messages that the first could not store.
func TestLoad_CountsUnstoredMessages(t *testing.T) {
	t.Parallel()
	store, left := throttledStore(t)
	left.Store(1 << 40)
	var log bytes.Buffer
	r, err := archive.Load(t.Context(), store, slackExport(t), options(&log))
	if err == nil || r.Skipped[archive.NotStored] != slackMessages {
		t.Errorf("%v, %v", r.Skipped, err)
	}
	checkCounts(t, r, 0, 0, slackMessages+slackSkips)
	left.Store(0)
	r, err = archive.Load(t.Context(), store, slackExport(t), options(&log))
	if err != nil {
		t.Error(err)
	}
	checkCounts(t, r, slackMessages, 0, slackSkips)
}

func TestLoad_CancelledReportsItsProgress(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var log bytes.Buffer
	o := options(&log)
	read := 0
	o.Progress = func() {
		if read++; read == 12 {
			cancel()
		}
	}
	r, err := archive.Load(ctx, newStore(t), slackExport(t), o)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error: %v", err)
	}
	if n := r.Imported + r.AlreadyThere + r.SkippedTotal(); n != 12 {
		t.Errorf("%d records counted", n)
	}
}

func TestReport_WriteLeavesOutZeros(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	r := archive.Report{
		Imported: 12,
		Skipped:  map[archive.Reason]int{irc.Notice: 3},
		Reasons:  []archive.Reason{irc.Notice, archive.EmptyText},
		Rooms:    []archive.RoomReport{{Room: "empty"}, {Room: "ubuntu", Messages: 12}},
	}
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	const want = `imported:           12
skipped:             3
  notice:            3
room ubuntu:        12
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// records is a source of records in memory.
type records []archive.Record

func (r records) Records() iter.Seq[archive.Record] { return slices.Values(r) }

func (records) BytesRead() int64 { return 0 }

func (records) Close() error { return nil }

// TestLoad_LosesNothingThatIsInvisible keeps messages that show nothing, because they were said, and
// stores names without their invisible characters.
func TestLoad_LosesNothingThatIsInvisible(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	var log bytes.Buffer
	const text = "\u200b\u3164"
	r, err := archive.Load(t.Context(), store, &archive.Archive{
		Rooms:  []archive.Room{{ID: "general", Name: "general"}},
		People: []archive.Person{{User: "ben", Name: "Ben\u200b  Boss\u2060"}, {User: "eve", Name: "\u3164"}},
		Source: records{{Room: "general", User: "ben", Text: text, At: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}},
	}, options(&log))
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, r, 1, 0, 0)
	page, _, err := store.Messages(t.Context(), chat.MessageRange{Room: "general", Order: chat.Oldest, Limit: 50})
	if err != nil || len(page) != 1 || page[0].Text != text {
		t.Errorf("%+v, %v", page, err)
	}
	ben, err := people.NewStore(store.Table()).Person(t.Context(), "ben")
	if err != nil || ben.Name != "Ben Boss" {
		t.Errorf("%+v, %v", ben, err)
	}
	if r.People.Added != 1 || r.People.LeftOut[archive.BadName] != 1 {
		t.Errorf("people are %+v", r.People)
	}
}
