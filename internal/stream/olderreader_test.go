package stream_test

import (
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/pin"
)

// TestChanges_AReaderOfFewerTypesLosesNothing reads a feed with replies, changed counts and pins
// through a service that knows none of these types, like an older version running alongside a
// newer one. It gets every number, the messages of the types that it knows, and of each other
// change only its type and bytes.
func TestChanges_AReaderOfFewerTypesLosesNothing(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 2)
	before := slices.DeleteFunc(feed.KnownChanges(), func(kind feed.ChangeKind) bool { return kind.Type >= feed.FirstFramedChange })
	older, newer := w.version(before), w.counting()
	for round := range 4 {
		root := w.post("seattle", "amsg", round)
		w.settle(newer)
		w.replyBy(root, "bob", 1)
		w.replyBy(root, "cy", 2)
		w.react(root, "bob", "👍")
		if _, _, err := pin.Put(t.Context(), w.store.Table(), "seattle", pin.Pin{Message: root.ID, By: "maker", At: root.ReceivedAt}, pin.MaxPins); err != nil {
			t.Fatal(err)
		}
		w.settle(newer)
		if _, err := pin.Remove(t.Context(), w.store.Table(), "seattle", root.ID); err != nil {
			t.Fatal(err)
		}
		w.unreact(root, "bob", "👍")
		w.settle(newer)
		// The older version appends behind types that it does not know.
		w.revise(root, root.Edited("other", root.ReceivedAt.Add(time.Second)))
		w.post("seattle", "dan", 100+round)
		w.deliver(older.handler, w.stream.Next(t))
	}
	all := w.feedOf("seattle")
	newerTypes := map[feed.ChangeType]int{}
	for _, c := range all {
		if c.Type >= feed.FirstFramedChange {
			newerTypes[c.Type]++
		}
	}
	if newerTypes[feed.ReplyCreated] != 8 || newerTypes[feed.PinsChanged] != 8 || newerTypes[feed.CountsChanged] < 8 {
		t.Errorf("the feed has %v", newerTypes)
	}
	for _, limit := range []int{1, 7, 200} {
		got := w.changesSeenBy(older.store, limit)
		if len(got) != len(all) {
			t.Fatalf("with limit %d the older reader gets %d changes of %d", limit, len(got), len(all))
		}
		for i, e := range got {
			if want := all[i]; want.Type < feed.FirstFramedChange {
				if e.Change != want || want.Type.OfMessage() && (e.Message == nil || e.Message.ID != want.Message) {
					t.Errorf("change %d is %+v for the older reader, want %+v", i+1, e, want)
				}
				continue
			}
			if want := all[i]; e.Change.Type != want.Type || e.Change.Opaque == "" || e.Change.Message != (chat.MessageID{}) || e.Message != nil || e.Member != nil {
				t.Errorf("change %d of type %d is %+v for the older reader", i+1, want.Type, e)
			}
		}
	}
}

// changesSeenBy reads all changes of a room page by page through the service of a version. It fails
// the test if a number is missing, or if the last position is not the head.
func (w *fixture) changesSeenBy(store *dynamo.Store, limit int) []feed.Entry {
	w.t.Helper()
	service := feed.NewService(store, chat.NewService(chat.Options{Store: store, Clock: time.Now}), time.Now)
	var all []feed.Entry
	for since := (chat.FeedPosition{}); ; {
		page, err := service.Changes(w.t.Context(), "eve", "seattle", since, limit)
		if err != nil || page.Reset {
			w.t.Fatal(page.Reset, err)
		}
		for _, e := range page.Entries {
			if all = append(all, e); e.Seq != int64(len(all)) {
				w.t.Fatalf("change %d comes after %d others", e.Seq, len(all)-1)
			}
		}
		if since = page.Since; since.Seq == page.Head {
			return all
		}
	}
}
