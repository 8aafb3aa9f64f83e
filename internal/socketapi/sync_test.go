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
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/chattest"
)

// syncOf returns a sync of one room with a position.
func syncOf(room chat.RoomID, since string) string {
	return `{"type":"sync","id":"1","rooms":[{"id":"` + string(room) + `","since":"` + since + `"}]}`
}

// TestSync_NamedRooms asks for some rooms of a connection, and for others.
func TestSync_NamedRooms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, room := range []chat.RoomID{"seattle", "tacoma", "olympia"} {
		chattest.CreateRoom(t, w.Services, room, 1)
	}
	first, end := position("seattle", 1), w.appendChanges("seattle", 3)
	c := w.connect("bob").hello("seattle", "tacoma")
	before, err := w.rows.Connections(t.Context(), "bob")
	if err != nil {
		t.Fatal(err)
	}
	const head = `{"type":"ack","id":"1","now":"NOW","rooms":[`
	c.want(`{"type":"sync","id":"1","rooms":[{"id":"tacoma"},{"id":"seattle"},{"id":"olympia"},{"id":"nowhere"}]}`,
		head+`{"id":"tacoma","head":0,"since":"`+position("tacoma", 0)+`"},{"id":"seattle","head":3,"since":"`+end+`"},`+
			`{"id":"olympia","unsubscribed":true},{"id":"nowhere","unsubscribed":true}]}`)
	for _, since := range []string{"", first, end} {
		c.want(syncOf("seattle", since), head+`{"id":"seattle","head":3,"since":"`+end+`"}]}`)
	}
	for name, since := range map[string]string{
		"beyond the end":        position("seattle", 4),
		"of another generation": chat.FeedPosition{Seq: 2, Generation: "g0"}.Text("seattle"),
	} {
		t.Log(name)
		c.want(syncOf("seattle", since), head+`{"id":"seattle","head":3,"since":"`+end+`","reset":true}]}`)
	}
	after, err := w.rows.Connections(t.Context(), "bob")
	if err != nil || !after[0].Seen.Equal(before[0].Seen) {
		t.Errorf("the connection was seen at %v, then at %v: %v", before, after, err)
	}
}

// TestSync_NamedRoomsOfTheRemoved asks for a room after a ban, and after a suspension, which closes
// the connection.
func TestSync_NamedRoomsOfTheRemoved(t *testing.T) {
	t.Parallel()
	w := newDelivering(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	c, other := w.connect("bob").hello("seattle"), w.connect("carl").hello("seattle")
	if err := chattest.SetRole(t, w.Services, "maker", "seattle", "bob", policy.Banned); err != nil {
		t.Fatal(err)
	}
	w.suspendQuietly("carl")
	if got := outcomeOf(t, c.send(syncOf("seattle", ""))); got != "unsubscribed" {
		t.Errorf("after the ban: %s", got)
	}
	if got := other.send(syncOf("seattle", "")); got != "" || !other.isClosed() {
		t.Errorf("after the suspension: %q", got)
	}
}

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
