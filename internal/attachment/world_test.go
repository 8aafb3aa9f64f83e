package attachment_test

import (
	"crypto/sha256"
	"net/http"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/app"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }

// room is the room of the tests, which "maker" owns and which everybody reads.
const room chat.RoomID = "seattle"

// world is a room with its files.
type world struct {
	*testing.T
	*app.Services
	clock      *chattest.Clock
	bucket     *buckettest.Bucket
	store      *dynamo.Store // with the rights of every function
	projection *attachment.Projection
	uploads    int
	// answer returns the status of a call of the bucket that fails, and 0 for others. It may be nil.
	answer func(*http.Request) int
}

// transport makes the calls fail that a world's answer selects.
type transport struct {
	w    *world
	next http.RoundTripper
}

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.w.answer != nil {
		if status := t.w.answer(r); status != 0 {
			return &http.Response{StatusCode: status, Body: http.NoBody, Request: r}, nil
		}
	}
	return t.next.RoundTrip(r)
}

func newWorld(t *testing.T, limits attachment.Limits) *world {
	t.Helper()
	w := &world{T: t}
	endpoint := enginetest.Start(t)
	w.Services, w.clock = chattest.NewOn(t, endpoint, func(o *app.Options) {
		w.bucket = buckettest.New(t, o.Clock, func(next http.RoundTripper) http.RoundTripper { return transport{w, next} })
		o.Bucket, o.FileLimits, o.SendRate, o.SendBurst = w.bucket.Client, limits, 1000, 1000
	})
	w.store = dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Clock: w.clock.Now})
	w.projection = attachment.NewProjection(w.store.Table(), w.store, w.bucket.Client)
	chattest.CreateRoom(t, w.Services, room, 2)
	return w
}

// uuid returns a new id.
func (w *world) uuid() uuid.UUID {
	w.uploads++
	return chat.NewUUID(w.clock.Now(), [10]byte{byte(w.uploads >> 8), byte(w.uploads)})
}

// draft returns a file with the bytes of its text.
func (w *world) draft(text string) attachment.Draft {
	return attachment.Draft{
		ID: w.uuid(), Sum: sha256.Sum256([]byte(text)), File: chat.Attachment{Name: text + ".png", Type: "image/png", Bytes: int64(len(text)), Width: 4, Height: 3, Alt: "A " + text},
		Preview: &bucket.File{Type: "image/webp", Bytes: 1, SHA256: sha256.Sum256([]byte("p"))},
	}
}

func (w *world) create(user chat.UserID, d attachment.Draft) attachment.Created {
	w.Helper()
	c, _, err := w.Files.Create(w.Context(), user, room, d)
	if err != nil {
		w.Fatal(err)
	}
	return c
}

// send sends the bytes of a file and of its preview.
func (w *world) send(c attachment.Created, text string) {
	w.Helper()
	if status := w.bucket.Send(w, c.Put, []byte(text)); status != http.StatusOK {
		w.Fatalf("the file is answered with %d", status)
	}
	if status := w.bucket.Send(w, *c.Preview, []byte("p")); status != http.StatusOK {
		w.Fatalf("the preview is answered with %d", status)
	}
}

// upload uploads a file whole.
func (w *world) upload(user chat.UserID, text string) uuid.UUID {
	w.Helper()
	d := w.draft(text)
	w.send(w.create(user, d), text)
	return d.ID
}

// post posts a message with files.
func (w *world) post(user chat.UserID, files ...uuid.UUID) chat.Message {
	w.Helper()
	m, _, err := w.PostMessage(w.Context(), user, room, chat.MessageDraft{UUID: w.uuid(), Attachments: files})
	if err != nil {
		w.Fatal(err)
	}
	return m
}

func (w *world) remove(m chat.Message) chat.Message {
	w.Helper()
	m, err := w.DeleteMessage(w.Context(), m.ID.User, chat.Revision{Room: room, ID: m.ID, Base: chat.AnyRevision})
	if err != nil {
		w.Fatal(err)
	}
	return m
}

// row returns the item of an upload; nil if there is none.
func (w *world) row(user chat.UserID, id uuid.UUID) table.Item {
	w.Helper()
	item, err := w.store.Table().GetItem(w.Context(), "test", table.UploadKey(room, user, id), dynamo.Strong)
	if err != nil {
		w.Fatal(err)
	}
	return item
}

// kept reports whether there is an upload that does not expire.
func (w *world) kept(user chat.UserID, id uuid.UUID) bool {
	item := w.row(user, id)
	return item != nil && item[table.TTL] == nil
}

// changed gives the projection the change of a message.
func (w *world) changed(kind feed.ChangeType, m chat.Message) error {
	return w.projection.Project(w.Context(), feed.RoomChanges{Room: room, Entries: []feed.AppendedEntry{
		{StreamChange: feed.StreamChange{Change: feed.Change{Type: kind, Message: m.ID}, Item: feed.ChangedItem{Message: &m}}},
	}})
}

// rowOf returns the row that the projection gets when an upload is removed.
func (w *world) rowOf(user chat.UserID, id uuid.UUID) feed.RowChange {
	w.Helper()
	c, err := stream.ParseChange(w.row(user, id), nil)
	if err != nil {
		w.Fatal(err)
	}
	return *c.Row
}

// drop removes an upload as its expiry does, and returns the row that the projection gets.
func (w *world) drop(user chat.UserID, id uuid.UUID) feed.RowChange {
	w.Helper()
	row := w.rowOf(user, id)
	if _, err := w.store.Table().DeleteItem(w.Context(), "test", table.UploadKey(room, user, id)); err != nil {
		w.Fatal(err)
	}
	return row
}

// removed gives the projection the removal of an upload.
func (w *world) removed(row feed.RowChange) error {
	return w.projection.Project(w.Context(), feed.RoomChanges{Room: room, Rows: []feed.RowChange{row}})
}

// wantFiles checks which files the bucket has, without previews.
func (w *world) wantFiles(what string, user chat.UserID, ids ...uuid.UUID) {
	w.Helper()
	var want []string
	for _, id := range ids {
		want = append(want, attachment.FileKey(room, user, id), attachment.PreviewKey(room, user, id))
	}
	slices.Sort(want)
	if got := w.bucket.Keys(w); !slices.Equal(got, want) {
		w.Errorf("%s: the bucket has %q, want %q", what, got, want)
	}
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// wantRule checks that an error is Invalid for a field.
func (w *world) wantRule(what string, err error, field string) {
	w.Helper()
	e, ok := err.(*chat.Error) //nolint:errorlint // it is not wrapped
	if !ok || e.Kind != chat.Invalid || e.Field != field {
		w.Errorf("%s: %v, want an error of %s", what, err, field)
	}
}

const hour = time.Hour
