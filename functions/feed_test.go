package functions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/pin"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/requests"
	"example.com/parley/internal/test/runtimestub"
	"example.com/parley/internal/test/tabletest"
)

const (
	// helo is the message that the events create, edit and delete.
	helo = "0165858e-e8db-7000-8000-000000000001~amsg"
	// poisoned is the number of the unreadable record in the stream of the events.
	poisoned = "400000000000000000017"
	// streamLabel is the label of the events' stream, and therefore the generation of their feeds.
	streamLabel = "2018-08-29T11:59:00.000"
	// feedDays is the retention of segments in the template.
	feedDays = 90
)

// feedWants holds the entries that each batch appends to the feeds. The order matters: an
// event may depend on those before it.
var feedWants = []struct {
	batch string
	// refused reports whether the queue refuses messages for now.
	refused bool
	// appended are the new entries, by room, with their numbers.
	appended []string
	// retried are the numbers of the records from which Lambda is to retry.
	retried []string
	// failures are the failures that reach the queue, as room and key.
	failures []string
}{
	{batch: "irrelevant"},
	{batch: "room-made", appended: []string{"seattle 1 room.changed", "seattle 2 member.changed amsg"}},
	{batch: "message-created", appended: []string{"seattle 3 message.created " + helo + " 1"}},
	{batch: "message-created"},
	{batch: "duplicate"},
	{batch: "message-edited", appended: []string{"seattle 4 message.edited " + helo + " 2"}},
	{batch: "message-deleted", appended: []string{"seattle 5 message.deleted " + helo + " 3"}},
	{batch: "message-edited"},
	{batch: "member-joined", appended: []string{"seattle 6 member.changed bob"}},
	{batch: "member-changed", appended: []string{"seattle 7 member.changed bob"}},
	{batch: "member-left", appended: []string{"seattle 8 member.changed bob"}},
	{batch: "member-left"},
	{batch: "personal"},         // only for the person's connections
	{batch: "person-suspended"}, // the same
	{batch: "person-deleted"},   // an account that no longer asks for this step
	{batch: "member-removed", appended: []string{"seattle 9 member.changed carol"}},
	{batch: "room-changed", appended: []string{"seattle 10 room.changed"}},
	{batch: "batch-of-rooms", appended: []string{
		"portland 1 room.changed", "portland 2 member.changed bob", "portland 3 message.created 01658598-109b-7000-8000-00000000000b~bob 1",
		"seattle 11 message.created 01658597-263b-7000-8000-00000000000a~amsg 1", "seattle 12 message.created 01658598-fafb-7000-8000-00000000000c~carol 1",
	}},
	// The records before and after the poisoned record are entered. The poisoned record is entered
	// once its failure is in the queue.
	{batch: "poison", refused: true, retried: []string{poisoned}, appended: []string{
		"portland 4 message.created 01658599-e55b-7000-8000-00000000000d~bob 1", "seattle 13 message.created 0165859a-cfbb-7000-8000-00000000000e~amsg 1",
	}},
	{batch: "poison", appended: []string{"seattle 14 unknown amsg#yesterday#1"}, failures: []string{"seattle amsg#yesterday#1"}},
	{batch: "poison", failures: []string{"seattle amsg#yesterday#1"}},
	{batch: "reply-created", appended: []string{"seattle 15 reply.created 0165859b-ba1b-7000-8000-00000000000f~amsg 1"}},
	{batch: "message-pinned", appended: []string{"seattle 16 pins.changed " + helo + " 1"}},
	{batch: "message-pinned"},
	{batch: "counts-changed", appended: []string{"seattle 17 counts.changed " + helo + " 1"}},
	{batch: "reaction"}, // counted by the function: the message is not in the table
	{batch: "file-posted", appended: []string{"seattle 18 message.created 0165859c-a47b-7000-8000-000000000010~bob 1"}},
	{batch: "file-deleted", appended: []string{"seattle 19 message.deleted 0165859c-a47b-7000-8000-000000000010~bob 2"}},
	{batch: "upload-removed"}, // and with it the file
	{batch: "upload-expired"}, // although its message is in the table
	{batch: "irrelevant"},
}

