package stream_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

// TestConsumer_ReceivesNumbersAndItems delivers one batch of every kind of change. A person who
// joins, leaves and joins again has one entry.
func TestConsumer_ReceivesNumbersAndItems(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	in := &inbox{}
	w.consumers = []stream.Consumer{in}
	w.room("seattle", 1)
	h := w.handler()
	w.deliver(h, w.stream.Next(t))
	room := in.received("seattle")
	if i := slices.IndexFunc(room, func(e feed.AppendedEntry) bool { return e.Type == feed.RoomChanged }); i < 0 ||
		room[i].Item.Room == nil || room[i].Item.Room.Name != "seattle" || room[i].Item.Room.DigestKey != nil || room[i].Item.Room.Private {
		t.Errorf("received for the room: %+v", room)
	}

	bob := chat.Membership{Room: "seattle", User: "bob", Name: "Bob", Role: policy.Member, JoinedAt: time.Now().UTC().Truncate(time.Millisecond)}
	for _, change := range []membership.Change{{After: bob}, {Before: bob}, {After: bob}} {
		if ok, err := w.store.ChangeMembership(t.Context(), change); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	first := w.post("seattle", "amsg", 1)
	edited := w.revise(first, first.Edited("other", first.ReceivedAt.Add(time.Second)))
	gone := w.revise(edited, edited.Tombstone("amsg", edited.ReceivedAt.Add(2*time.Second)))
	w.putLater("polls", "seattle")
	before := time.Now().Add(-time.Minute)
	w.deliver(h, w.stream.Next(t))

	if in.calls() != 2 {
		t.Fatalf("the consumer was called %d times for 2 batches", in.calls())
	}
	batch := in.batches[1]
	head, err := w.store.FeedHead(t.Context(), "seattle")
	if len(batch) != 1 || batch[0].Room != "seattle" || batch[0].Head != head || err != nil {
		t.Fatalf("received %+v, head %+v, %v", batch, head, err)
	}
	want := []struct {
		change feed.ChangeType
		item   feed.ChangedItem
	}{
		{feed.MemberChanged, feed.ChangedItem{Member: &bob}}, // the others are merged into it
		{feed.MessageCreated, feed.ChangedItem{Message: &first}},
		{feed.MessageEdited, feed.ChangedItem{Message: &edited}},
		{feed.MessageDeleted, feed.ChangedItem{Message: &gone}},
		{feed.UnknownChange, feed.ChangedItem{}},
	}
	if len(batch[0].Entries) != len(want) {
		t.Fatalf("received %d entries, want %d: %+v", len(batch[0].Entries), len(want), batch[0].Entries)
	}
	for i, e := range batch[0].Entries {
		if e.Type != want[i].change || e.Seq != int64(3+i) || e.Created.Before(before) || !equalItems(e.Item, want[i].item) {
			t.Errorf("entry %d is %+v, want %+v", i, e, want[i])
		}
	}
}

// equalItems compares messages by their revision and text, memberships by all fields.
func equalItems(a, b feed.ChangedItem) bool {
	if (a.Message == nil) != (b.Message == nil) || (a.Member == nil) != (b.Member == nil) || (a.Room == nil) != (b.Room == nil) {
		return false
	}
	if a.Message != nil && (a.Message.ID != b.Message.ID || a.Message.Revision != b.Message.Revision || a.Message.Text != b.Message.Text) {
		return false
	}
	return a.Member == nil || *a.Member == *b.Member
}

// putLater stores an item of a later version's type that belongs to a room's feed.
func (w *fixture) putLater(sk string, room chat.RoomID) {
	w.t.Helper()
	item := table.Key("p#"+string(room), sk)
	maps.Copy(item, table.Item{
		table.AttrType: &types.AttributeValueMemberS{Value: sk}, table.AttrFeed: &types.AttributeValueMemberS{Value: string(room)},
	})
	if _, err := dynamo.LocalClient(w.endpoint).PutItem(w.t.Context(), &dynamodb.PutItemInput{TableName: &w.table, Item: item}); err != nil {
		w.t.Fatal(err)
	}
}

// TestConsumer_ReceivesEachEntryOnce delivers the stream twice in several ways. No call fails, so
// no entry may be missing.
func TestConsumer_ReceivesEachEntryOnce(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for name, deliver := range map[string]func(p *play){
		"each record twice": func(p *play) {
			doubled := batch{}
			for _, r := range s.records {
				doubled = append(doubled, r, r)
			}
			p.deliverBy(p.process(), doubled)
		},
		"all in one batch":           func(p *play) { p.deliverBy(p.process(), s.records) },
		"all twice in one batch":     func(p *play) { p.deliverBy(p.process(), slices.Concat(s.records, s.records)) },
		"all twice to one process":   func(p *play) { one := p.process(); p.deliverBy(one, s.records); p.deliverBy(one, s.records) },
		"all twice to two processes": func(p *play) { p.deliverBy(p.process(), s.records); p.deliverBy(p.process(), s.records) },
		"half, then everything": func(p *play) {
			p.deliverBy(p.process(), s.records[:len(s.records)/2])
			p.deliverBy(p.process(), s.records)
		},
		"to three processes concurrently": func(p *play) {
			each := func() {
				one := p.process()
				for piece := range slices.Chunk(s.records, 3) {
					p.deliverBy(one, piece)
				}
			}
			concurrently(each, each, each)
		},
		"three times to one handler concurrently": func(p *play) {
			one := p.process()
			each := func() {
				for piece := range slices.Chunk(s.records, 3) {
					p.deliverBy(one, piece)
				}
			}
			concurrently(each, each, each)
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := &inbox{}
			p := s.playWith(t, in)
			deliver(p)
			p.wantReceived(in, p.all())
			p.wantComplete()
			calls := in.calls()
			p.deliverBy(p.process(), s.records)
			if in.calls() != calls {
				t.Error("a batch that appended nothing was delivered")
			}
		})
	}
}

