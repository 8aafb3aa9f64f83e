package thread_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/tabletest"
	"example.com/parley/internal/thread"
)

// TestStore_KeepsTheContract runs on every engine that Parley runs on.
func TestStore_KeepsTheContract(t *testing.T) {
	t.Parallel()
	tabletest.Keeps(t, "threads", tabletest.Create, thread.NewStore, map[string]func(*testing.T, thread.Store){
		"a thread is followed and read by decision": followsAreDecidedOnce,
	})
}

// followsAreDecidedOnce checks that nobody who stopped following a thread follows it by a reply,
// and that a marker never moves back.
func followsAreDecidedOnce(t *testing.T, s thread.Store) {
	at := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	f := thread.Follow{
		Root: thread.Root{Room: "seattle", ID: chat.MessageID{UUID: chat.NewUUID(at, [10]byte{1}), User: "amsg"}},
		User: "bob", Seq: 5,
	}
	check := func(what string, want ...thread.Follow) {
		t.Helper()
		if got, err := s.FollowsOf(t.Context(), "bob"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", what, got, err, want)
		}
	}
	marker := func(seq, want int64) {
		t.Helper()
		moved := f
		moved.Seq = seq
		if got, err := s.PutMarker(t.Context(), moved); err != nil || got.Seq != want || got.Following != f.Following {
			t.Errorf("a marker moved to %d is at %+v, %v, want %d", seq, got, err, want)
		}
	}
	marker(3, 3)
	check("read alone")
	f.Following = true
	if err := s.PutFollower(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	f.Seq = 3
	check("a reply", f)
	marker(7, 7)
	marker(6, 7)
	f.Following = false
	if err := s.PutFollow(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	check("ceased")
	f.Following, f.Seq = true, 9
	if err := s.PutFollower(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	check("a reply after that")
	if err := s.PutFollow(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	f.Seq = 7
	check("again", f)
	other := thread.Follow{
		Root: thread.Root{Room: "sea", ID: f.Root.ID}, User: "bob", Following: true, Seq: rand.Int64N(chat.MaxSeq),
	}
	if err := s.PutFollower(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	check("another room's", other, f)
}
