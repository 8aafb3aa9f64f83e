package purge_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/invite"
	conns "example.com/parley/internal/live"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/purge"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/test/tabletest"
	"example.com/parley/internal/thread"
)

const live = "live"

// world is a table in use, with the feed function and a clock that the test advances.
type world struct {
	*testing.T
	*app.Services
	endpoint string
	db       *dynamodb.Client
	now      time.Time
	random   *rand.ChaCha8
	stream   *feedtest.Stream
	feed     *stream.Handler
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, endpoint: enginetest.Start(t), random: rand.NewChaCha8([32]byte{1})}
	w.now, w.db = time.Now().Add(-time.Hour).UTC().Truncate(time.Second), dynamo.LocalClient(w.endpoint)
	tabletest.Create(t, w.db, live)
	tabletest.CreateLog(t, w.db, "log")
	tabletest.CreateLive(t, w.db, "connections")
	w.stream = feedtest.Open(t, w.endpoint, live)
	store := dynamo.New(w.db, dynamo.Options{Table: live, Clock: w.clock})
	w.Services = app.New(app.Options{
		Store: store, Logs: activity.NewStore(dynamo.NewLogTable(w.db, "log", nil)), Live: conns.NewTable(dynamo.NewTable(w.db, "connections", nil)), Clock: w.clock, Random: w.random, SendBurst: 1e6,
		Bucket: buckettest.New(t, w.clock).Client,
	})
	w.feed = stream.NewHandler(stream.Options{Store: store, Clock: w.clock, Log: slog.New(slog.DiscardHandler), Projections: []stream.Projection{thread.NewProjection(store.Table())}})
	return w
}

func (w *world) clock() time.Time {
	w.now = w.now.Add(time.Millisecond) // no two changes have the same time
	return w.now
}

// pump acts as the feed function: it handles the records of the latest changes.
func (w *world) pump() {
	w.Helper()
	records := w.stream.Next(w)
	if len(records) == 0 {
		return
	}
	for i := range records {
		records[i].Change.ApproximateCreationDateTime = events.SecondsEpochTime{Time: w.now}
	}
	r, err := w.feed.Handle(w.Context(), events.DynamoDBEvent{Records: records})
	if err != nil || len(r.BatchItemFailures) > 0 {
		w.Fatal(err, r)
	}
}