// TestConsumer_ReceivesALargeBatchWhole appends more changes than a segment holds.
func TestConsumer_ReceivesALargeBatchWhole(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	in := &inbox{}
	w.consumers = []stream.Consumer{in}
	w.room("seattle", 1)
	w.post("seattle", "amsg", 1)
	records := w.stream.Next(t)
	last := records[len(records)-1]
	for i := range feed.MaxSegmentChanges + 10 {
		id := chat.MessageID{User: "amsg", UUID: chat.NewUUID(time.Now(), [10]byte{7: 1, 8: byte(i >> 8), 9: byte(i)})}
		records = append(records, withID(last, id))
	}
	w.deliver(w.handler(), records)
	all, got := w.feedOf("seattle"), in.received("seattle")
	if len(got) != len(all) || len(all) <= feed.MaxSegmentChanges || in.calls() != 1 {
		t.Fatalf("received %d entries of %d in %d calls", len(got), len(all), in.calls())
	}
	for i, e := range got {
		if e.Seq != int64(i+1) || all[i].Identity() != e.Identity() {
			t.Fatalf("entry %d is %+v, the feed has %+v", i+1, e, all[i])
		}
	}
}

// withID returns the record of a message with another id.
func withID(r events.DynamoDBEventRecord, id chat.MessageID) events.DynamoDBEventRecord {
	sk := events.NewStringAttribute(table.MessageSK(id))
	r.Change.Keys, r.Change.NewImage = maps.Clone(r.Change.Keys), maps.Clone(r.Change.NewImage)
	r.Change.Keys[table.SK], r.Change.NewImage[table.SK] = sk, sk
	at := r.Change.NewImage[table.IndexSK].String()
	received := at[:slices.Index([]byte(at), '#')]
	r.Change.NewImage[table.IndexSK] = events.NewStringAttribute(received + "#" + string(id.User) + "#" + id.UUID.String())
	return r
}

// TestHandle_LogsTheBusiestRoom checks the fields that the dashboard adds up. No line may hold
// contents.
func TestHandle_LogsTheBusiestRoom(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	w.room("portland", 1)
	for n := range 3 {
		w.post("seattle", "amsg", n)
	}
	var log bytes.Buffer
	h := stream.NewHandler(stream.Options{
		Store:    dynamo.New(dynamo.LocalClient(w.endpoint), dynamo.Options{Table: w.table, Clock: time.Now}),
		Failures: w.failures, Clock: time.Now, Log: slog.New(slog.NewJSONHandler(&log, nil)),
	})
	w.deliver(h, w.stream.Next(t))
	var line map[string]any
	if err := json.Unmarshal(log.Bytes(), &line); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	// Two records create the room, and three are messages.
	if line["msg"] != "batch" || line[stream.LogBusiest] != "seattle" || line[stream.LogBusiestChanges] != 5.0 {
		t.Errorf("line: %s", log.String())
	}
	if strings.Contains(log.String(), "amsg 1") {
		t.Errorf("the line contains a message: %s", log.String())
	}

	log.Reset()
	if _, err := h.Handle(t.Context(), events.DynamoDBEvent{}); err != nil || !strings.Contains(log.String(), `"busiest":"","busiestChanges":0`) {
		t.Errorf("empty batch: %v, %s", err, log.String())
	}
}
