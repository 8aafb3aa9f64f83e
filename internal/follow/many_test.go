package follow_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"example.com/parley/internal/follow"
	"example.com/parley/internal/test/nightly"
)

// minute is the longest time until a change of a room without frames arrives.
const minute = time.Minute

func (h *hearer) finish(t *testing.T) {
	t.Helper()
	h.stop()
	if err := <-h.done; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}

// given are rooms with positions.
func given(n int) []follow.Room {
	rooms := make([]follow.Room, n)
	for i := range rooms {
		rooms[i] = follow.Room{ID: roomNamed(i), Since: "1"}
	}
	return rooms
}

// TestRun_HearsEachOf139Rooms posts a message in each room, for a person and for a service whose
// rooms are in no list.
func TestRun_HearsEachOf139Rooms(t *testing.T) {
	t.Parallel()
	for _, owned := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s, api, c := newCrowd(t, 139)
			s.owned = owned
			h := s.hear(api, c, 1, !owned, given(139)...)
			time.Sleep(10 * time.Second)
			if got, want := s.counted(), "map[changes:139 heads:1] map[hello:1] []"; got != want {
				t.Errorf("owned %v: the start takes %s, want %s", owned, got, want)
			}
			for i := range 139 {
				s.post(roomNamed(i))
			}
			synctest.Wait()
			if got := h.missing(s); len(got) != 39 || got[0] != roomNamed(100) {
				t.Errorf("owned %v: %d rooms are not heard immediately: %v", owned, len(got), got)
			}
			time.Sleep(minute)
			if got := h.missing(s); len(got) > 0 {
				t.Errorf("owned %v: not heard within a minute: %v", owned, got)
			}
			time.Sleep(time.Second)
			// Of the rooms that have changed, 39 take the places of others.
			if got, want := s.counted(), "map[changes:39 heads:1] map[subscribe:2 unsubscribe:2] []"; !owned && got != want {
				t.Errorf("the minute takes %s, want %s", got, want)
			}
			s.post(roomNamed(138))
			synctest.Wait()
			if got := h.missing(s); len(got) > 0 {
				t.Errorf("owned %v: a room that has changed has no subscription: %v", owned, got)
			}
			s.counted()
			time.Sleep(time.Hour)
			got := s.counted()
			var changes, heads, syncs int
			format, counts := "map[heads:%d] map[renew:1 sync:%d] []", []any{&heads, &syncs}
			if owned {
				format, counts = "map[changes:%d heads:%d] map[renew:1 sync:%d] []", []any{&changes, &heads, &syncs}
			}
			if _, err := fmt.Sscanf(got, format, counts...); err != nil || changes > 39*68 || heads > 68 || syncs > 8 {
				t.Errorf("owned %v: an idle hour takes %s: %v", owned, got, err)
			}
			h.finish(t)
		})
	}
}

// TestRun_HearsDirectRoomsAtOnce posts in rooms to which the connection is not subscribed.
func TestRun_HearsDirectRoomsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, api, c := newCrowd(t, 139)
		h := s.hear(api, c, 1, true, given(139)...)
		time.Sleep(10 * time.Second)
		for i := 100; i < 139; i++ {
			s.dm[roomNamed(i)] = true
			s.post(roomNamed(i))
		}
		synctest.Wait()
		if got := h.missing(s); len(got) > 0 {
			t.Errorf("not heard: %v", got)
		}
		h.finish(t)
	})
}

