package socketapi_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/chattest"
)

// items returns all items of the table.
func (w *delivering) items(db *dynamodb.Client) []map[string]types.AttributeValue {
	w.t.Helper()
	table := chattest.Table
	out, err := db.Scan(w.t.Context(), &dynamodb.ScanInput{TableName: &table})
	if err != nil {
		w.t.Fatal(err)
	}
	return out.Items
}

// restore makes the table as it was, with a new stream, read by a new process.
func (w *delivering) restore(db *dynamodb.Client, was []map[string]types.AttributeValue) {
	w.t.Helper()
	table := chattest.Table
	for _, item := range w.items(db) {
		key := map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]}
		if _, err := db.DeleteItem(w.t.Context(), &dynamodb.DeleteItemInput{TableName: &table, Key: key}); err != nil {
			w.t.Fatal(err)
		}
	}
	for _, item := range was {
		if _, err := db.PutItem(w.t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item}); err != nil {
			w.t.Fatal(err)
		}
	}
	w.stream.Next(w.t)
	rooms := chat.NewService(chat.Options{Store: w.store, Clock: w.clock.Now})
	w.feed = stream.NewHandler(stream.Options{Store: w.store, Clock: w.clock.Now, Log: slog.New(slog.DiscardHandler), Consumers: []stream.Consumer{
		live.NewDelivery(live.DeliveryOptions{
			Rows: w.rows, Connections: w.rows, Rooms: rooms, Poster: w.sent, Missed: w.rows, Clock: w.clock.Now, Log: slog.New(slog.DiscardHandler), Wait: w.wait,
		}),
	}})
}

// TestSync_AfterARestore restores the table under an open connection. Before the first change, a
// sync of the room tells it to start over, and a plain sync has a lower head. The first change has a
// number far ahead, and the feed does not continue from the connection's position.
func TestSync_AfterARestore(t *testing.T) {
	t.Parallel()
	w := newDelivering(t)
	db := dynamo.LocalClient(w.endpoint)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	w.deliver()
	was := w.items(db)
	c := w.connect("bob").hello("seattle")
	w.post("ann", "seattle")
	w.deliver()
	var ack struct {
		Rooms []struct {
			Head  int64
			Since string
			Reset bool
		}
	}
	ask := func(body string) {
		t.Helper()
		ack.Rooms = nil
		if err := json.Unmarshal([]byte(c.send(body)), &ack); err != nil || len(ack.Rooms) != 1 {
			t.Fatal(ack, err)
		}
	}
	ask(sync1)
	before := ack.Rooms[0]
	w.restore(db, was)
	if ask(syncOf("seattle", before.Since)); !ack.Rooms[0].Reset {
		t.Errorf("quiet, the room: %+v", ack)
	}
	if ask(sync1); ack.Rooms[0].Head >= before.Head {
		t.Errorf("quiet: %+v, before %+v", ack, before)
	}
	c.heard()
	w.post("ann", "seattle")
	records := w.stream.Next(t)
	for i := range records {
		records[i].EventSourceArn += "-later"
	}
	if _, err := w.feed.Handle(t.Context(), events.DynamoDBEvent{Records: records}); err != nil {
		t.Fatal(err)
	}
	frames := strings.Join(w.sent.take(c.id), "")
	if seq := `"seq":100000000`; !strings.Contains(frames, seq) {
		t.Errorf("received %s, want a number beyond a gap", frames)
	}
	if ask(syncOf("seattle", before.Since)); !ack.Rooms[0].Reset || ack.Rooms[0].Head < feed.GenerationGap {
		t.Errorf("after a change, the room: %+v", ack)
	}
	since, err := chat.ParseFeedPosition("seattle", before.Since)
	if err != nil {
		t.Fatal(err)
	}
	if changes, err := w.Feed.Changes(t.Context(), "bob", "seattle", since, 9); err != nil || !changes.Reset {
		t.Errorf("the feed: %+v, %v", changes, err)
	}
}
