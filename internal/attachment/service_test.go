package attachment_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/chattest"
)

// TestCreate_RetriesReturnNewLinks repeats each step as if its answer were lost.
func TestCreate_RetriesReturnNewLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	d := w.draft("plan")
	first := w.create("bob", d)
	w.clock.Advance(20 * time.Minute)
	if status := w.bucket.Send(t, first.Put, []byte("plan")); status != http.StatusForbidden {
		t.Errorf("an expired link is answered with %d", status)
	}
	again, replay, err := w.Files.Create(t.Context(), "bob", room, d)
	if err != nil || !replay || !again.Until.Equal(w.clock.Now().Add(15*time.Minute)) {
		t.Fatalf("%+v, %t, %v", again, replay, err)
	}
	w.send(again, "plan")
	for _, c := range []attachment.Created{again, w.create("bob", d)} {
		if status := w.bucket.Send(t, c.Put, []byte("plan")); status != http.StatusPreconditionFailed {
			t.Errorf("a second file is answered with %d", status)
		}
	}
	other := d
	other.File.Name = "other.png"
	_, _, err = w.Files.Create(t.Context(), "bob", room, other)
	chattest.WantKind(t, "another file with the id", err, chat.Conflict)
	if _, replay, err := w.Files.Create(t.Context(), "amsg", room, other); replay || err != nil {
		t.Errorf("another person's file with the id: %t, %v", replay, err)
	}
	draft := chat.MessageDraft{UUID: w.uuid(), Attachments: []uuid.UUID{d.ID}}
	for n := range 3 {
		m, replay, err := w.PostMessage(t.Context(), "bob", room, draft)
		if err != nil || replay != (n > 0) || len(m.Attachments) != 1 || m.Attachments[0].Name != "plan.png" || !m.Attachments[0].Preview {
			t.Fatalf("attempt %d: %+v, %t, %v", n, m, replay, err)
		}
		if n == 1 {
			w.must(w.changed(feed.MessageCreated, m)) // the last attempt comes after the feed function
		}
	}
}

// TestPostMessage_IsRetriedAfterItsDeletion finds the message although its uploads are gone.
func TestPostMessage_IsRetriedAfterItsDeletion(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	draft := chat.MessageDraft{UUID: w.uuid(), Text: "look", Attachments: []uuid.UUID{w.upload("bob", "plan")}}
	m, _, err := w.PostMessage(t.Context(), "bob", room, draft)
	w.must(err)
	w.remove(m)
	w.must(w.removed(w.drop("bob", draft.Attachments[0])))
	if m, replay, err := w.PostMessage(t.Context(), "bob", room, draft); err != nil || !replay || !m.Deleted() {
		t.Errorf("%+v, %t, %v, want the tombstone", m, replay, err)
	}
	draft.Text = "another"
	_, _, err = w.PostMessage(t.Context(), "bob", room, draft)
	chattest.WantKind(t, "other content", err, chat.Conflict)
}

// TestPostMessage_ChecksItsFiles has a row for each upload that a message cannot have.
func TestPostMessage_ChecksItsFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	chattest.CreateRoom(t, w.Services, "tacoma", 1)
	good, taken := w.upload("bob", "good"), w.upload("bob", "taken")
	w.post("bob", taken)
	unsent := w.draft("unsent")
	w.create("bob", unsent)
	half := w.draft("half")
	if status := w.bucket.Send(t, w.create("bob", half).Put, []byte("half")); status != http.StatusOK {
		t.Fatal(status)
	}
	send := func(user chat.UserID, in chat.RoomID, files ...uuid.UUID) error {
		_, _, err := w.PostMessage(t.Context(), user, in, chat.MessageDraft{UUID: w.uuid(), Attachments: files})
		return err
	}
	w.wantRule("an unknown id", send("bob", room, good, w.uuid()), "attachments[1]")
	w.wantRule("another person's", send("amsg", room, good), "attachments[0]")
	w.wantRule("of another room", send("bob", "tacoma", good), "attachments[0]")
	w.wantRule("of another message", send("bob", room, good, taken), "attachments[1]")
	w.wantRule("without bytes", send("bob", room, good, unsent.ID), "attachments[1]")
	w.wantRule("without a preview", send("bob", room, half.ID), "attachments[0]")
	w.wantRule("twice", send("bob", room, good, good), "attachments[1]")
	w.wantRule("too many", send("bob", room, slices.Repeat([]uuid.UUID{good}, chat.MaxAttachments+1)...), "attachments")
	w.wantRule("neither text nor files", send("bob", room), "text")
	w.post("bob", good) // which no refused message has taken

	late := w.upload("bob", "late")
	w.clock.Advance(47*hour + time.Second)
	w.wantRule("in the last hour", send("bob", room, late), "attachments[0]")
}

// TestPostMessage_NeedsTheBucket fails for now while the bucket does not answer.
func TestPostMessage_NeedsTheBucket(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	draft := chat.MessageDraft{UUID: w.uuid(), Attachments: []uuid.UUID{w.upload("bob", "plan")}}
	for _, status := range []int{http.StatusInternalServerError, http.StatusMovedPermanently, 0} {
		w.answer = func(*http.Request) int { return status }
		_, _, err := w.PostMessage(t.Context(), "bob", room, draft)
		if want := chat.Unavailable; status == 0 && err != nil || status != 0 && chat.KindOf(err) != want {
			t.Errorf("the bucket answers %d: %v", status, err)
		}
	}
}

