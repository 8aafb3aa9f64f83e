package inbox_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// TestRoomHeads_SayWhatIsNew reads the heads of a member who has read a part of one room, before and
// after they read all of it.
func TestRoomHeads_SayWhatIsNew(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for _, room := range []chat.RoomID{"seattle", "portland", "tacoma"} {
		chattest.CreateRoom(t, w.Services, room, 1)
		w.said(room, "eve", "before bob joins")
		if err := chattest.SetRole(t, w.Services, "bob", room, "bob", policy.Member); err != nil {
			t.Fatal(err)
		}
	}
	read := w.said("seattle", "eve", "1")
	w.said("seattle", "bob", "own")
	w.said("seattle", "eve", "2")
	if _, err := w.Inbox.MarkMessage(t.Context(), "bob", "seattle", read.ID); err != nil {
		t.Fatal(err)
	}
	w.prefers("portland", inbox.Preferences{Favorite: true, Muted: true})
	if err := w.DeleteRoom(t.Context(), "maker", "tacoma", nil); err != nil {
		t.Fatal(err)
	}
	want := []inbox.RoomHead{
		{Room: "seattle", Last: 4, Read: 2, Messages: 2},
		{Room: "portland", Last: 1, Preferences: inbox.Preferences{Favorite: true, Muted: true}},
	}
	check := func(when string) {
		t.Helper()
		got, err := w.Inbox.RoomHeads(t.Context(), "bob")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", when, err, diff)
		}
	}
	check("in the middle")
	if _, err := w.Inbox.MarkRead(t.Context(), "bob", "seattle", 4); err != nil {
		t.Fatal(err)
	}
	want[0].Read, want[0].Messages = 4, 0
	check("at the end")
}
