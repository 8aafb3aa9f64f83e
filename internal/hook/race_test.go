package hook_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/hook"
)

// TestFetch_OfOneSegment fetches more changes than an answer holds that were appended together.
func TestFetch_OfOneSegment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	w.make("all", hook.Wanted{})
	for range hook.MaxChanges + 50 {
		w.post("seattle")
	}
	resp, err := w.feed.Handle(t.Context(), events.DynamoDBEvent{Records: w.stream.Next(t)})
	if err != nil || len(resp.BatchItemFailures) > 0 {
		t.Fatal(resp, err)
	}
	w.pump()
	if got := w.texts("all"); len(got) != hook.MaxChanges+50 {
		t.Errorf("%d changes", len(got))
	}
}

// TestFetch_BeforeTheHeadMoves fetches a segment that readers may not see yet: of a new feed, and of
// one that the program knows.
func TestFetch_BeforeTheHeadMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.make("all", hook.Wanted{})
	outbox := hook.NewOutbox(w.store.Table(), w.queue, w.clock.Now, hook.Rules{On: true})
	for first := int64(1); first <= 2; first++ {
		s := feed.Segment{
			Room: "seattle", First: first, Generation: "g", WrittenAt: w.clock.Now(), CreatedFrom: w.clock.Now(), CreatedTo: w.clock.Now(),
			Changes: []feed.Change{{Type: feed.RoomChanged, Origin: uint64(first)}},
		}
		if ok, err := w.store.AppendSegment(t.Context(), s); err != nil || !ok {
			t.Fatal(ok, err)
		}
		if err := outbox.Wake(t.Context(), []hook.News{{Room: "seattle", First: first, Generation: "g"}}, nil); err != nil {
			t.Fatal(err)
		}
		if a := w.fetch("all", "none"); len(a.Rooms) > 0 {
			t.Errorf("before the head has moved to %d: %+v", first, a)
		}
		if err := w.store.PutFeedHead(t.Context(), s.Head()); err != nil {
			t.Fatal(err)
		}
		a := w.fetch("all", "none")
		if len(a.Rooms) != 1 || a.Rooms[0].Reset || len(a.Rooms[0].Entries) != 1 || a.Rooms[0].Entries[0].Seq != first {
			t.Errorf("then %+v", a)
		}
		w.fetch("all", a.ID)
	}
}

// TestOutbox_RepeatsAnOldBatch notes news, and then an earlier batch again, before a program says
// that it received what came between.
func TestOutbox_RepeatsAnOldBatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	w.make("all", hook.Wanted{})
	w.post("seattle")
	w.append(w.stream.Next(t))
	old := w.stream.Next(t)
	if err := w.note(w.outbox, old); err != nil {
		t.Fatal(err)
	}
	a := w.fetch("all", "none")
	w.post("seattle")
	w.pump()
	if err := w.note(w.outbox, old); err != nil {
		t.Fatal(err)
	}
	if next := w.fetch("all", a.ID); len(next.Rooms) != 1 || next.Rooms[0].Entries[0].Message.Text != "text 2" {
		t.Errorf("after %q: %+v", a.ID, next)
	}
}

// TestFetch_DeletedAfterTheAnswer deletes a room between an answer and its receipt.
func TestFetch_DeletedAfterTheAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.make("all", hook.Wanted{})
	w.pump()
	a := w.fetch("all", "none")
	if err := hook.NewOutbox(w.store.Table(), w.queue, w.clock.Now, hook.Rules{On: true}).Wake(t.Context(), []hook.News{{Room: "seattle"}}, nil); err != nil {
		t.Fatal(err)
	}
	w.deleteRoom("seattle")
	if next := w.fetch("all", a.ID); len(next.Rooms) != 1 || !next.Rooms[0].Deleted {
		t.Errorf("after %q: %+v", a.ID, next)
	}
}

