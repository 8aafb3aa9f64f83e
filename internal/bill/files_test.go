package bill

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	conns "example.com/parley/internal/live"
	"example.com/parley/internal/people"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/tabletest"
)

// filing is the consumption of one file: the announcement, the message that takes it, and the feed
// function, which keeps it. linking is the consumption of a request for links to it, and finding
// the consumption of a person in a query by ids.
var (
	filing  = operation{reads: 2, writes: 6}
	linking = operation{reads: 2.5}
	finding = operation{reads: 0.5}
)

// TestFiling_MatchesTheBill counts the consumption of a file on the real engine, from its
// announcement to its links, beyond the cost of a message without files.
func TestFiling_MatchesTheBill(t *testing.T) {
	t.Parallel()
	states(t, guide, fmt.Sprintf("The engine counts DynamoDB's units: a file %g writes and %g reads (4 writes", filing.writes, filing.reads), fmt.Sprintf("a request for links %g reads", linking.reads))
	db := tabletest.Start(t, "bill")
	tabletest.CreateLog(t, db, "log")
	tabletest.CreateLive(t, db, "live")
	var used operation
	observe := func(_ context.Context, u dynamo.Usage) {
		if u.Write {
			used.writes += u.Units
		} else {
			used.reads += u.Units
		}
	}
	store, files := dynamo.New(db, dynamo.Options{Table: "bill", Clock: time.Now, Observe: observe}), buckettest.New(t, time.Now)
	s := app.New(app.Options{
		Store: store, Logs: activity.NewStore(dynamo.NewLogTable(db, "log", nil)), Live: conns.NewTable(dynamo.NewTable(db, "live", nil)),
		Clock: time.Now, Random: rand.Reader, Bucket: files.Client,
	})
	count := func(f func() error) operation {
		t.Helper()
		used = operation{}
		if err := f(); err != nil {
			t.Fatal(err)
		}
		return used
	}
	_, _, err := s.PutRoom(t.Context(), "ada", "seattle", chat.RoomDraft{})
	if err != nil {
		t.Fatal(err)
	}
	post := func(files ...uuid.UUID) (m chat.Message) {
		m, _, err = s.PostMessage(t.Context(), "ada", "seattle", chat.MessageDraft{Text: "hello", Attachments: files})
		return m
	}
	post() // fills the caches
	without := count(func() error { post(); return err })
	picture, id := []byte("a picture"), chat.NewUUID(time.Now(), [10]byte{1})
	draft := attachment.Draft{ID: id, File: chat.Attachment{Name: "plan.png", Type: "image/png", Bytes: int64(len(picture))}, Sum: sha256.Sum256(picture)}
	draft.Preview = &bucket.File{Type: "image/png", Bytes: draft.File.Bytes, SHA256: draft.Sum}
	var m chat.Message
	total := count(func() error {
		created, _, err := s.Files.Create(t.Context(), "ada", "seattle", draft)
		if err != nil {
			return err
		}
		for _, link := range []bucket.Link{created.Put, *created.Preview} {
			if status := files.Send(t, link, picture); status != 200 {
				t.Fatalf("send: %d", status)
			}
		}
		m = post(id)
		return err
	})
	total.writes += count(func() error {
		if err != nil {
			return err
		}
		created := feed.RoomChanges{Room: "seattle", Entries: []feed.AppendedEntry{{StreamChange: feed.StreamChange{Change: feed.Change{Type: feed.MessageCreated}, Item: feed.ChangedItem{Message: &m}}}}}
		return attachment.NewProjection(store.Table(), store, files.Client).Project(t.Context(), created)
	}).writes
	total.reads, total.writes = total.reads-without.reads, total.writes-without.writes
	links := count(func() error {
		_, err := s.Files.Links(t.Context(), "ada", "seattle", attachment.LinkQuery{Messages: []chat.MessageID{m.ID}})
		return err
	})
	if _, _, err := s.People.PutPerson(t.Context(), "ada", people.Draft{Name: "Ada"}); err != nil {
		t.Fatal(err)
	}
	found := count(func() error {
		_, err := s.People.ByID(t.Context(), "bob", []chat.UserID{"ada"})
		return err
	})
	if !near(found.reads, finding.reads) || found.writes != 0 {
		t.Errorf("a person by id consumes %+v, but the bill states %+v", found, finding)
	}
	if !near(total.reads, filing.reads) || !near(total.writes, filing.writes) || !near(links.reads, linking.reads) {
		t.Errorf("a file consumes %+v and its links %+v, but the bill states %+v and %+v", total, links, filing, linking)
	}
}
