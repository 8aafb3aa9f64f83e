package live_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
)

// changesFrame is a frame as a client reads it.
type changesFrame struct {
	Type  string
	Rooms []struct {
		ID      chat.RoomID
		Since   string
		Changes []struct {
			Seq     int64
			Omitted bool
			Message *struct{ Text string }
		}
	}
}

// TestConsume_SplitsRoomsOverFrames delivers one batch with changes of all sizes.
func TestConsume_SplitsRoomsOverFrames(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Full, "phone", "laptop")
		h.join("portland", live.Full, "phone")
		sizes := []int{10, 30 << 10, 23 << 10, 8 << 10, 8 << 10, 8 << 10, 8 << 10, chat.MaxText, 100}
		b := h.message("portland", "hello")
		var changes []feed.StreamChange
		for _, size := range sizes {
			changes = append(changes, h.message("seattle", strings.Repeat("x", size)).Rooms[0].Entries[0].StreamChange)
		}
		late := changes[0]
		late.Created = time.Now().Add(-61 * time.Second)
		h.seq += 2
		changes = append(changes, late, feed.StreamChange{Change: feed.Change{Type: feed.RoomChanged}, Created: late.Created})
		b.Rooms = append(b.Rooms, h.batch("seattle", changes...).Rooms...)
		if err := h.delivery().Consume(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		checkFrames(t, h.received("phone"), []string{"portland 1", "seattle 2", "seattle 3 omitted", "seattle 4", "seattle 5", "seattle 6", "seattle 7", "seattle 8", "seattle 9 omitted", "seattle 10", "seattle 11 omitted", "seattle 12 none"})
		checkFrames(t, h.received("laptop"), []string{"seattle 2", "seattle 3 omitted", "seattle 4", "seattle 5", "seattle 6", "seattle 7", "seattle 8", "seattle 9 omitted", "seattle 10", "seattle 11 omitted", "seattle 12 none"})
		if n := len(h.received("laptop")); n != 3 {
			t.Errorf("%d frames for 57 KB", n)
		}
	})
}

// checkFrames compares frames with the changes that they should hold.
func checkFrames(t *testing.T, frames, want []string) {
	t.Helper()
	var got []string
	for _, text := range frames {
		if len(text) >= live.MaxFrame || strings.Contains(text, "blocked") {
			t.Errorf("a frame of %d bytes: %.100s", len(text), text)
		}
		var f changesFrame
		if err := json.Unmarshal([]byte(text), &f); err != nil || f.Type != "changes" {
			t.Fatalf("%v: %.100s", err, text)
		}
		for _, r := range f.Rooms {
			for _, c := range r.Changes {
				state := ""
				switch {
				case c.Omitted && c.Message == nil:
					state = " omitted"
				case c.Message == nil:
					state = " none"
				}
				got = append(got, fmt.Sprint(r.ID, " ", c.Seq, state))
			}
			position, err := chat.ParseFeedPosition(r.ID, r.Since)
			if last := r.Changes[len(r.Changes)-1].Seq; err != nil || position != (chat.FeedPosition{Seq: last, Generation: "g"}) {
				t.Errorf("since is %+v after %d, %v", position, last, err)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("received %q,\nwant %q", got, want)
	}
}

// TestConsume_EncodesARoomOnce wants the same bytes for all connections with the same rooms.
func TestConsume_EncodesARoomOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Full, connections(50)...)
		if err := h.delivery().Consume(t.Context(), h.message("seattle", "hello")); err != nil {
			t.Fatal(err)
		}
		for _, p := range h.posts {
			if &p.frame[0] != &h.posts[0].frame[0] {
				t.Fatal("two connections received frames that were encoded apart")
			}
		}
		if len(h.posts) != 50 {
			t.Errorf("%d posts", len(h.posts))
		}
	})
}

// TestConsume_SendsCountsSeldom delivers ten messages in three seconds to a connection that wants
// only numbers.
func TestConsume_SendsCountsSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Counts, "phone")
		h.join("portland", live.Full, "phone")
		d := h.delivery()
		for range 10 {
			if err := d.Consume(t.Context(), h.message("seattle", "hello")); err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond)
		}
		want := []string{
			`{"type":"counts","rooms":[{"id":"seattle","seq":1,"count":1}]}`,
			`{"type":"counts","rooms":[{"id":"seattle","seq":8,"count":8}]}`,
		}
		if got := h.received("phone"); !slices.Equal(got, want) {
			t.Errorf("received %q", got)
		}
	})
}