// TestCreate_CountsADay fills what a day allows, in number and in bytes.
func TestCreate_CountsADay(t *testing.T) {
	t.Parallel()
	for what, limits := range map[string]attachment.Limits{
		"number": {FileBytes: 100, DayBytes: 1000, DayFiles: 3}, "bytes": {FileBytes: 4, DayBytes: 12, DayFiles: 100},
	} {
		w := newWorld(t, limits)
		last := w.draft("plan")
		for range 2 {
			w.create("bob", w.draft("plan"))
		}
		w.create("bob", last)
		_, _, err := w.Files.Create(t.Context(), "bob", room, w.draft("plan"))
		e, _ := err.(*chat.Error) //nolint:errorlint // it is not wrapped
		if e == nil || e.Kind != chat.RateLimited || e.Limit != "uploads" || e.RetryAfter != 12*hour {
			t.Errorf("%s: %+v, want a wait until midnight", what, err)
		}
		if _, replay, err := w.Files.Create(t.Context(), "bob", room, last); err != nil || !replay {
			t.Errorf("%s: a retry counts: %t, %v", what, replay, err)
		}
		if _, _, err := w.Files.Create(t.Context(), "amsg", room, w.draft("plan")); err != nil {
			t.Errorf("%s: another person: %v", what, err)
		}
		w.clock.Advance(12 * hour)
		if _, _, err := w.Files.Create(t.Context(), "bob", room, w.draft("plan")); err != nil {
			t.Errorf("%s: the next day: %v", what, err)
		}
	}
	w := newWorld(t, attachment.Limits{FileBytes: 100, DayBytes: 3, DayFiles: 1})
	_, _, err := w.Files.Create(t.Context(), "bob", room, w.draft("plan"))
	w.wantRule("a file larger than a day's", err, "bytes")
}

// TestCreate_ConcurrentlyWithinTheLimit announces more files at the same time than a day allows.
func TestCreate_ConcurrentlyWithinTheLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{FileBytes: 100, DayBytes: 1000, DayFiles: 5})
	var all sync.WaitGroup
	var created atomic.Int64
	for range 20 {
		d := w.draft("plan")
		all.Go(func() {
			for {
				_, _, err := w.Files.Create(t.Context(), "bob", room, d)
				switch chat.KindOf(err) {
				case chat.Unavailable: // others change the count
					continue
				case chat.RateLimited:
				case 0:
					created.Add(1)
				default:
					t.Error(err)
				}
				return
			}
		})
	}
	all.Wait()
	if created.Load() != 5 {
		t.Errorf("%d files were accepted, want 5", created.Load())
	}
}

// TestLinks_AreBounded asks for the links of more messages, or of more files, than one answer has, and
// of as many.
func TestLinks_AreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	for _, n := range []int{0, attachment.MaxLinked + 1} {
		_, err := w.Files.Links(t.Context(), "bob", room, attachment.LinkQuery{Messages: make([]chat.MessageID, n)})
		w.wantRule("the number of messages", err, "messages")
	}
	full := make([]chat.MessageID, attachment.MaxLinks/chat.MaxAttachments+1)
	many := attachment.NewService(attachment.Options{Bucket: buckettest.New(t, time.Now).Client, Rooms: w.Service, Messages: manyFiles{}, Clock: time.Now})
	for i := range full {
		full[i] = chat.MessageID{UUID: chat.NewUUID(chattest.Start, [10]byte{3: byte(i)}), User: "bob"}
	}
	_, err := many.Links(t.Context(), "bob", room, attachment.LinkQuery{Messages: full})
	w.wantRule("the number of files", err, "messages")
	links, err := many.Links(t.Context(), "bob", room, attachment.LinkQuery{Messages: full[1:]})
	if err != nil || len(links) != attachment.MaxLinks || links[0].Message != full[1] || links[len(links)-1].Message != full[len(full)-1] {
		t.Errorf("as many as one answer has, in their order: %d, %v", len(links), err)
	}
}

// manyFiles is a source of messages that all have the most files.
type manyFiles struct{}

func (manyFiles) MessagesSoon(_ context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	all := map[chat.MessageID]chat.Message{}
	for _, id := range ids {
		all[id] = chat.Message{Room: room, ID: id, Attachments: make([]chat.Attachment, chat.MaxAttachments)}
	}
	return all, nil
}

// TestCreate_WithoutABucket checks a deployment that stores no files.
func TestCreate_WithoutABucket(t *testing.T) {
	t.Parallel()
	s := attachment.NewService(attachment.Options{Clock: time.Now})
	_, _, err := s.Create(t.Context(), "bob", room, attachment.Draft{})
	chattest.WantKind(t, "create", err, chat.Conflict)
	_, err = s.Attach(t.Context(), room, chat.MessageID{}, []uuid.UUID{{}})
	chattest.WantKind(t, "attach", err, chat.Conflict)
}
