package attachment_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

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
