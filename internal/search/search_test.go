package search_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/search"
	"example.com/parley/internal/test/nightly"
)

// TestSearch_FindsWhatAScanFinds compares searches with plain scans, while people write, edit,
// delete, reply and react, processes start again, and sweeps run.
func TestSearch_FindsWhatAScanFinds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, seed)
			for range nightly.Times(50, 100) {
				for range w.rand.IntN(7) {
					w.act()
				}
				w.check(w.Search, w.query())
			}
		})
	}
}

// TestSearch_FindsAtOnce finds what was stored before the search, although the feed is behind.
func TestSearch_FindsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	root := w.post("bob", "seattle", chat.MessageDraft{Text: "the first"})
	for n := range 3 {
		w.deliver()
		w.clock.Advance(time.Hour)
		w.post("bob", "seattle", chat.MessageDraft{Text: fmt.Sprint("by another ", n)})
		w.post("ann", "seattle", chat.MessageDraft{Text: fmt.Sprint("by myself ", n), Thread: root.ID})
		q, err := search.Parse("by", "ann", time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.found(w.Search, "ann", q, 10); len(got) != 2*n+2 {
			t.Errorf("%d messages are found immediately, want %d", len(got), 2*n+2)
		}
	}
}

// TestSearch_ReadsThePast begins an index when everything is old, as after an update of a
// deployment: replies that the room does not list are found too, of old threads and of new ones.
func TestSearch_ReadsThePast(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	var roots []chat.MessageID
	for n := range 40 {
		roots = append(roots, w.post("bob", "seattle", chat.MessageDraft{Text: fmt.Sprint("old message ", n)}).ID)
		w.clock.Advance(time.Hour)
		if n%3 == 0 {
			w.post("ann", "seattle", chat.MessageDraft{Text: fmt.Sprint("old reply ", n), Thread: roots[n/2]})
		}
	}
	w.deliver()
	w.clock.Advance(time.Hour)
	w.check(w.Search, "old reply")
	w.restart()
	w.check(w.Search, "old")
}

// TestSweep_RemovesDeletedTexts looks for a deleted and an edited text in everything that is stored.
func TestSweep_RemovesDeletedTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	var secrets []chat.Message
	for n := range 60 { // several blocks
		m := w.post("ann", "seattle", chat.MessageDraft{Text: fmt.Sprintf("secret number %d of many words", n)})
		if n%10 == 5 {
			secrets = append(secrets, m)
		}
		w.clock.Advance(time.Second)
	}
	w.deliver()
	w.check(w.Search, "secret")
	for i, m := range secrets {
		of, text := chat.Revision{Room: m.Room, ID: m.ID, Base: 1}, "public"
		var err error
		if i%2 == 0 {
			_, err = w.DeleteMessage(t.Context(), "ann", of)
		} else {
			_, _, err = w.EditMessage(t.Context(), "ann", of, chat.MessageEdit{Text: &text})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.deliver()
	before := w.stored()
	swept, err := w.Search.Sweep(t.Context())
	if err != nil || swept.Rooms != 2 || swept.Stored != 1 || swept.Objects == 0 {
		t.Errorf("%+v, %v", swept, err)
	}
	after := w.stored()
	for _, m := range secrets {
		if !strings.Contains(before, m.Text) || strings.Contains(after, m.Text) {
			t.Errorf("%q is stored: %v before the sweep, %v after it", m.Text, strings.Contains(before, m.Text), strings.Contains(after, m.Text))
		}
	}
	if n := strings.Count(after, "secret"); n != 60-len(secrets) {
		t.Errorf("%d other texts are left, want %d", n, 60-len(secrets))
	}
	w.restart()
	w.check(w.Search, "secret")
	w.check(w.Search, "public")
}

// TestSweep_RemovesIndexes that nobody used, and the indexes of deleted rooms.
func TestSweep_RemovesIndexes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	for _, room := range w.rooms {
		for n := range 20 {
			w.post("ann", room, chat.MessageDraft{Text: fmt.Sprintf("message number %d", n)})
		}
	}
	w.deliver()
	w.check(w.Search, "message")
	if !strings.Contains(w.stored(), "message") {
		t.Fatal("no index is stored")
	}
	if err := w.DeleteRoom(t.Context(), "maker", "tacoma", nil); err != nil {
		t.Fatal(err)
	}
	if swept, err := w.Search.Sweep(t.Context()); err != nil || swept.Rooms != 2 || swept.Removed != 1 {
		t.Errorf("with a deleted room: %+v, %v", swept, err)
	}
	w.clock.Advance(search.UnusedDays*24*time.Hour - time.Minute)
	if swept, err := w.Search.Sweep(t.Context()); err != nil || swept.Rooms != 1 || swept.Removed != 0 {
		t.Errorf("in time: %+v, %v", swept, err)
	}
	w.clock.Advance(time.Minute)
	if swept, err := w.Search.Sweep(t.Context()); err != nil || swept.Removed != 1 || w.stored() != "" {
		t.Errorf("after %d days: %+v, %v, and %q is left", search.UnusedDays, swept, err, w.stored())
	}
	w.messages["tacoma"] = nil
	w.check(w.Search, "message")
}
