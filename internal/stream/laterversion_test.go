package stream_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

// These are change types of a later version, one for each kind of contents that an entry may have.
const (
	newOfMessage feed.ChangeType = 255 - iota
	newOfUser
	newOfNothing
)

// newerTypes returns the table of a later version.
func newerTypes() feed.ChangeTable {
	return append(feed.KnownChanges(),
		feed.ChangeKind{Type: newOfMessage, Name: "reply.created", Carries: feed.CarriesMessage},
		feed.ChangeKind{Type: newOfUser, Name: "follower.changed", Carries: feed.CarriesUser},
		feed.ChangeKind{Type: newOfNothing, Name: "pins.changed", Carries: feed.CarriesNothing},
	)
}

// version is a process that knows the types of a table.
type version struct {
	store    *dynamo.Store
	handler  *stream.Handler
	appender *stream.Appender
}

func (w *fixture) version(types feed.ChangeTable) version {
	store := dynamo.New(dynamo.LocalClient(w.endpoint), dynamo.Options{Table: w.table, Clock: time.Now, Changes: types})
	o := stream.Options{Store: store, Failures: w.failures, Clock: time.Now, Log: slog.New(slog.DiscardHandler)}
	return version{store: store, handler: stream.NewHandler(o), appender: stream.NewAppender(o)}
}

// newerChanges returns n changes of a later version's types.
func newerChanges(round, n int) []feed.StreamChange {
	now := time.Now().UTC().Truncate(time.Second)
	var all []feed.StreamChange
	for i := range n {
		c := feed.Change{Type: newOfNothing, Origin: uint64(round*100 + i + 1)}
		switch i % 3 {
		case 0:
			id := chat.MessageID{User: chat.UserID(fmt.Sprintf("u%d", i)), UUID: chat.NewUUID(now, [10]byte{0: byte(round), 9: byte(i)})}
			c = feed.Change{Type: newOfMessage, Message: id, Revision: 1}
		case 1:
			c.Type, c.User = newOfUser, "bob"
		}
		all = append(all, feed.StreamChange{Change: c, Created: now})
	}
	return all
}

// want appends changes, and fails the test unless appended of them were new.
func (v version) want(t *testing.T, appended int, changes []feed.StreamChange) {
	t.Helper()
	if n, err := v.appender.Append(t.Context(), "seattle", "", changes); n != appended || err != nil {
		t.Errorf("%d changes were appended, %v, want %d", n, err, appended)
	}
}

// TestAppend_AnOldReaderMeetsANewType has two versions write one feed in turns. The older one does
// not know three types. It must read every number, count and head correctly, append after the newer
// one, recognize the changes in the feed, and append the missing ones.
func TestAppend_AnOldReaderMeetsANewType(t *testing.T) {
	t.Parallel()
	w := newFixture(t) // w.store and w.handler() belong to the older version
	w.room("seattle", 3)
	older, newer := w.version(feed.KnownChanges()), w.version(newerTypes())
	var want []feed.Change
	var records []events.DynamoDBEventRecord
	var added []feed.StreamChange
	for round := range 4 {
		want = append(want, w.postAndRevise("seattle", 12)...)
		batch := w.stream.Next(t)
		records = append(records, batch...)
		w.deliver(newer.handler, batch[:len(batch)/2])
		changes := newerChanges(round, 9)
		newer.want(t, 9, changes)
		w.deliver(older.handler, batch[len(batch)/2:])
		newer.want(t, 0, changes)
		added = append(added, changes...)
	}
	w.wantBothRead(older, newer, len(added))

	length := len(w.feedOf("seattle"))
	for _, v := range []version{older, newer, w.version(feed.KnownChanges()), w.version(newerTypes())} {
		w.deliver(v.handler, records)
	}
	w.version(newerTypes()).want(t, 0, added)
	w.version(feed.KnownChanges()).want(t, 0, w.asRead(older.store, added))
	if again := len(w.feedOf("seattle")); again != length {
		t.Errorf("after a second delivery the feed grew from %d to %d", length, again)
	}

	lost := w.postAndRevise("seattle", 6)
	w.stream.Next(t)
	w.wantRepair("seattle", stream.RepairReport{Messages: 54, Present: len(want), Appended: len(lost)})
	w.wantRepair("seattle", stream.RepairReport{Messages: 54, Present: len(want) + len(lost)})
	wantChanges(t, w.messagesOf("seattle"), append(want, lost...))
	w.wantBothRead(older, newer, len(added))
}

