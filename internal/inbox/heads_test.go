package inbox_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/notify"
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
	w.prefers("portland", inbox.Preferences{Favorite: true, Level: notify.Choice{Level: notify.Mentions}})
	if err := w.DeleteRoom(t.Context(), "maker", "tacoma", nil); err != nil {
		t.Fatal(err)
	}
	want := []inbox.RoomHead{
		{Room: "seattle", Last: 4, Read: 2, Messages: 2},
		{Room: "portland", Last: 1, Preferences: inbox.Preferences{Favorite: true, Level: notify.Choice{Level: notify.Mentions}}},
	}
	check := func(when string) {
		t.Helper()
		got, err := w.Inbox.RoomHeads(t.Context(), "bob")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", when, err, diff)
		}
		page, got, err := w.Inbox.RoomsAndHeads(t.Context(), "bob", "bob", chat.PageRequest{Limit: 1})
		if diff := cmp.Diff(want, got); err != nil || diff != "" || len(page.Items) != 1 {
			t.Errorf("%s, with %d rooms: %v\n%s", when, len(page.Items), err, diff)
		}
	}
	check("in the middle")
	if _, err := w.Inbox.MarkRead(t.Context(), "bob", "seattle", 4); err != nil {
		t.Fatal(err)
	}
	want[0].Read, want[0].Messages = 4, 0
	check("at the end")
}

// TestRoomsAmong_AreThoseOfTheList compares some rooms with the list, which leaves out rooms that
// the person left, that are deleted, or that they never joined.
func TestRoomsAmong_AreThoseOfTheList(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for _, room := range []chat.RoomID{"seattle", "portland", "tacoma", "olympia", "yakima"} {
		chattest.CreateRoom(t, w.Services, room, 1)
		if err := chattest.SetRole(t, w.Services, "bob", room, "bob", policy.Member); err != nil {
			t.Fatal(err)
		}
		w.said(room, "eve", "hello")
	}
	w.prefers("portland", inbox.Preferences{Favorite: true})
	if err := w.Members.RemoveMember(t.Context(), "bob", chat.MemberOf{Room: "olympia", User: "bob"}); err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteRoom(t.Context(), "maker", "tacoma", nil); err != nil {
		t.Fatal(err)
	}
	listed, err := w.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 10})
	if err != nil || len(listed.Items) != 3 {
		t.Fatal(len(listed.Items), err)
	}
	want := slices.DeleteFunc(listed.Items, func(r inbox.Room) bool { return r.Room.ID == "yakima" })
	got, err := w.Inbox.RoomsAmong(t.Context(), "bob", "bob", []chat.RoomID{"unknown", "tacoma", "seattle", "olympia", "portland"})
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if none, err := w.Inbox.RoomsAmong(t.Context(), "bob", "bob", []chat.RoomID{}); err != nil || len(none) != 0 {
		t.Errorf("among none: %v, %v", none, err)
	}
	if _, err := w.Inbox.RoomsAmong(t.Context(), "eve", "bob", []chat.RoomID{"seattle"}); chat.KindOf(err) != chat.Forbidden {
		t.Errorf("of another person: %v", err)
	}
}
