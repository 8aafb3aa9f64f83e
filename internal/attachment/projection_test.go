package attachment_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// TestProject_FollowsTheMessage keeps the uploads of a message, and removes them with it.
func TestProject_FollowsTheMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	a, b, pending := w.upload("bob", "a"), w.upload("bob", "b"), w.upload("bob", "pending")
	m := w.post("bob", a, b)
	if w.kept("bob", a) || w.kept("bob", b) {
		t.Error("an upload is kept before the feed function has seen its message")
	}
	for range 2 {
		w.must(w.changed(feed.MessageCreated, m))
		if !w.kept("bob", a) || !w.kept("bob", b) || w.kept("bob", pending) {
			t.Error("the uploads of the message are not kept, or another one is")
		}
	}
	deleted := w.remove(m)
	w.wantFiles("before the feed function", "bob", a, b, pending)
	rows := []feed.RowChange{w.rowOf("bob", a), w.rowOf("bob", b)}
	for range 2 {
		w.must(w.changed(feed.MessageDeleted, deleted))
		if w.row("bob", a) != nil || w.row("bob", b) != nil || w.row("bob", pending) == nil {
			t.Error("the uploads of the deleted message are there, or another one is not")
		}
	}
	w.must(w.changed(feed.MessageCreated, m)) // an older change after a newer one
	for range 2 {
		for _, row := range rows {
			w.must(w.removed(row))
		}
	}
	w.wantFiles("in the end", "bob", pending)
}

// TestProject_RemovesWhatNoMessageTook expires an upload.
func TestProject_RemovesWhatNoMessageTook(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	id := w.upload("bob", "plan")
	row := w.drop("bob", id)
	if row.Message != (chat.MessageID{}) {
		t.Errorf("the row is %+v", row)
	}
	w.must(w.removed(row))
	w.wantFiles("in the end", "bob")
}

// TestProject_PutsBackWhatAMessageHas removes the upload of a message that was not projected, as its
// expiry does.
func TestProject_PutsBackWhatAMessageHas(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	id := w.upload("bob", "plan")
	draft := chat.MessageDraft{UUID: w.uuid(), Attachments: []uuid.UUID{id}}
	m, _, err := w.PostMessage(t.Context(), "bob", room, draft)
	w.must(err)
	row := w.drop("bob", id)
	for range 2 {
		w.must(w.removed(row))
		w.wantFiles("of the message", "bob", id)
		if !w.kept("bob", id) {
			t.Error("the upload is not put back")
		}
	}
	if _, replay, err := w.PostMessage(t.Context(), "bob", room, draft); err != nil || !replay {
		t.Errorf("a retry then: %t, %v", replay, err)
	}
	if files, err := w.Files.Files(t.Context(), "bob", room, chat.PageRequest{Limit: 10}); err != nil || len(files.Items) != 1 || files.Items[0].Name != "plan.png" {
		t.Errorf("the files are %+v, %v", files, err)
	}
	deleted := w.remove(m)
	row = w.rowOf("bob", id)
	w.must(w.changed(feed.MessageDeleted, deleted))
	w.must(w.removed(row))
	w.wantFiles("after the deletion", "bob")
	if w.row("bob", id) != nil {
		t.Error("the upload is there after the deletion")
	}
}

// TestProject_IsRepeatedUntilTheBucketAnswers fails for one of two files.
func TestProject_IsRepeatedUntilTheBucketAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	a, b := w.upload("bob", "a"), w.upload("bob", "b")
	work := feed.RoomChanges{Room: room, Rows: []feed.RowChange{w.drop("bob", a), w.drop("bob", b)}}
	w.answer = func(r *http.Request) int {
		if r.URL.Path == "/"+attachment.FileKey(room, "bob", a) {
			return http.StatusForbidden
		}
		return 0
	}
	if err := w.projection.Project(t.Context(), work); err == nil {
		t.Error("a deletion that is refused is no error")
	}
	w.wantFiles("meanwhile", "bob", a)
	w.answer = nil
	w.must(w.projection.Project(t.Context(), work))
	w.wantFiles("in the end", "bob")
}

// TestProject_WithoutABucket does nothing.
func TestProject_WithoutABucket(t *testing.T) {
	t.Parallel()
	m := chat.Message{Attachments: []chat.Attachment{{}}}
	work := feed.RoomChanges{Rows: []feed.RowChange{{Upload: uuid.UUID{1}, Removed: true}}, Entries: []feed.AppendedEntry{{StreamChange: feed.StreamChange{Item: feed.ChangedItem{Message: &m}}}}}
	if err := attachment.NewProjection(nil, nil, nil).Project(t.Context(), work); err != nil {
		t.Error(err)
	}
}