//golden:record
func TestFeed_AppendsEveryEventAsInLambda(t *testing.T) {
	w := newFeedWorld(t)
	w.open("seattle")
	w.pin("seattle", helo)
	const file = "seattle/bob/0165859c-a47b-7000-8000-0000000000f1"
	w.files.put(file)
	w.files.put(file + "/preview")
	w.files.put("seattle/bob/0165859c-a47b-7000-8000-0000000000f3")
	kept := w.attach("seattle", "bob")
	w.files.put("seattle/bob/" + kept.ID.String())
	var used []string
	for _, want := range feedWants {
		used = append(used, want.batch)
		w.queue.refuse(want.refused)
		before := w.entries()
		retried := w.deliver(requests.BatchOf(want.batch))
		if diff := cmp.Diff(want.retried, retried); diff != "" {
			t.Errorf("%s: records to retry (-want +got):\n%s", want.batch, diff)
		}
		appended := slices.DeleteFunc(w.entries(), func(e string) bool { return slices.Contains(before, e) })
		if diff := cmp.Diff(want.appended, appended, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: entries (-want +got):\n%s", want.batch, diff)
		}
		if diff := cmp.Diff(want.failures, w.queue.take(t)); diff != "" {
			t.Errorf("%s: failures (-want +got):\n%s", want.batch, diff)
		}
	}
	for _, b := range requests.Batches {
		if !slices.Contains(used, b.Name) {
			t.Errorf("no delivery of the batch %s", b.Name)
		}
	}
	if rows, _, err := mention.NewStore(w.store().Table()).MentionsAfter(t.Context(), chat.MemberOf{Room: "seattle", User: "bob"}, 0, 10); err != nil || len(rows) != 1 || rows[0].Message != (chat.MessageID{}) {
		t.Errorf("the deleted message still mentions somebody: %+v, %v", rows, err)
	}
	if pins, err := pin.Read(t.Context(), w.store().Table(), "seattle", dynamo.Strong); err != nil || len(pins) != 0 {
		t.Errorf("the deleted message is still pinned: %+v, %v", pins, err)
	}
	if keys := w.files.keys(); !slices.Equal(keys, []string{file, file + "/preview", "seattle/bob/" + kept.ID.String()}) {
		t.Errorf("the bucket has %q, not only the file of a message and empty objects", keys)
	}
	if keys := w.files.removed(); !slices.Equal(keys, []string{file, file + "/preview"}) {
		t.Errorf("%q are empty", keys)
	}
	if item, err := w.store().Table().GetItem(t.Context(), "test", table.UploadKey("seattle", "bob", kept.ID), dynamo.Strong); err != nil || item == nil {
		t.Errorf("the upload of a message is gone: %v", err)
	}
	w.checkSegments("seattle", 5)
	w.checkSegments("portland", 2)
}

// TestFeed_ImportedMentions delivers a message that an import wrote and that mentions bob.
//
//golden:record
func TestFeed_ImportedMentions(t *testing.T) {
	w := newFeedWorld(t)
	w.open("seattle")
	event := strings.ReplaceAll(requests.BatchOf("message-created"), `"NewImage": {`, `"NewImage": {"imported": {"N": "1"},`)
	if retried := w.deliver(event); len(retried) > 0 {
		t.Errorf("retried %v", retried)
	}
	rows, _, err := mention.NewStore(w.store().Table()).MentionsAfter(t.Context(), chat.MemberOf{Room: "seattle", User: "bob"}, 0, 10)
	if err != nil || len(rows) != 1 || !rows[0].Imported {
		t.Errorf("mentions are %+v, %v", rows, err)
	}
}

// feedWorld is the function's process with its table and queue.
type feedWorld struct {
	t     *testing.T
	fn    *runtimestub.Function
	db    *dynamodb.Client
	queue *queueStub
	files *filesStub
	// connections receives the frames.
	connections *connectionStub
}

const (
	feedTable     = "EventsFeed"
	feedLiveTable = "EventsFeedLive"
)

func newFeedWorld(t *testing.T) *feedWorld {
	t.Helper()
	endpoint := enginetest.Start(t)
	w := &feedWorld{t: t, db: dynamo.LocalClient(endpoint), queue: newQueueStub(t), files: newFilesStub(t)}
	tabletest.Create(t, w.db, feedTable)
	tabletest.CreateLive(t, w.db, feedLiveTable)
	var address string
	w.connections, address = newConnectionStub(t)
	made := map[string]string{"Table": feedTable, "LiveTable": feedLiveTable, "FailureQueue": w.queue.url("failures"), "FilesBucket": filesBucket}
	env := environment(t, "feed", made, recorder.Proxy(t, "feed", endpoint))
	w.fn = start(t, "feed", append(env,
		"AWS_ENDPOINT_URL_SQS="+recorder.Proxy(t, "feed", w.queue.url("")),
		config.EnvStorageEndpoint+"="+recorder.Proxy(t, "feed", w.files.url),
		config.EnvSocketEndpoint+"="+recorder.Proxy(t, "feed", address)+"/ws"))
	return w
}

// deliver invokes the function with an event, and returns the records that it wants to be retried.
func (w *feedWorld) deliver(event string) []string {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), testTime)
	defer cancel()
	answer, err := w.fn.Invoke(ctx, []byte(event))
	if err != nil {
		w.t.Fatal(err)
	}
	var response events.DynamoDBEventResponse
	if err := json.Unmarshal(answer, &response); err != nil || !strings.Contains(string(answer), `"batchItemFailures":[`) {
		w.t.Fatalf("%v\n%s", err, answer)
	}
	var retried []string
	for _, f := range response.BatchItemFailures {
		retried = append(retried, f.ItemIdentifier)
	}
	return retried
}

