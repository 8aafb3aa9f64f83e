package archive_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/archive/slack"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/attachment/transfer"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/buckettest"
)

// filesFixture is an export that a tool has completed by its files.
const filesFixture = "slack/testdata/files"

// unsteady wraps a transport so that its calls fail while down reports true.
func unsteady(down func() bool) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper { return failing{next, down} }
}

type failing struct {
	http.RoundTripper
	down func() bool
}

func (f failing) RoundTrip(r *http.Request) (*http.Response, error) {
	if f.down() {
		return nil, errors.New("the bucket is down")
	}
	return f.RoundTripper.RoundTrip(r)
}

// loadFiles loads the export, with the bytes of its files or without.
func loadFiles(t *testing.T, store *dynamo.Store, b *bucket.Client, with bool) (archive.Report, error) {
	t.Helper()
	var o slack.Options
	if with {
		o.Files = filesFixture
	}
	a, err := slack.Open(filesFixture, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	var log bytes.Buffer
	settings := options(&log)
	settings.Files = &transfer.Store{Table: store.Table(), Bucket: b}
	r, err := archive.Load(t.Context(), store, a, settings)
	if err != nil {
		t.Log(log.String())
	}
	return r, err
}

func mustLoadFiles(t *testing.T, store *dynamo.Store, b *bucket.Client, with bool) archive.Report {
	t.Helper()
	r, err := loadFiles(t, store, b, with)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// filesOf returns the messages with files, and checks that their bytes and rows are there.
func filesOf(t *testing.T, store *dynamo.Store, b *bucket.Client) (files []chat.Attachment, texts []string) {
	t.Helper()
	for _, user := range []chat.UserID{"U1", "U2"} {
		all, _, err := store.Messages(t.Context(), chat.MessageRange{Room: "general", User: user, Order: chat.Oldest, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			if len(m.Attachments) == 0 {
				continue
			}
			texts, files = append(texts, m.Text), append(files, m.Attachments...)
			for _, a := range m.Attachments {
				checkStored(t.Context(), t, store, b, m, a)
			}
		}
	}
	return files, texts
}

func checkStored(ctx context.Context, t *testing.T, store *dynamo.Store, b *bucket.Client, m chat.Message, a chat.Attachment) {
	t.Helper()
	head, err := b.Head(ctx, attachment.FileKey(m.Room, m.ID.User, a.ID))
	if err != nil || head.Bytes != a.Bytes || head.Type != a.Type {
		t.Errorf("%s in the bucket: %+v, %v", a.Name, head, err)
	}
	head, err = b.Head(ctx, attachment.PreviewKey(m.Room, m.ID.User, a.ID))
	if a.Preview != (err == nil) || a.Preview && head.Type != "image/jpeg" {
		t.Errorf("the preview of %s: %+v, %v", a.Name, head, err)
	}
	item, err := store.Table().GetItem(ctx, "upload", table.UploadKey(m.Room, m.ID.User, a.ID), dynamo.Strong)
	if err != nil || item == nil || item[table.TTL] != nil {
		t.Errorf("the row of %s: %v, %v", a.Name, item, err)
	}
}

// The files in filesFixture, as its messages have them.
func wantFiles() []chat.Attachment {
	return []chat.Attachment{
		{Name: "plan.png", Type: "image/png", Bytes: 556, Width: 1000, Height: 600, Alt: "Ground floor", Preview: true},
		{Name: ".._notes.txt", Type: "text/plain", Bytes: 24},
		{Name: "table.csv", Type: "text/csv", Bytes: 13, Alt: "Table"},
		{Name: "photo.jpg", Type: "image/jpeg", Bytes: 823, Width: 40, Height: 60, Alt: "The house from the street"},
	}
}

func TestLoad_Files(t *testing.T) {
	t.Parallel()
	store, b := newStore(t), buckettest.New(t, time.Now).Client
	r := mustLoadFiles(t, store, b, true)
	checkCounts(t, r, 4, 0, 0)
	checkGroup(t, "files", archive.Group{Added: 4}, r.Attached)
	if r.NotFound != 2 || r.LeftOut[slack.OtherSize] != 1 {
		t.Errorf("%d files are not found, and %v is left out", r.NotFound, r.LeftOut)
	}
	files, texts := filesOf(t, store, b)
	if diff := cmp.Diff(wantFiles(), files, cmpopts.IgnoreFields(chat.Attachment{}, "ID")); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"The **plan**", "@Ada Lovelace uploaded a file: [Table](https://acme.example/files/U1/F08OLD/table.csv)", ""}, texts); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}

	again := mustLoadFiles(t, store, b, true)
	checkCounts(t, again, 0, 4, 0)
	checkGroup(t, "files of a second import", archive.Group{AlreadyThere: 4}, again.Attached)
	checkCounts(t, mustLoadFiles(t, store, b, false), 0, 4, 0)
	if now, _ := filesOf(t, store, b); !cmp.Equal(files, now) {
		t.Errorf("other imports changed the files:\n%s", cmp.Diff(files, now))
	}
}

