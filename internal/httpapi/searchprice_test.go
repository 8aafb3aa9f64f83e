package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
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

// TestSearch_ChargesForItsWork asks one question ten times. The work is charged while it is done, so
// that the budget of reads pays for some, and the others wait. Another person's searches pass.
func TestSearch_ChargesForItsWork(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t, func(o *app.Options) { o.Limits = ratelimit.For(0) })
	w.ahead = -time.Hour
	w.by("owner", "PUT", "/rooms/room", "")
	for _, user := range []string{"amsg", "bob"} {
		w.by("owner", "PUT", "/rooms/room/members/"+user, `{"role":"member"}`)
	}
	text := "x b" + strings.Repeat("a", chat.MaxText-3)
	for range 250 {
		w.say("owner", "room", text)
	}
	w.settle()
	w.ahead = 0
	query := "x -x" // which finds nothing
	for i := range 17 {
		query += " -" + strings.Repeat("a", 22-i%10)
	}
	at := time.Now()
	ask := func(user, query string) (status int, limit any) {
		w.ahead = time.Until(at) // the budget does not grow while a slow machine answers
		got := w.do(t, "GET", searchPath("/rooms/room/search", query, "limit", "1"), "", userHeader, user)
		return got.status, got.body["limit"]
	}
	for w.ahead < time.Hour { // build the index
		got := w.do(t, "GET", searchPath("/rooms/room/search", "missing"), "", userHeader, "owner")
		if w.ahead += 15 * time.Second; got.status == 200 && got.body["next"] == nil {
			break
		}
	}
	answers := map[int]int{}
	for range 10 {
		status, limit := ask("amsg", query)
		if answers[status]++; status == 429 && limit != "reads" {
			t.Errorf("the limit is %v", limit)
		}
	}
	if answers[200] < 2 || answers[429] < 3 || answers[200]+answers[429] != 10 {
		t.Errorf("ten searches are answered %v", answers)
	}
	if status, _ := ask("bob", "x"); status != 200 {
		t.Errorf("another person's search: %d", status)
	}
	at = at.Add(10 * time.Second)
	if status, _ := ask("amsg", query); status != 200 {
		t.Errorf("ten seconds later: %d", status)
	}
}
