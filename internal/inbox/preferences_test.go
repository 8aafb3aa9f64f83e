package inbox_test

import (
	"context"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// prefers sets preferences of bob.
func (w *fixture) prefers(room chat.RoomID, p inbox.Preferences) {
	w.t.Helper()
	if err := w.Inbox.SetPreferences(w.t.Context(), "bob", "bob", room, p); err != nil {
		w.t.Fatal(err)
	}
}

// wantPreferences compares bob's preferences with those in a list for a caller.
func (w *fixture) wantPreferences(ctx context.Context, caller chat.UserID, want map[chat.RoomID]inbox.Preferences) {
	w.t.Helper()
	page, err := w.Inbox.RoomsOf(ctx, caller, "bob", chat.PageRequest{Limit: 9})
	if err != nil || len(page.Items) != len(want) {
		w.t.Fatalf("%d rooms, %v", len(page.Items), err)
	}
	for _, r := range page.Items {
		if r.Preferences != want[r.Room.ID] {
			w.t.Errorf("for %s, %s has %+v, want %+v", caller, r.Room.ID, r.Preferences, want[r.Room.ID])
		}
	}
}

// TestSetPreferences_OnlyTheirOwnerSeesThem sets preferences in a public, an archived, a private and
// a direct room. A service lists bob's rooms without them.
func TestSetPreferences_OnlyTheirOwnerSeesThem(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	chattest.CreateRoom(t, w.Services, "tacoma", 1)
	hidden := chattest.CreatePrivateRoom(t, w.Services, "maker")
	for _, room := range []chat.RoomID{"seattle", "tacoma", hidden} {
		if err := chattest.SetRole(t, w.Services, "maker", room, "bob", policy.Member); err != nil {
			t.Fatal(err)
		}
	}
	direct, _, err := w.Direct.PostRoom(t.Context(), "maker", []string{"bob"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.PutRoom(t.Context(), "maker", "tacoma", chat.RoomDraft{Archived: new(true)}); err != nil {
		t.Fatal(err)
	}
	favorite, muted := inbox.Preferences{Favorite: true}, inbox.Preferences{Level: notify.Choice{Level: notify.Mentions}}
	both := inbox.Preferences{Favorite: true, Level: notify.Choice{Level: notify.Mentions}}
	want := map[chat.RoomID]inbox.Preferences{"seattle": both, "tacoma": muted, hidden: favorite, direct.ID: muted}
	for room, p := range want {
		w.prefers(room, p)
	}
	w.wantPreferences(t.Context(), "bob", want)
	w.wantPreferences(chat.WithService(t.Context(), "desk"), "bob", want)
	w.wantPreferences(chat.WithService(t.Context(), "desk"), "desk", map[chat.RoomID]inbox.Preferences{"seattle": {}, "tacoma": {}, hidden: {}, direct.ID: {}})
	page, err := w.Inbox.RoomsOf(t.Context(), "maker", "maker", chat.PageRequest{Limit: 9})
	for _, r := range page.Items {
		if err != nil || r.Preferences != (inbox.Preferences{}) || r.Room.Archived != (r.Room.ID == "tacoma") {
			t.Errorf("maker's list has %+v, %v", r, err)
		}
	}
	w.prefers("seattle", inbox.Preferences{})
	want["seattle"] = inbox.Preferences{}
	w.wantPreferences(t.Context(), "bob", want)
}

// TestSetPreferences_OutliveTheMembership reads a room, changes bob's role, and has him leave and
// join again.
func TestSetPreferences_OutliveTheMembership(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	set := func(by chat.UserID, role policy.Role) {
		t.Helper()
		if err := chattest.SetRole(t, w.Services, by, "seattle", "bob", role); err != nil {
			t.Fatal(err)
		}
	}
	set("bob", policy.Member)
	w.said("seattle", "maker", "hello")
	want := map[chat.RoomID]inbox.Preferences{"seattle": {Favorite: true, Level: notify.Choice{Level: notify.Mentions}}}
	w.prefers("seattle", want["seattle"])
	w.wantPreferences(t.Context(), "bob", want)
	if r, err := w.Inbox.MarkRead(t.Context(), "bob", "seattle", 1); err != nil || r.Seq != 1 {
		t.Errorf("marked: %+v, %v", r, err)
	}
	for _, role := range []policy.Role{policy.Muted, policy.Moderator} {
		set("maker", role)
		w.wantPreferences(t.Context(), "bob", want)
	}
	if err := w.Members.RemoveMember(t.Context(), "bob", chat.MemberOf{Room: "seattle", User: "bob"}); err != nil {
		t.Fatal(err)
	}
	err := w.Inbox.SetPreferences(t.Context(), "bob", "bob", "seattle", inbox.Preferences{})
	chattest.WantKind(t, "after leaving", err, chat.NotFound)
	set("bob", policy.Member)
	w.wantPreferences(t.Context(), "bob", want)
}

func TestSetPreferences_Refuses(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	hidden := chattest.CreatePrivateRoom(t, w.Services, "maker")
	if err := chattest.SetRole(t, w.Services, "maker", "seattle", "banned", policy.Banned); err != nil {
		t.Fatal(err)
	}
	set := func(caller, user chat.UserID, room chat.RoomID) error {
		return w.Inbox.SetPreferences(t.Context(), caller, user, room, inbox.Preferences{Level: notify.Choice{Level: notify.Mentions}})
	}
	chattest.WantKind(t, "an unknown room", set("bob", "bob", "nowhere"), chat.NotFound)
	chattest.WantKind(t, "a hidden room", set("bob", "bob", hidden), chat.NotFound)
	chattest.WantKind(t, "a room that one may join", set("bob", "bob", "seattle"), chat.NotFound)
	chattest.WantKind(t, "a room from which one is banned", set("banned", "banned", "seattle"), chat.Forbidden)
	chattest.WantKind(t, "another's", set("maker", "bob", "seattle"), chat.Forbidden)
	_, markers, err := inbox.NewStore(w.store.Table()).OwnRooms(t.Context(), "bob", nil)
	if err != nil || len(markers) > 0 {
		t.Errorf("stored: %+v, %v", markers, err)
	}
}

// TestCounted_LeavesOutMutedRooms posts messages of which one mentions bob.
func TestCounted_LeavesOutMutedRooms(t *testing.T) {
	t.Parallel()
	muted, open := inbox.Preferences{Level: notify.Choice{Level: notify.Mentions}, Favorite: true}, inbox.Preferences{Favorite: true}
	for p, want := range map[inbox.Preferences]int64{muted: 1, open: 7} {
		if got := (inbox.Room{Reading: inbox.Reading{Unread: 7, Mentions: 1}, Preferences: p}).Counted(); got != want {
			t.Errorf("%+v: %d, want %d", p, got, want)
		}
	}
}

// TestSetPreferences_Units sets preferences for the first time, and then next to an existing
// marker: 1 write unit and the reads of the check.
func TestSetPreferences_Units(t *testing.T) {
	t.Parallel()
	w, metered, meter := newMeteredFixture(t)
	w.roomOf("maker", 1)
	for range 2 {
		units, steps, names := meter.measured(t, func(ctx context.Context) {
			if err := metered.Inbox.SetPreferences(ctx, "maker", "maker", "room-0001", inbox.Preferences{Level: notify.Choice{Level: notify.Mentions}}); err != nil {
				t.Error(err)
			}
		})
		if units != 3 || steps != 2 {
			t.Errorf("%v units in %d steps: %v", units, steps, names)
		}
	}
}

// TestSetPreferences_LevelEnds mutes a room for an hour.
func TestSetPreferences_LevelEnds(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	if err := chattest.SetRole(t, w.Services, "maker", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	for _, past := range []time.Duration{0, -time.Second} {
		p := inbox.Preferences{Level: notify.Choice{Level: notify.None, Until: w.clock.Now().Add(past)}}
		if err := w.Inbox.SetPreferences(t.Context(), "bob", "bob", "seattle", p); chat.KindOf(err) != chat.Invalid {
			t.Errorf("an end %v from now: %v", past, err)
		}
	}
	hour := inbox.Preferences{Favorite: true, Level: notify.Choice{Level: notify.None, Until: chat.ServerTime(w.clock.Now().Add(time.Hour))}}
	w.prefers("seattle", hour)
	w.wantPreferences(t.Context(), "bob", map[chat.RoomID]inbox.Preferences{"seattle": hour})
	w.clock.Advance(time.Hour - time.Millisecond)
	w.wantPreferences(t.Context(), "bob", map[chat.RoomID]inbox.Preferences{"seattle": hour})
	w.clock.Advance(time.Millisecond)
	w.wantPreferences(t.Context(), "bob", map[chat.RoomID]inbox.Preferences{"seattle": {Favorite: true}})
	heads, err := w.Inbox.RoomHeads(t.Context(), "bob")
	if err != nil || len(heads) != 1 || heads[0].Preferences != (inbox.Preferences{Favorite: true}) {
		t.Errorf("heads %+v, %v", heads, err)
	}
}