// store returns the store of the function's table.
func (w *feedWorld) store() *dynamo.Store {
	return dynamo.New(w.db, dynamo.Options{Table: feedTable, Clock: time.Now})
}

// open creates a public room, whose messages may mention everyone.
func (w *feedWorld) open(id chat.RoomID) {
	w.t.Helper()
	room := chat.Room{ID: id, CreatedBy: "amsg", CreatedAt: time.Now(), Shards: 1, DigestKey: []byte("k")}
	if created, err := w.store().CreateRoom(w.t.Context(), room, chat.OwnerOf(room, "amsg")); !created || err != nil {
		w.t.Fatal(created, err)
	}
}

// pin pins a message in the table. The function receives no record of it.
func (w *feedWorld) pin(room chat.RoomID, message string) {
	w.t.Helper()
	id, err := chat.ParseMessageID(message)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, ok, err := pin.Put(w.t.Context(), w.store().Table(), room, pin.Pin{Message: id, By: "bob", At: time.Now()}, 1); !ok || err != nil {
		w.t.Fatal(ok, err)
	}
}

// attach stores a message with the file whose upload the batches expire. The function receives no
// record of it.
func (w *feedWorld) attach(room chat.RoomID, user chat.UserID) chat.Attachment {
	w.t.Helper()
	file := chat.Attachment{ID: uuid.MustParse("0165859c-a47b-7000-8000-0000000000f2"), Name: "kept.png", Type: "image/png", Bytes: 70}
	id := chat.MessageID{UUID: uuid.MustParse("0165859c-a47b-7000-8000-000000000011"), User: user}
	m := chat.Message{Room: room, ID: id, ReceivedAt: id.SentAt(), Digest: []byte("digest"), Attachments: []chat.Attachment{file}}
	if _, created, err := w.store().PutMessage(w.t.Context(), m); err != nil || !created {
		w.t.Fatal(created, err)
	}
	return file
}

// segments returns a room's feed as stored.
func (w *feedWorld) segments(room chat.RoomID) []feed.Segment {
	w.t.Helper()
	out, err := w.db.Query(w.t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(feedTable), ConsistentRead: aws.Bool(true), KeyConditionExpression: aws.String("PK = :pk AND SK < :last"),
		ExpressionAttributeValues: table.Item{
			":pk":   &types.AttributeValueMemberS{Value: table.FeedPK(room)},
			":last": &types.AttributeValueMemberS{Value: table.FeedSK(chat.MaxSeq)}, // the head follows it
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	var segments []feed.Segment
	for _, item := range out.Items {
		s, err := table.ParseSegment(item)
		if err != nil {
			w.t.Fatal(err)
		}
		segments = append(segments, s)
	}
	return segments
}

// entries formats the feeds of all rooms, in order.
func (w *feedWorld) entries() []string {
	w.t.Helper()
	var entries []string
	for _, room := range []chat.RoomID{"portland", "seattle"} {
		for _, s := range w.segments(room) {
			for n, c := range s.Changes {
				entry := fmt.Sprintf("%s %d %s", room, s.First+int64(n), c.Type)
				switch {
				case c.Type.Carries().HasMessage():
					entry += fmt.Sprintf(" %s %d", c.Message, c.Revision)
				case c.Type == feed.MemberChanged:
					entry += " " + string(c.User)
				case c.Type == feed.UnknownChange:
					entry += " " + c.Key
				}
				entries = append(entries, entry)
			}
		}
	}
	return entries
}

// checkSegments checks that numbers and counts have no gap, that every segment expires in time, and
// that the head holds the end of the feed.
func (w *feedWorld) checkSegments(room chat.RoomID, messages int64) {
	w.t.Helper()
	segments := w.segments(room)
	next, count := int64(1), int64(0)
	for _, s := range segments {
		if s.First != next || s.Count != count || s.Generation != streamLabel {
			w.t.Errorf("%s: a segment begins with %d after %d messages in generation %q, want %d and %d", room, s.First, s.Count, s.Generation, next, count)
		}
		next, count = s.Last()+1, s.Total()
		life := time.Until(s.Expires)
		if life < (feedDays-1)*24*time.Hour || life > feedDays*24*time.Hour {
			w.t.Errorf("%s: the segment from %d on expires at %v", room, s.First, s.Expires)
		}
	}
	head, err := dynamo.New(w.db, dynamo.Options{Table: feedTable, Clock: time.Now}).FeedHead(w.t.Context(), room)
	if err != nil || head.Last != next-1 || head.Count != count {
		w.t.Errorf("%s: the feed ends with %+v, %v", room, head, err)
	}
	if count != messages {
		w.t.Errorf("%s: %d messages are counted, want %d", room, count, messages)
	}
}