// ok ends the test if a call has failed.
func (w *world) ok(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// upload announces a file. It removes what counts it, which is not the room's.
func (w *world) upload(id chat.RoomID) {
	w.Helper()
	d := attachment.Draft{ID: chat.NewUUID(w.now, [10]byte{1}), File: chat.Attachment{Name: "plan.png", Type: "image/png", Bytes: 1}}
	_, _, err := w.Files.Create(w.Context(), "al", id, d)
	w.ok(err)
	_, err = dynamo.NewTable(w.db, live, nil).DeleteItem(w.Context(), "test", table.UploadsKey("al", w.now))
	w.ok(err)
}

// fill creates a room and gives it every kind of content. The id must be a public room's.
func (w *world) fill(id chat.RoomID) {
	w.Helper()
	ctx, shards := w.Context(), 3
	_, created, err := w.PutRoom(ctx, "owner", id, chat.RoomDraft{Shards: &shards, SlowMode: new(time.Second), SystemMessages: new(false)}) // which would name all who left
	if w.ok(err); !created {
		w.Fatal(id, "exists")
	}
	set := func(by, user chat.UserID, role policy.Role) {
		w.Helper()
		_, _, err := w.Members.SetMember(ctx, by, chat.MemberOf{Room: id, User: user}, role)
		w.ok(err)
	}
	for _, user := range []chat.UserID{"al", "Al", "al+b", "seattle", "mute"} {
		set(user, user, policy.Member)
	}
	until := membership.Restriction{Role: policy.Banned, Until: w.now.Add(time.Hour)}
	_, _, err = w.Members.Restrict(ctx, "owner", chat.MemberOf{Room: id, User: "Al"}, until)
	w.ok(err)
	set("owner", "troll", policy.Banned)
	set("owner", "mute", policy.Muted)
	w.ok(w.Members.RemoveMember(ctx, "mute", chat.MemberOf{Room: id, User: "mute"}))
	for _, user := range []chat.UserID{"owner", "al", "al+b", "passer-by", "seattle-1"} {
		for range 2 {
			w.now = w.now.Add(2 * time.Second)
			w.message(id, user)
		}
	}
	for range 2 {
		_, _, err := w.Invites.Create(ctx, "owner", id, invite.Draft{})
		w.ok(err)
	}
	_, _, err = w.Incoming.Create(ctx, "owner", id, "Alerts")
	w.ok(err)
	w.upload(id)
	for base := range 3 {
		for _, doc := range []document.ID{"charter", "seattle"} {
			_, _, err := w.Documents.SavePart(ctx, "owner", document.PartDraft{Room: id, Document: doc, Part: "preamble", Text: "t", Base: base})
			w.ok(err)
		}
	}
	w.pump()
	for _, user := range []chat.UserID{"owner", "al", "reader", "lurker"} {
		c, err := w.Feed.Changes(ctx, user, id, chat.FeedPosition{}, 1)
		w.ok(err)
		_, err = w.Inbox.MarkRead(ctx, user, id, c.Head)
		w.ok(err)
	}
}

// message posts a message, edits it twice and reports it. One in three is deleted.
func (w *world) message(id chat.RoomID, user chat.UserID) {
	w.Helper()
	ctx := w.Context()
	m, _, err := w.PostMessage(ctx, user, id, chat.MessageDraft{Text: "text"})
	w.ok(err)
	reply, _, err := w.PostMessage(ctx, "owner", id, chat.MessageDraft{Text: "reply", Thread: m.ID, ShowInRoom: m.ID.UUID[15]%2 == 0})
	w.ok(err)
	w.ok(w.Threads.Follow(ctx, "reader", thread.Root{Room: id, ID: m.ID}, reply.ShowInRoom))
	report, _, err := w.Reports.Report(ctx, "reader", id, m.ID, "spam")
	w.ok(err)
	if err := w.Pins.Pin(ctx, "owner", id, m.ID); chat.KindOf(err) != chat.Conflict { // beyond 100
		w.ok(err)
	}
	w.ok(w.Saved.Save(ctx, "reader", id, m.ID))
	for _, text := range []string{"edited", "edited twice"} {
		w.now = w.now.Add(2 * time.Second) // for slow mode
		_, _, err = w.EditMessage(ctx, user, chat.Revision{Room: id, ID: m.ID, Base: chat.AnyRevision}, chat.MessageEdit{Text: &text})
		w.ok(err)
	}
	if m.ID.UUID[15]%3 == 0 {
		_, err = w.DeleteMessage(ctx, user, chat.Revision{Room: id, ID: m.ID, Base: chat.AnyRevision})
		w.ok(err)
		_, err = w.Reports.Resolve(ctx, "owner", id, report.ID)
		w.ok(err)
	}
}

// end deletes a room, and lets the requests from before end.
func (w *world) end(id chat.RoomID) {
	w.Helper()
	w.ok(w.DeleteRoom(w.Context(), "owner", id, nil))
	w.now = w.now.Add(time.Minute)
}

// dump returns every item of a table as text by key.
func (w *world) dump(name string) map[string]string {
	w.Helper()
	all := map[string]string{}
	for _, item := range w.items(name) {
		text := &bytes.Buffer{}
		for _, attribute := range slices.Sorted(maps.Keys(item)) {
			w.ok(json.NewEncoder(text).Encode([]any{attribute, item[attribute]}))
		}
		all[table.KeyText(item)] = text.String()
	}
	return all
}

// expire removes the segments of a room's feed, and its head on request.
func (w *world) expire(room chat.RoomID, head bool) {
	w.Helper()
	for _, item := range w.items(live) {
		if table.PartitionOf(item) == table.FeedPK(room) && (head || table.KindOf(item) != table.FeedHeadKind) {
			_, err := dynamo.NewTable(w.db, live, nil).DeleteItem(w.Context(), "test", table.ItemKey(item))
			w.ok(err)
		}
	}
}

func (w *world) items(name string) []table.Item {
	w.Helper()
	var all []table.Item
	pages := dynamodb.NewScanPaginator(w.db, &dynamodb.ScanInput{TableName: &name, ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(w.Context())
		w.ok(err)
		all = append(all, page.Items...)
	}
	return all
}

// copyTo copies the table to a new one.
func (w *world) copyTo(name string) {
	w.Helper()
	tabletest.Create(w.T, w.db, name)
	for batch := range slices.Chunk(w.items(live), 25) {
		var puts []types.WriteRequest
		for _, item := range batch {
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
		_, err := w.db.BatchWriteItem(w.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{name: puts}})
		w.ok(err)
	}
}

// job returns a purge of a room that writes.
func (w *world) job(name string, room chat.RoomID) *purge.Job {
	return purge.New(w.options(name, room))
}

func (w *world) options(name string, room chat.RoomID) purge.Options {
	return purge.Options{
		DB: w.db, Table: name, Room: room, Clock: func() time.Time { return w.now },
		Reads: scan.NewRateLimiter(1e9, time.Now), Writes: scan.NewRateLimiter(1e9, time.Now),
	}
}

// searched searches the whole table.
func (w *world) searched(j *purge.Job) {
	w.Helper()
	w.ok(j.Search(w.Context(), &scan.Progress{}, func() error { return nil }))
}

// unnamed is the only item that a purge finds only by its search: the marker of somebody who only
// read.
const unnamed = "u#lurker read#seattle"

// forgotten is the item that a purge finds only by the feed: the mute of somebody who left.
const forgotten = "u#mute standing#seattle"

// wantRemains checks that a table has the items of before, and of a deleted room only those that
// stay forever and some more.
func (w *world) wantRemains(name string, before map[string]string, room chat.RoomID, more ...string) {
	w.Helper()
	now := w.dump(name)
	for key, item := range before {
		if now[key] != item {
			w.Errorf("%s is another:\n%s%s", key, item, now[key])
		}
		delete(now, key)
	}
	want := append([]string{table.KeyText(table.FeedHeadKey(room)), table.KeyText(table.MetadataKey(room))}, more...)
	if left := slices.Sorted(maps.Keys(now)); !slices.Equal(left, want) {
		w.Errorf("of %s are left %q, want %q", room, left, want)
	}
	var head feed.Head
	head, err := dynamo.New(w.db, dynamo.Options{Table: name, Clock: w.clock}).CurrentFeedHead(w.Context(), room)
	if w.ok(err); !head.Closed {
		w.Errorf("the feed of %s is open", room)
	}
}

func wantNotDeleted(t *testing.T, err error, exists bool) {
	t.Helper()
	if refused := (*purge.NotDeletedError)(nil); !errors.As(err, &refused) || refused.Exists != exists {
		t.Errorf("%v, want that the room is not deleted", err)
	}
}
