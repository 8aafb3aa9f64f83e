package stream_test

import (
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/race"
)

// flood is how often a person joins and leaves: the flood of a room that was found.
var flood = race.Times(1000, 500)

// TestHandle_AFloodOfJoinsTakesOneEntryABatch lets a person join and leave a room a thousand times,
// while others post. Each batch has one entry for the person, however it is delivered, and a new
// process that receives the batches again appends nothing.
func TestHandle_AFloodOfJoinsTakesOneEntryABatch(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	member := chat.Membership{Room: "seattle", User: "bob", Name: "Bob", Role: policy.Member, JoinedAt: time.Now().UTC()}
	posts := 0
	for i := range flood {
		for _, change := range []membership.Change{{After: member}, {Before: member}} {
			if ok, err := w.store.ChangeMembership(t.Context(), change); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		if i%200 == 0 {
			posts++
			w.post("seattle", "amsg", posts)
		}
	}
	records := w.stream.Next(t)
	h, batches := w.handler(), 0
	for batch := range slices.Chunk(records, feed.MaxSegmentChanges) {
		batches++
		w.deliver(h, batch)
	}
	w.deliver(w.handler(), records[:feed.MaxSegmentChanges])
	w.deliver(w.handler(), records[1:2])
	changes := map[feed.ChangeType]int{}
	entries, all := w.wholeFeedOf("seattle")
	for _, c := range entries {
		changes[c.Type]++
	}
	if changes[feed.MemberChanged] > batches+1 || changes[feed.MessageCreated] != posts {
		t.Errorf("%d joins and leaves in %d batches have the entries %v", 2*flood, batches, changes)
	}
	if want := 2*flood + posts + 2; len(all) != want {
		t.Errorf("the feed knows %d changes of %d", len(all), want)
	}
	if last := entries[len(entries)-1]; last.Type != feed.MemberChanged || last.User != "bob" {
		t.Errorf("the last entry is %+v", last)
	}
}

// TestAppend_MergesIntoTheLastOfItsSubject appends each kind of change that merges, between
// others. Each entry has the number of its last change, and a repeated change is in the feed.
func TestAppend_MergesIntoTheLastOfItsSubject(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	created := time.Now().UTC().Truncate(time.Second)
	id := chat.MessageID{User: "amsg", UUID: chat.NewUUID(created, [10]byte{9: 1})}
	other := chat.MessageID{User: "amsg", UUID: chat.NewUUID(created, [10]byte{9: 2})}
	changes := []feed.Change{
		{Type: feed.MemberChanged, User: "bob", Origin: 1},
		{Type: feed.RoomChanged, Origin: 2},
		{Type: feed.MessageCreated, Message: id, Revision: 1},
		{Type: feed.MemberChanged, User: "eve", Origin: 3},
		{Type: feed.CountsChanged, Message: id, Revision: 1},
		{Type: feed.PinsChanged, Message: id, Revision: 1, Pinned: true},
		{Type: feed.MessageEdited, Message: id, Revision: 2},
		{Type: feed.RoomChanged, Origin: 4},
		{Type: feed.CountsChanged, Message: id, Revision: 2},
		{Type: feed.PinsChanged, Message: other, Revision: 2, Pinned: true},
		{Type: feed.PinsChanged, Message: id, Revision: 3},
		{Type: feed.MessageEdited, Message: id, Revision: 3},
		{Type: feed.UnknownChange, Key: "poll", Origin: 5},
		{Type: feed.UnknownChange, Key: "poll", Origin: 6},
		{Type: feed.MemberChanged, User: "bob", Origin: 7},
	}
	want := slices.DeleteFunc(slices.Clone(changes), func(c feed.Change) bool {
		return c == changes[0] || c == changes[1] || c == changes[4] || c == changes[5]
	})
	given := make([]feed.StreamChange, len(changes))
	for i, c := range changes {
		given[i] = feed.StreamChange{Change: c, Created: created}
	}
	options := stream.Options{Store: w.store, Clock: time.Now}
	n, err := stream.NewAppender(options).Append(t.Context(), "seattle", "g", given)
	if err != nil || n != len(want) {
		t.Fatalf("%d entries were appended, want %d, %v", n, len(want), err)
	}
	for i := range given { // each separately, to a process that remembers nothing
		if n, err := stream.NewAppender(options).Append(t.Context(), "seattle", "g", given[i:i+1]); n != 0 || err != nil {
			t.Errorf("%+v was appended again, %v", given[i].Change, err)
		}
	}
	if got := w.feedOf("seattle"); !slices.Equal(got, want) {
		t.Errorf("the feed has\n%+v, want\n%+v", got, want)
	}
}