// TestRun_HearsMoreThan1000RoomsWithinFiveMinutes compares so many rooms less often.
func TestRun_HearsMoreThan1000RoomsWithinFiveMinutes(t *testing.T) {
	t.Parallel()
	// Each is a number of rooms, and the most comparisons of an hour.
	for _, size := range nightly.Share([][2]int{{1000, 68}, {1001, 13}, {5000, 13}}, 2) {
		n, most := size[0], size[1]
		synctest.Test(t, func(t *testing.T) {
			s, api, c := newCrowd(t, n)
			h := s.hear(api, c, 1, true, given(n)...)
			time.Sleep(10 * time.Second)
			s.post(roomNamed(n - 1))
			time.Sleep(3600 * time.Second / time.Duration(most-1))
			if got := h.missing(s); len(got) > 0 {
				t.Errorf("%d rooms: not heard: %v", n, got)
			}
			s.counted()
			time.Sleep(time.Hour)
			var heads, syncs int
			got := s.counted()
			if _, err := fmt.Sscanf(got, "map[heads:%d] map[renew:1 sync:%d] []", &heads, &syncs); err != nil || heads > most || syncs > 8 {
				t.Errorf("%d rooms: an idle hour takes %s, want at most %d heads", n, got, most)
			}
			h.finish(t)
		})
	}
}

// TestRun_RepeatsNoRefusal refuses subscriptions: of one room, and of each request that adds rooms.
func TestRun_RepeatsNoRefusal(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name         string
		mute, deaf   int
		least, limit int // refusals within half an hour
	}{
		{"a room is refused", 422, 0, 1, 1},
		{"a room is busy", 503, 0, 60, 95},
		{"a request is refused", 0, 409, 1, 1},
		{"a request comes too early", 0, 429, 60, 95},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, api, c := newCrowd(t, 139)
			if tt.mute > 0 {
				s.mute[roomNamed(3)] = tt.mute
			}
			s.deaf = tt.deaf
			h := s.hear(api, c, 1, true, given(139)...)
			time.Sleep(10 * time.Second)
			changed := roomNamed(3)
			if tt.deaf > 0 {
				changed = roomNamed(138) // it takes the place of another room
			}
			s.post(changed)
			time.Sleep(30 * time.Minute)
			s.set(func() {
				if n := len(s.refused); n < tt.least || n > tt.limit {
					t.Errorf("%s: %d refusals, want %d to %d: %v", tt.name, n, tt.least, tt.limit, s.refused)
				}
			})
			if got := h.missing(s); len(got) > 0 {
				t.Errorf("%s: not heard: %v", tt.name, got)
			}
			h.finish(t)
		})
	}
}

// TestRun_FollowsTheList begins without rooms, joins and leaves some, and comes back after it has
// left others.
func TestRun_FollowsTheList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, api, c := newCrowd(t, 0)
		h := s.hear(api, c, 1, true)
		time.Sleep(10 * time.Second)
		s.set(func() { s.heads["added"], s.order = 1, []string{"added"} })
		s.tell(map[string]any{"type": "personal", "event": map[string]any{"type": "room.added", "room": "added"}})
		time.Sleep(time.Second)
		s.post("added")
		synctest.Wait()
		s.set(func() { s.heads["missed"], s.order = 1, []string{"added", "missed"} }) // its event is lost
		time.Sleep(minute)
		s.post("missed")
		synctest.Wait()
		if got := h.missing(s); len(got) > 0 || h.left() != "" {
			t.Errorf("not heard: %v; gone: %s", got, h.left())
		}
		s.set(func() { s.left["added"] = true })
		s.counted()
		time.Sleep(2 * time.Minute)
		if got := s.counted(); h.left() != "added" || !strings.Contains(got, "map[unsubscribe:1] []") {
			t.Errorf("after leaving a room that the server still shows: gone %s, %s", h.left(), got)
		}
		h.finish(t)
		h = s.hear(api, c, 1, true, follow.Room{ID: "missed", Since: "1"}, follow.Room{ID: "added", Since: "1"})
		time.Sleep(time.Second)
		h.finish(t)
		if h.last["missed"] != 2 || h.left() != "added" {
			t.Errorf("after coming back: %v, gone %s", h.last, h.left())
		}
	})
}

