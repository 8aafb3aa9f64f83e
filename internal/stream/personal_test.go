package stream_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	marks "example.com/parley/internal/inbox"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

// personalInbox records the personal changes of batches.
type personalInbox struct {
	mu      sync.Mutex
	all     []feed.PersonalChange
	deleted []chat.RoomID
	banned  []chat.MemberOf
}

func (in *personalInbox) Consume(_ context.Context, b feed.Batch) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.all, in.deleted = append(in.all, b.Personal...), append(in.deleted, b.Deleted...)
	in.banned = append(in.banned, b.Banned...)
	return nil
}

// TestConsumer_ReceivesPersonalChanges delivers every change of a person's own items. They enter no
// feed, not even those that cannot be read, and count as no message.
func TestConsumer_ReceivesPersonalChanges(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	in := &personalInbox{}
	h := stream.NewHandler(stream.Options{
		Store: w.store, Failures: w.failures, Clock: time.Now,
		Log: slog.New(slog.DiscardHandler), Consumers: []stream.Consumer{in},
	})
	room := w.room("seattle", 1)
	w.post("seattle", "amsg", 1)
	w.deliver(h, w.stream.Next(t))
	before := w.feedOf("seattle")
	in.all = nil

	w.changePersonal()
	records := w.stream.Next(t)
	w.deliver(h, records)
	bob := func(of feed.PersonalChange) feed.PersonalChange { of.User = "bob"; return of }
	want := []feed.PersonalChange{
		bob(feed.PersonalChange{Type: feed.RoomAdded, Room: "seattle"}),
		bob(feed.PersonalChange{Type: feed.ReadChanged, Room: "seattle", Read: 3}),
		bob(feed.PersonalChange{Type: feed.ReadChanged, Room: "seattle", Read: 2}),
		bob(feed.PersonalChange{Type: feed.PreferencesChanged, Room: "seattle", Muted: true, Level: "mentions"}),
		bob(feed.PersonalChange{Type: feed.PreferencesChanged, Room: "tacoma", Favorite: true, Muted: true, Level: "mentions"}),
		bob(feed.PersonalChange{Type: feed.BlockChanged, Other: "carol", Blocked: true}),
		bob(feed.PersonalChange{Type: feed.BlockChanged, Other: "dave", Blocked: true}),
		bob(feed.PersonalChange{Type: feed.BlockChanged, Other: "carol"}),
		bob(feed.PersonalChange{Type: feed.RoomRemoved, Room: "seattle"}),
	}
	if !slices.Equal(in.all, want) {
		t.Errorf("received %+v,\nwant %+v", in.all, want)
	}
	after := w.feedOf("seattle")[len(before):]
	if len(after) != 1 || slices.ContainsFunc(w.failures.all, func(stream.Failure) bool { return true }) {
		t.Errorf("the feed gained %+v, failures %+v", after, w.failures.all)
	}
	head, err := w.store.FeedHead(t.Context(), "seattle")
	if err != nil || head.Count != 1 {
		t.Errorf("head %+v, %v", head, err)
	}
	if in.deleted != nil || in.banned != nil {
		t.Errorf("deleted: %v, banned: %v", in.deleted, in.banned)
	}
	ban := chat.Membership{Room: "seattle", User: "eve", Name: "Eve", Role: policy.Banned, Restore: policy.Stranger, JoinedAt: time.Now().UTC()}
	if ok, err := w.store.ChangeMembership(t.Context(), membership.Change{After: ban}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	w.deliver(h, w.stream.Next(t))
	if !slices.Equal(in.banned, []chat.MemberOf{{Room: "seattle", User: "eve"}}) {
		t.Errorf("banned: %v", in.banned)
	}
	w.deleteRoom(room)
	w.deliver(h, w.stream.Next(t))
	if !slices.Equal(in.deleted, []chat.RoomID{"seattle"}) {
		t.Errorf("deleted: %v", in.deleted)
	}
	marked := slices.DeleteFunc(slices.Clone(records), func(r events.DynamoDBEventRecord) bool {
		return !strings.HasPrefix(r.Change.Keys[table.SK].String(), "read#")
	})
	in.all = nil
	w.deliver(h, marked)
	if len(marked) < 5 || len(in.all) != 4 {
		t.Errorf("%d marks alone: received %+v", len(marked), in.all)
	}
}

// changePersonal makes changes of bob's items. Three of them tell him nothing: another role, and the
// same marker and preferences once more. One marker cannot be read.
func (w *fixture) changePersonal() {
	w.t.Helper()
	member := chat.Membership{Room: "seattle", User: "bob", Name: "Bob", Role: policy.Member, JoinedAt: time.Now().UTC().Truncate(time.Millisecond)}
	moderator := member
	moderator.Role = policy.Moderator
	change := func(before, after chat.Membership) {
		if ok, err := w.store.ChangeMembership(w.t.Context(), membership.Change{Before: before, After: after}); !ok || err != nil {
			w.t.Fatal(ok, err)
		}
	}
	change(chat.Membership{}, member)
	change(member, moderator)
	_, err := marks.NewStore(w.store.Table()).PutReadMarker(w.t.Context(), marks.ReadMarker{Room: "seattle", User: "bob", Seq: 3, Count: 1})
	if err == nil {
		err = marks.NewStore(w.store.Table()).SetReadMarker(w.t.Context(), marks.ReadMarker{Room: "seattle", User: "bob", Seq: 2, Count: 1})
	}
	if err == nil {
		err = marks.NewStore(w.store.Table()).SetReadMarker(w.t.Context(), marks.ReadMarker{Room: "seattle", User: "bob", Seq: 2, Count: 0})
	}
	for _, room := range []chat.RoomID{"seattle", "seattle", "tacoma"} {
		if err == nil {
			err = marks.NewStore(w.store.Table()).PutPreferences(w.t.Context(), chat.MemberOf{Room: room, User: "bob"}, marks.Preferences{Favorite: room == "tacoma", Level: notify.Choice{Level: notify.Mentions}})
		}
	}
	blocks := block.NewService(w.store.Table(), time.Now)
	for _, other := range []chat.UserID{"carol", "dave"} {
		if err == nil {
			err = blocks.Block(w.t.Context(), "bob", other)
		}
	}
	if err == nil {
		err = blocks.Unblock(w.t.Context(), "bob", "carol")
	}
	if err != nil {
		w.t.Fatal(err)
	}
	spoiled := table.ReadMarkerKey("portland", "bob")
	spoiled[table.AttrType] = &types.AttributeValueMemberS{Value: table.StreamKinds(table.PersonalStream)[0]}
	if _, err := dynamo.LocalClient(w.endpoint).PutItem(w.t.Context(), &dynamodb.PutItemInput{TableName: &w.table, Item: spoiled}); err != nil {
		w.t.Fatal(err)
	}
	change(moderator, chat.Membership{})
}
