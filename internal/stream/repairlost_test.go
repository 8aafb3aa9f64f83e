package stream_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

// lose removes segments of a feed by their index.
func (w *fixture) lose(room chat.RoomID, places ...int) {
	w.t.Helper()
	all, _, err := w.store.FeedTail(w.t.Context(), room, 0, time.Time{})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, place := range places {
		_, err := dynamo.LocalClient(w.endpoint).DeleteItem(w.t.Context(), &dynamodb.DeleteItemInput{
			TableName: aws.String(w.table), Key: table.SegmentKey(room, all[place].First),
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// tail returns the changes of messages in the segments that are left.
func (w *fixture) tail(room chat.RoomID) []feed.Change {
	w.t.Helper()
	segments, _, err := w.store.FeedTail(w.t.Context(), room, 0, time.Time{})
	if err != nil {
		w.t.Fatal(err)
	}
	var all []feed.Change
	for _, s := range segments {
		for _, c := range s.Changes {
			if c.Type.OfMessage() {
				all = append(all, c)
			}
		}
	}
	return all
}

func TestRepair_AppendsALostSegmentButNotAnExpiredOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		later     time.Duration // when the repair runs
		lost      []int
		gone, new int
	}{
		"one in the middle":            {0, []int{1}, 0, 4},
		"the last one":                 {0, []int{3}, 0, 4},
		"an expired one in the middle": {feed.DefaultRetention + time.Minute, []int{1}, 4, 0},
		"an expired one at the end":    {feed.DefaultRetention + time.Minute, []int{2, 3}, 8, 0},
		"expired ones out of order":    {feed.DefaultRetention + time.Minute, []int{0, 2}, 8, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			w.room("seattle", 1)
			h := w.handler()
			w.deliver(h, w.stream.Next(t))
			var want []feed.Change
			for range 4 { // four changes each
				want = append(want, w.postAndRevise("seattle", 1)...)
				w.deliver(h, w.stream.Next(t))
				time.Sleep(2 * time.Millisecond) // segments have timestamps in milliseconds
			}
			for i := range c.lost {
				c.lost[i]++ // after the segment of the room's creation
			}
			w.lose("seattle", c.lost...)
			got, err := w.repair("seattle", c.later)
			if known := 16 - c.gone - c.new; err != nil || got != (stream.RepairReport{Messages: 4, Present: known, TooOld: c.gone, Appended: c.new}) {
				t.Errorf("repair = %+v, %v", got, err)
			}
			if c.gone == 0 {
				wantChanges(t, w.tail("seattle"), want)
			}
		})
	}
}

func TestRepair_DoesNotAppendChangesBeforeTheFeed(t *testing.T) {
	t.Parallel()
	for name, expired := range map[string]int{"one of two": 1, "both": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			w.room("seattle", 1)
			old := w.post("seattle", "amsg", 1)
			w.post("seattle", "amsg", 2)
			h := w.handler()
			w.deliver(h, w.stream.Next(t))
			time.Sleep(2 * time.Millisecond) // segments have timestamps in milliseconds
			posted := w.post("seattle", "amsg", 3)
			w.deliver(h, w.stream.Next(t))
			w.lose("seattle", []int{0, 1}[:expired]...)
			time.Sleep(2 * time.Millisecond)
			edited := w.revise(old, old.Edited("other", time.Now().UTC().Truncate(time.Millisecond)))
			missed := w.post("seattle", "amsg", 4)
			w.stream.Next(t) // discard the records

			want := stream.RepairReport{Messages: 4, Present: 1, TooOld: 2, Appended: 2}
			if expired == 2 {
				want.Present, want.TooOld = 0, 3
			}
			w.wantRepair("seattle", want)
			wanted := []feed.Change{feed.ChangeOf(posted), feed.ChangeOf(missed), feed.ChangeOf(edited)}
			wantChanges(t, w.tail("seattle"), wanted[expired-1:])
			if head, err := w.store.FeedHead(t.Context(), "seattle"); err != nil || head.Last != 7 || head.Count != 4 {
				t.Errorf("head of the feed: %+v, %v", head, err)
			}
		})
	}
}

// TestRepair_ReportAfterAFailedAppend counts only what the repair found or appended. The changes
// that it could not append are in neither number.
func TestRepair_ReportAfterAFailedAppend(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	known := w.postAndRevise("seattle", 3)
	w.deliver(w.handler(), w.stream.Next(t))
	w.postAndRevise("seattle", 4)
	w.stream.Next(t) // discard the records
	failing := dynamo.LocalClient(w.endpoint, (&failingCalls{failingFeed{feed: "feed#seattle"}, "PutItem"}).options)
	store := dynamo.New(failing, dynamo.Options{Table: w.table, Clock: time.Now})
	got, err := stream.Repair{
		Room: "seattle", History: w.store, Appender: stream.NewAppender(stream.Options{Store: store, Clock: time.Now}),
	}.Run(t.Context())
	if want := (stream.RepairReport{Messages: 7, Present: len(known)}); err == nil || got != want {
		t.Errorf("repair = %+v, %v, want %+v and an error", got, err, want)
	}
}