// TestRun_AnotherConnectionForgetsItsRooms replaces a connection that answers nothing while a room loses
// its place and gets it back: the hello of the next one does not name it.
func TestRun_AnotherConnectionForgetsItsRooms(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, api, c := newCrowd(t, 139)
		h := s.hear(api, c, 1, true, given(139)...)
		time.Sleep(10 * time.Second)
		s.set(func() {
			s.slow = time.Second
			s.dm[roomNamed(138)], s.dm[roomNamed(137)] = true, true
			for l := range s.conns {
				l.stuck = true
			}
		})
		s.post(roomNamed(138)) // takes the place of room 99, 2 s later; after 2 more comes the hello
		time.Sleep(3500 * time.Millisecond)
		s.post(roomNamed(137)) // takes the place of room 98
		time.Sleep(time.Second)
		s.post(roomNamed(98)) // still arrives on the first connection
		time.Sleep(5 * time.Second)
		s.post(roomNamed(98))
		synctest.Wait()
		if got := h.missing(s); len(got) > 0 || s.frames["hello"] != 2 || slices.Contains(s.hello, roomNamed(98)) {
			t.Errorf("not heard: %v; %v, the last of %d rooms", got, s.frames, len(s.hello))
		}
		h.finish(t)
	})
}

// TestRun_ComparesWithoutASocket polls the heads of a few rooms often, and of many less often.
func TestRun_ComparesWithoutASocket(t *testing.T) {
	t.Parallel()
	for n, within := range map[int]time.Duration{20: 3 * time.Second, 139: minute} {
		synctest.Test(t, func(t *testing.T) {
			s, api, c := newCrowd(t, n)
			c.Transport = http.NewFileTransport(http.Dir(t.TempDir())) // no socket, only the API
			h := s.hear(api, c, 1, true, given(n)...)
			time.Sleep(10 * time.Second)
			s.counted()
			s.post(roomNamed(n - 1))
			time.Sleep(within)
			if got := h.missing(s); len(got) > 0 {
				t.Errorf("%d rooms: not heard: %v", n, got)
			}
			if got := s.counted(); !strings.HasPrefix(got, "map[changes:1 heads:") {
				t.Errorf("%d rooms: %s", n, got)
			}
			h.finish(t)
		})
	}
}

// TestRun_ManyRoomsEndWithTheServersList plays random scripts in 130 rooms. A minute after the faults
// end, each change of each room has arrived once.
func TestRun_ManyRoomsEndWithTheServersList(t *testing.T) {
	t.Parallel()
	does := []string{"post", "post", "post", "post some", "wait", "moment", "cut", "lose", "deaf", "mute", "added", "heal"}
	script := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		return step{rapid.SampledFrom(does).Draw(t, "do"), rapid.IntRange(0, 129).Draw(t, "n")}
	}), 1, 30)
	rapid.Check(t, func(rt *rapid.T) {
		played, seed := script.Draw(rt, "script"), rapid.Uint64().Draw(rt, "seed")
		var missing []string
		synctest.Test(t, func(t *testing.T) {
			s, api, c := newCrowd(t, 130)
			h := s.hear(api, c, seed, seed%2 == 0, given(130)...)
			for _, st := range played {
				s.play(st)
			}
			s.play(step{"heal", 0})
			time.Sleep(minute)
			missing = h.missing(s)
			s.set(func() {
				refusals := slices.DeleteFunc(s.refused, func(text string) bool { return strings.Contains(text, "429") || strings.Contains(text, "503") })
				missing = append(missing, refusals...)
			})
			h.finish(t)
		})
		if len(missing) > 0 {
			rt.Fatal(missing)
		}
	})
}

// play plays a step of a script.
func (s *crowd) play(st step) {
	id := roomNamed(st.n)
	switch st.do {
	case "post":
		s.post(id)
	case "post some":
		for i := range 30 {
			s.post(roomNamed((st.n + i) % 130))
		}
	case "wait":
		time.Sleep(time.Duration(st.n) * time.Second)
	case "moment":
		time.Sleep(time.Duration(st.n) * time.Millisecond)
	case "cut":
		s.cut()
	case "lose":
		s.set(func() { s.lossy = true })
	case "deaf":
		s.set(func() { s.deaf = http.StatusTooManyRequests })
	case "mute":
		s.set(func() { s.mute[id] = http.StatusServiceUnavailable })
	case "added":
		s.set(func() { s.dm[id] = true })
	case "heal":
		s.set(func() { s.deaf, s.lossy = 0, false; clear(s.mute) })
	}
}
