package httpapi_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/ratelimit"
)

// TestSearch_TypingPassesAndAFloodDoesNot searches 30 rooms as somebody who types, and one room as
// fast as a script.
func TestSearch_TypingPassesAndAFloodDoesNot(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rooms, perSecond, seconds, atLeast, atMost int
	}{{30, 5, 60, 300, 300}, {1, 20, 20, 150, 250}} {
		w := newFedAPI(t, func(o *app.Options) { o.Limits = ratelimit.For(0) })
		w.ahead = -time.Hour
		for n := range tt.rooms {
			room := fmt.Sprint("room-", n)
			w.by("owner", "PUT", "/rooms/"+room, "")
			w.by("owner", "PUT", "/rooms/"+room+"/members/amsg", `{"role":"member"}`)
			for i := range 5 {
				w.say("owner", room, fmt.Sprint("lake ", i))
			}
		}
		w.settle()
		begun := time.Now()
		accepted, before := 0, w.calls.Load()
		for n := range tt.seconds * tt.perSecond {
			w.ahead = time.Until(begun.Add(time.Duration(n) * time.Second / time.Duration(tt.perSecond)))
			got := w.do(t, "GET", searchPath("/search", fmt.Sprint("lake -", n)), "")
			if got.status == 200 {
				accepted++
			} else if got.status != 429 || got.body["limit"] != "reads" {
				t.Fatal(got.text)
			}
		}
		t.Logf("%d of %d searches pass, with %d calls", accepted, tt.seconds*tt.perSecond, w.calls.Load()-before)
		if accepted < tt.atLeast || accepted > tt.atMost {
			t.Errorf("at %d searches a second %d pass in %d seconds, want %d to %d", tt.perSecond, accepted, tt.seconds, tt.atLeast, tt.atMost)
		}
	}
}