// asRead returns the added changes as read by a store that does not know their types, with the
// times of their creation. The feed holds them in the order in which they were added.
func (w *fixture) asRead(store *dynamo.Store, added []feed.StreamChange) []feed.StreamChange {
	w.t.Helper()
	_, segments, err := store.FeedFrom(w.t.Context(), "seattle", 1, 1_000_000)
	if err != nil {
		w.t.Fatal(err)
	}
	var all []feed.StreamChange
	for _, s := range segments {
		for _, c := range s.Changes {
			if !c.Type.Valid() {
				all = append(all, feed.StreamChange{Change: c, Created: added[len(all)].Created})
			}
		}
	}
	return all
}

// wantBothRead checks that two versions read the same feed, in which the older one does not know
// some changes. The helper feedOf checks numbers, counts and the head.
func (w *fixture) wantBothRead(older, newer version, unknown int) {
	w.t.Helper()
	all := w.feedOf("seattle")
	_, segments, err := newer.store.FeedFrom(context.Background(), "seattle", 1, 1_000_000)
	if err != nil {
		w.t.Fatal(err)
	}
	n := 0
	for _, s := range segments {
		for i, c := range s.Changes {
			old := all[s.First-1+int64(i)]
			if c.Type < feed.FirstFramedChange {
				if old != c {
					w.t.Errorf("change %d is %+v for the newer version and %+v for the older one", s.First+int64(i), c, old)
				}
				continue
			}
			n++
			if old.Type != c.Type || old.Type.String() != "unknown" || old.Opaque == "" || c.Opaque != "" {
				w.t.Errorf("change %d is %+v for the newer version and %+v for the older one", s.First+int64(i), c, old)
			}
		}
	}
	olderHead, err := older.store.FeedHead(context.Background(), "seattle")
	newerHead, err2 := newer.store.FeedHead(context.Background(), "seattle")
	if olderHead != newerHead || err != nil || err2 != nil {
		w.t.Errorf("heads %+v and %+v, %v, %v", olderHead, newerHead, err, err2)
	}
	if n != unknown || len(all) != int(newerHead.Last) {
		w.t.Errorf("%d of %d changes are unknown to the older version, want %d", n, len(all), unknown)
	}
}

// TestHandle_ItemOfALaterVersionIsAppendedAsUnknown delivers items of a type that this version does
// not know. If an item names a room, it enters that room's feed. It is never a failure.
func TestHandle_ItemOfALaterVersionIsAppendedAsUnknown(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	put := func(sk string, more table.Item) {
		item := table.Key("p#seattle", sk)
		item[table.AttrType] = &types.AttributeValueMemberS{Value: sk}
		maps.Copy(item, more)
		if _, err := dynamo.LocalClient(w.endpoint).PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &w.table, Item: item}); err != nil {
			t.Fatal(err)
		}
	}
	put("draft", nil)
	put("polls", table.Item{table.AttrFeed: &types.AttributeValueMemberS{Value: "seattle"}})
	w.post("seattle", "amsg", 1)
	put("polls", table.Item{table.AttrFeed: &types.AttributeValueMemberS{Value: "seattle"}, "n": &types.AttributeValueMemberL{}})
	records := w.stream.Next(t)
	for range 2 {
		w.deliver(w.handler(), records)
	}
	var got []string
	for _, c := range w.feedOf("seattle") {
		got = append(got, c.Type.String()+" "+c.Key)
	}
	if want := []string{"unknown polls", "message.created ", "unknown polls"}; !slices.Equal(got[2:], want) {
		t.Errorf("got %q, want %q after the changes of the room", got, want)
	}
	if len(w.failures.all) > 0 {
		t.Errorf("failures were stored: %+v", w.failures.all)
	}
}