// Files that are downloaded after an import replace their links, except in messages that changed.
func TestLoad_FilesLater(t *testing.T) {
	t.Parallel()
	store, b := newStore(t), buckettest.New(t, time.Now).Client
	first := mustLoadFiles(t, store, b, false)
	checkCounts(t, first, 4, 0, 0)
	if first.NotFound != 6 {
		t.Errorf("%d files are not found, want 6", first.NotFound)
	}
	photo := messageOf(t, store, "U2", "[📎 photo.jpg](https://files.example/T1-F03PHOTO/photo.jpg)")
	if _, ok, err := store.ReviseMessage(t.Context(), photo, photo.Edited("my house", time.Now())); !ok || err != nil {
		t.Fatal(ok, err)
	}
	table := messageOf(t, store, "U1", "@Ada Lovelace uploaded a file: [📎 Table](https://acme.example/files/U1/F08OLD/table.csv)")
	if _, ok, err := store.ReviseMessage(t.Context(), table, table.Tombstone("U1", time.Now())); !ok || err != nil {
		t.Fatal(ok, err)
	}
	want := archive.Group{Added: 2, LeftOut: map[archive.Reason]int{archive.Changed: 1, archive.Deleted: 1}}
	checkGroup(t, "files of a later import", want, mustLoadFiles(t, store, b, true).Attached)
	files, texts := filesOf(t, store, b)
	if diff := cmp.Diff(wantFiles()[:2], files, cmpopts.IgnoreFields(chat.Attachment{}, "ID")); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"The **plan**"}, texts); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	want.AlreadyThere, want.Added = 2, 0
	checkGroup(t, "files of one more import", want, mustLoadFiles(t, store, b, true).Attached)
}

// An import during which the bucket fails is completed by the next one.
func TestLoad_FilesAfterAFailure(t *testing.T) {
	t.Parallel()
	for fails := range int64(5) {
		store := newStore(t)
		var calls, most atomic.Int64
		most.Store(fails)
		b := buckettest.New(t, time.Now, unsteady(func() bool { return calls.Add(1) > most.Load() })).Client
		if r, err := loadFiles(t, store, b, true); err == nil || r.Skipped[archive.NotStored] == 0 {
			t.Errorf("an import with a broken bucket succeeded: %+v", r)
		}
		most.Store(math.MaxInt64)
		r := mustLoadFiles(t, store, b, true)
		if r.Imported+r.AlreadyThere != 4 || r.Attached.Added+r.Attached.AlreadyThere != 4 {
			t.Errorf("after %d calls, the second import has %+v", fails, r)
		}
		if files, _ := filesOf(t, store, b); len(files) != 4 {
			t.Errorf("%d files, want 4", len(files))
		}
	}
}