// TestReplay_VoidsAnAnswer replays between an answer and its receipt, and while a receipt is noted.
func TestReplay_VoidsAnAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	w.make("all", hook.Wanted{})
	from := w.clock.Now()
	w.post("seattle")
	w.pump()
	w.texts("all")
	for _, during := range []bool{false, true} {
		w.post("seattle")
		w.pump()
		a := w.fetch("all", "none")
		replay := func() {
			if err := w.service().Replay(t.Context(), bot, "all", from); err != nil {
				t.Error(err)
			}
		}
		if !during {
			replay()
		}
		first := true
		s := w.service(func(o *dynamodb.Options) {
			o.HTTPClient = before{o.HTTPClient, func(operation string) {
				if during && first && operation == "DeleteItem" { // the room is settled next
					first = false
					replay()
				}
			}}
		})
		if _, err := s.Fetch(t.Context(), bot, "all", &a.ID); err != nil {
			t.Fatal(err)
		}
		if got := w.texts("all"); len(got) != w.posts || !slices.Contains(got, "seattle: text 1") {
			t.Errorf("during a receipt %v: %q of %d", during, got, w.posts)
		}
	}
}

// TestFetch_LateReceipt notes a receipt after a later one.
func TestFetch_LateReceipt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.make("all", hook.Wanted{})
	w.pump()
	a := w.fetch("all", "none")
	w.post("seattle")
	w.pump()
	first := true
	s := w.service(func(o *dynamodb.Options) {
		o.HTTPClient = before{o.HTTPClient, func(operation string) {
			if first && operation == "UpdateItem" {
				first = false
				w.fetch("all", w.fetch("all", a.ID).ID)
			}
		}}
	})
	if _, err := s.Fetch(t.Context(), bot, "all", &a.ID); err != nil {
		t.Fatal(err)
	}
	w.post("seattle")
	w.pump()
	if got := w.texts("all"); first || !slices.Equal(got, []string{"seattle: text 2"}) {
		t.Errorf("then %q", got)
	}
}

// before calls a function before each request, with the operation.
type before struct {
	dynamodb.HTTPClient
	call func(operation string)
}

func (b before) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	b.call(operation)
	return b.HTTPClient.Do(r)
}

// TestPrivateRooms_NeedTheSetting notes news of a private room with the setting and without.
func TestPrivateRooms_NeedTheSetting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("p-secret")
	w.make("all", hook.Wanted{})
	w.pump()
	if rows := w.rows("hook#"); len(rows) > 0 {
		t.Errorf("without the setting there are the rows %q", rows)
	}
	if err := hook.NewOutbox(w.store.Table(), w.queue, w.clock.Now, hook.Rules{On: true, Private: true}).Wake(t.Context(), []hook.News{{Room: "p-secret", First: 1}}, nil); err != nil {
		t.Fatal(err)
	}
	if a := w.fetch("all", "none"); len(a.Rooms) > 0 || len(w.rows("hook#")) > 0 {
		t.Errorf("after the setting was changed: %+v, %q", a, w.rows("hook#"))
	}
}

// TestDelete_CrashesAtEachStep deletes a hook, creates it again, and looks for the rows of the first.
func TestDelete_CrashesAtEachStep(t *testing.T) {
	t.Parallel()
	for at := int64(1); at <= 5; at++ {
		w := newWorld(t)
		w.room("seattle")
		w.make("all", hook.Wanted{})
		w.post("seattle")
		w.pump()
		w.fetch("all", "none")
		c := &crash{at: at, after: true}
		crashed := w.service(c.options).Delete(t.Context(), bot, "all") != nil
		if err := w.service().Delete(t.Context(), bot, "all"); err != nil && chat.KindOf(err) != chat.NotFound {
			t.Fatal(err)
		}
		w.clock.advance(time.Second)
		w.make("all", hook.Wanted{})
		if got := w.texts("all"); len(got) > 0 {
			t.Errorf("crashed at %d, %v: the new hook has %q", at, crashed, got)
		}
	}
}

// deleteRoom deletes a room.
func (w *world) deleteRoom(id chat.RoomID) {
	w.t.Helper()
	owner, err := w.store.Membership(w.t.Context(), id, "maker")
	if err != nil {
		w.t.Fatal(err)
	}
	room, err := w.store.Room(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	if ok, err := w.store.DeleteRoom(w.t.Context(), chat.RoomDeletion{Room: room, By: owner, At: w.clock.Now()}); err != nil || !ok {
		w.t.Fatal(fmt.Sprint(ok), err)
	}
}
