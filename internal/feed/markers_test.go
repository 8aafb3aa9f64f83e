package feed_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/feed"
	"parley/internal/policy"
	"parley/internal/table"
	"parley/internal/test/chattest"
	"parley/internal/test/tabletest"
)

func TestAMarkAnswersAsTheListOfRoomsDoes(t *testing.T) {
	t.Parallel()
	w := newFeedWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "a")), feed.ChangeOf(w.sent("amsg", "b"))}, nil)
	if err := chattest.SetRole(t, w.Services, "bob", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "c"))}, nil)
	for _, seq := range []int64{0, 1, 2, 3} {
		marked, err := w.Feed.MarkRead(t.Context(), "bob", "seattle", seq)
		if err != nil {
			t.Fatal(err)
		}
		listed, err := w.Feed.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 1})
		if err != nil || listed.Items[0].Reading != marked {
			t.Errorf("read up to %d: %+v, listed as %+v, %v", seq, marked, listed, err)
		}
	}
}

// TestMarkRead_AChangeOfANewerVersionIsNotUnread counts messages around entries that this version
// does not know.
func TestMarkRead_AChangeOfANewerVersionIsNotUnread(t *testing.T) {
	t.Parallel()
	w := newFeedWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	newer := func(payload string) feed.Change { return feed.Change{Type: 255, User: "amsg", Opaque: payload} }
	w.appendTo("seattle", []feed.Change{newer("a"), feed.ChangeOf(w.sent("amsg", "1")), newer("b")}, nil)
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "2")), newer("c"), newer("d")}, nil)
	for seq, want := range []int64{0: 2, 1: 2, 2: 1, 3: 1, 4: 0, 5: 0, 6: 0} {
		got, err := w.Feed.MarkRead(t.Context(), "bob", "seattle", int64(seq))
		if err != nil || got.Seq != int64(seq) || got.Unread != want {
			t.Errorf("read up to %d: %+v, %v, want %d unread", seq, got, err, want)
		}
	}
}

// newFadingWorld is a feedWorld whose segments can be removed, as DynamoDB does when they have
// expired.
func newFadingWorld(t *testing.T) (w *feedWorld, remove func(feed.Segment)) {
	t.Helper()
	client := tabletest.Start(t, "quiet")
	w = &feedWorld{t: t, heads: map[chat.RoomID]feed.Segment{}}
	w.Services, w.clock = chattest.NewWith(t, func(o *app.Options) {
		w.store = dynamo.New(client, dynamo.Options{Table: "quiet", Clock: o.Clock})
		o.Store = w.store
	})
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	return w, func(s feed.Segment) {
		t.Helper()
		in := &dynamodb.DeleteItemInput{TableName: aws.String("quiet"), Key: table.SegmentKey("seattle", s.First)}
		if _, err := client.DeleteItem(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
}

// two is a segment of two new messages.
func (w *feedWorld) two() feed.Segment {
	return w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "a")), feed.ChangeOf(w.sent("amsg", "b"))}, nil)
}

func TestAHoleInAFeedIsNeverPassedOver(t *testing.T) {
	t.Parallel()
	w, remove := newFadingWorld(t)
	w.two()
	second, third := w.two(), w.two()
	w.two()
	remove(second)
	remove(third)
	c, err := w.Feed.Changes(t.Context(), "eve", "seattle", chat.FeedPosition{}, 50)
	if err != nil || c.Reset || len(c.Entries) != 2 || c.Head != 8 {
		t.Errorf("from the beginning: %+v, %v", c, err)
	}
	for since, reset := range map[int64]bool{1: false, 2: true, 3: true, 5: true, 6: false, 7: false, 8: false} {
		if c, err := w.Feed.Changes(t.Context(), "eve", "seattle", chat.FeedPosition{Seq: since, Generation: "g1"}, 50); err != nil || c.Reset != reset {
			t.Errorf("since %d: reset %v, %v", since, c.Reset, err)
		}
	}
}

func TestAMarkOnWhatHasExpiredCountsAllThatWasBefore(t *testing.T) {
	t.Parallel()
	w, remove := newFadingWorld(t)
	first, second, third := w.two(), w.two(), w.two()
	w.two()
	if got, err := w.Feed.MarkRead(t.Context(), "maker", "seattle", 4); err != nil || got.Unread != 4 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, s := range []feed.Segment{first, second, third} {
		remove(s)
	}
	if got, err := w.Feed.MarkRead(t.Context(), "maker", "seattle", 6); err != nil || got.Unread != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatWasSaidDuringABanIsNotUnread(t *testing.T) {
	t.Parallel()
	w, _ := newFadingWorld(t)
	for _, role := range []policy.Role{policy.Member, policy.Banned, policy.Member} {
		if err := chattest.SetRole(t, w.Services, "maker", "seattle", "bob", role); err != nil {
			t.Fatal(err)
		}
		w.two()
	}
	l, err := w.Feed.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 1})
	if err != nil || l.Items[0].Reading.Unread != 2 {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestWhoeverHasReadAQuietRoomHasNothingUnread(t *testing.T) {
	t.Parallel()
	w, remove := newFadingWorld(t)
	remove(w.two())
	for _, tt := range []struct {
		seq  int64
		want feed.Reading
	}{
		{1, feed.Reading{Seq: 1, Unread: 2}}, // what has expired is not known
		{2, feed.Reading{Seq: 2}},
	} {
		if got, err := w.Feed.MarkRead(t.Context(), "maker", "seattle", tt.seq); err != nil || got != tt.want {
			t.Errorf("%+v, want %+v, %v", got, tt.want, err)
		}
	}
}
