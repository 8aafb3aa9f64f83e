package thread_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/thread"
)

// TestProject_MayBeRepeatedInAnyOrder performs the work of a thread's life again, in random orders
// and in one piece. Nothing that people see changes.
func TestProject_MayBeRepeatedInAnyOrder(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 2)
	root := w.post("amsg", "root", chat.MessageID{})
	gone := w.post("bob", "one", root.ID)
	w.post("cy", "two", root.ID)
	w.remove(gone)
	if err := w.Threads.Follow(t.Context(), "cy", rootOf(root), false); err != nil {
		t.Fatal(err)
	}
	look := func() []string {
		page, err := w.Threads.Replies(t.Context(), "eve", thread.Query{Root: rootOf(root), Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		seen := []string{w.own("amsg"), w.own("bob"), w.own("cy"), w.own("eve")}
		for _, m := range page.Items {
			seen = append(seen, m.Text)
		}
		return seen
	}
	want := look()
	if !slices.Equal(want, []string{"root:1", "root:1", "", "", "two", ""}) {
		t.Fatalf("%q", want)
	}
	works := slices.Clone(w.works)
	var whole feed.RoomChanges
	for _, work := range works {
		whole.Room, whole.Entries = work.Room, append(whole.Entries, work.Entries...)
	}
	random := rand.New(rand.NewPCG(nightly.Seed(t), 0))
	for range 5 {
		random.Shuffle(len(works), func(i, j int) { works[i], works[j] = works[j], works[i] })
		for _, work := range append(works, whole) {
			w.project(work)
		}
		if got := look(); !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}