// TestProject_InAnyOrder gives the projection the changes of messages and the removals of uploads in
// any order, some of them several times, while bytes are sent again. In the end the bucket has the
// files of the messages that are there.
func TestProject_InAnyOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	rapid.Check(t, func(rt *rapid.T) {
		w.bucket.Empty(t, "")
		w.clock.Advance(24 * time.Hour)
		var steps []func() error
		var kept []uuid.UUID
		for range rapid.IntRange(1, 3).Draw(rt, "messages") {
			d := w.draft("plan")
			links := w.create("bob", d)
			w.send(links, "plan")
			id := d.ID
			m := w.post("bob", id)
			steps = append(steps, func() error { return w.changed(feed.MessageCreated, m) })
			steps = append(steps, func() error { // the bytes, again
				if status := w.bucket.Send(w, links.Put, []byte("plan")); status != http.StatusPreconditionFailed {
					return fmt.Errorf("late bytes are answered with %d", status)
				}
				return nil
			})
			if rapid.Bool().Draw(rt, "expired") { // before the feed function
				row := w.drop("bob", id)
				steps = append(steps, func() error { return w.removed(row) })
			}
			if !rapid.Bool().Draw(rt, "deleted") {
				kept = append(kept, id)
				continue
			}
			deleted := w.remove(m)
			steps = append(steps, func() error { return w.changed(feed.MessageDeleted, deleted) })
			row := feed.RowChange{Message: m.ID, User: "bob", Upload: id, Removed: true}
			steps = append(steps, func() error { return w.removed(row) })
		}
		order := rapid.Permutation(steps).Draw(rt, "order")
		for _, step := range order {
			for range rapid.IntRange(1, 2).Draw(rt, "times") {
				w.must(step())
			}
		}
		w.wantFiles("in the end", "bob", kept...)
		for _, id := range kept {
			if w.row("bob", id) == nil {
				t.Errorf("the message of %v has no upload", id)
			}
		}
	})
}

// late sends the bytes of a removed file by the links that were given before. The bucket must refuse
// them, and have no file.
func (w *world) late(what string, c attachment.Created, text string) {
	w.Helper()
	for _, status := range []int{w.bucket.Send(w, c.Put, []byte(text)), w.bucket.Send(w, *c.Preview, []byte("p"))} {
		if status != http.StatusPreconditionFailed {
			w.Errorf("%s: late bytes are answered with %d", what, status)
		}
	}
	w.wantFiles(what, "bob")
}

// erase removes a message as its author and the feed function do.
func (w *world) erase(m chat.Message) {
	w.Helper()
	row := w.rowOf("bob", m.Attachments[0].ID)
	w.must(w.changed(feed.MessageDeleted, w.remove(m)))
	w.must(w.removed(row))
}

// TestProject_RefusesLateBytes removes uploads in each way while a link to send may work.
func TestProject_RefusesLateBytes(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*world, attachment.Draft, attachment.Created) attachment.Created{
		"a deleted message": func(w *world, d attachment.Draft, c attachment.Created) attachment.Created {
			w.send(c, "plan")
			w.erase(w.post("bob", d.ID))
			return c
		},
		"a deleted message, after a retry of its upload": func(w *world, d attachment.Draft, c attachment.Created) attachment.Created {
			w.send(c, "plan")
			m := w.post("bob", d.ID)
			w.must(w.changed(feed.MessageCreated, m))
			w.clock.Advance(30 * time.Hour)
			c = w.create("bob", d)
			w.erase(m)
			return c
		},
		"an upload without its bytes": func(w *world, d attachment.Draft, c attachment.Created) attachment.Created {
			w.must(w.removed(w.drop("bob", d.ID)))
			return c
		},
		"a change that is delivered again": func(w *world, d attachment.Draft, c attachment.Created) attachment.Created {
			row := w.drop("bob", d.ID)
			w.must(w.removed(row))
			w.must(w.removed(row))
			return c
		},
		"a change whose first delivery fails halfway": func(w *world, d attachment.Draft, c attachment.Created) attachment.Created {
			w.send(c, "plan")
			row := w.drop("bob", d.ID)
			w.answer = func(r *http.Request) int {
				if strings.HasSuffix(r.URL.Path, "/preview") {
					return http.StatusForbidden
				}
				return 0
			}
			if w.removed(row) == nil {
				w.Error("a removal that is refused succeeds")
			}
			w.answer = nil
			w.must(w.removed(row))
			return c
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, attachment.Limits{})
			d := w.draft("plan")
			c := remove(w, d, w.create("bob", d))
			w.late("immediately", c, "plan")
			w.clock.Advance(attachment.PutLife - time.Second)
			w.late("at the end of the link", c, "plan")
		})
	}
}

// TestProject_WritesNothingForOldFiles deletes a file whose links ended a day ago, and an imported
// one, which nobody sent by a link.
func TestProject_WritesNothingForOldFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	old := w.post("bob", w.upload("bob", "old"))
	w.must(w.changed(feed.MessageCreated, old))
	w.clock.Advance(24*time.Hour + attachment.PutLife + time.Second)
	w.erase(old)
	imported := attachment.Upload{Room: room, User: "bob", Draft: w.draft("plan"), Message: chat.MessageID{User: "bob"}}
	imported.ID = chat.NewUUID(w.clock.Now().Add(-48*time.Hour), [10]byte{1})
	imported.Message.UUID = imported.ID
	_, err := attachment.Import(t.Context(), w.store.Table(), w.bucket.Client, attachment.Imported{Upload: imported, Body: strings.NewReader("plan"), PreviewBody: strings.NewReader("p")})
	w.must(err)
	w.must(w.removed(w.drop("bob", imported.ID)))
	w.wantFiles("in the end", "bob")
	if keys := w.bucket.EmptyKeys(t); len(keys) != 0 {
		t.Errorf("the bucket has the empty objects %q", keys)
	}
}

// TestCreate_OfARemovedUpload announces a removed upload again, with its id. The bytes are refused,
// and so is a message: clients then use a new id.
func TestCreate_OfARemovedUpload(t *testing.T) {
	t.Parallel()
	w := newWorld(t, attachment.Limits{})
	d := w.draft("plan")
	w.create("bob", d)
	w.must(w.removed(w.drop("bob", d.ID)))
	w.late("announced again", w.create("bob", d), "plan")
	_, _, err := w.PostMessage(t.Context(), "bob", room, chat.MessageDraft{UUID: w.uuid(), Attachments: []uuid.UUID{d.ID}})
	w.wantRule("a message", err, "attachments[0]")
}
