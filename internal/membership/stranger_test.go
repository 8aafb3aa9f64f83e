package membership_test

import (
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/live"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// TestRestrict_MuteWithAnEndAdmitsNoStranger mutes people who are not in a private room, until a
// time. They never may read it, and neither their subscriptions nor their lists have it.
func TestRestrict_MuteWithAnEndAdmitsNoStranger(t *testing.T) {
	t.Parallel()
	l := newLiveRooms(t)
	room := chattest.CreatePrivateRoom(t, l.Services, "maker")
	restrict := func(user chat.UserID, r membership.Restriction) (added bool) {
		t.Helper()
		_, added, err := l.Members.Restrict(t.Context(), "maker", chat.MemberOf{Room: room, User: user}, r)
		if err != nil {
			t.Fatal(err)
		}
		return added
	}
	mute := membership.Restriction{Role: policy.Muted, Until: l.clock.Now().Add(time.Hour)}
	ban := membership.Restriction{Role: policy.Banned, Until: l.clock.Now().Add(time.Minute)}
	if restrict("eve", mute) {
		t.Error("a mute admits a stranger")
	}
	restrict("eve", ban) // which must not turn the mute into a membership
	if err := chattest.SetRole(t, l.Services, "maker", room, "bob", policy.Muted); err != nil {
		t.Fatal(err)
	}
	l.subscribe(t, room, "bob") // who was admitted, and may read until the mute has an end
	restrict("bob", mute)
	l.wantSubscribed(t, "a mute gets an end", room)
	for range 3 { // muted, then with the ban ended, then with the mute ended
		for _, user := range []chat.UserID{"eve", "bob"} {
			_, err := l.Authorize(t.Context(), user, room, policy.Read)
			chattest.WantKind(t, string(user)+" reads", err, chat.NotFound)
			reader := live.NewMemberAuthorizer(l.store, l.Service, l.clock.Now)
			_, err = reader.Authorize(t.Context(), user, room, policy.Read)
			chattest.WantKind(t, string(user)+" subscribes", err, chat.NotFound)
			rooms, err := l.Inbox.RoomsOf(t.Context(), user, user, chat.PageRequest{Limit: 9})
			if err != nil || len(rooms.Items) > 0 {
				t.Errorf("%s lists %+v, %v", user, rooms.Items, err)
			}
		}
		l.clock.Advance(40 * time.Minute)
	}
	members, err := l.Members.Members(t.Context(), "maker", room, chat.PageRequest{Limit: 9})
	if err != nil || len(members.Items) != 1 {
		t.Errorf("members %+v, %v", members.Items, err)
	}
}

// TestUse_MutedStrangerStaysAfterTheMute lets a person whom a mute has kept out join by an
// invitation. They are muted until its end, and then a member.
func TestUse_MutedStrangerStaysAfterTheMute(t *testing.T) {
	t.Parallel()
	l := newLiveRooms(t)
	room := chattest.CreatePrivateRoom(t, l.Services, "maker")
	mute := membership.Restriction{Role: policy.Muted, Until: l.clock.Now().Add(time.Hour)}
	if _, _, err := l.Members.Restrict(t.Context(), "maker", chat.MemberOf{Room: room, User: "eve"}, mute); err != nil {
		t.Fatal(err)
	}
	_, token, err := l.Invites.Create(t.Context(), "maker", room, invite.Draft{})
	if err != nil {
		t.Fatal(err)
	}
	if _, joined, err := l.Invites.Use(t.Context(), "eve", token); err != nil || !joined {
		t.Fatal(joined, err)
	}
	for _, want := range []policy.Role{policy.Muted, policy.Member} {
		a, err := l.Authorize(t.Context(), "eve", room, policy.Read)
		if err != nil || a.Role != want {
			t.Errorf("%v, %v, want %v", a.Role, err, want)
		}
		l.clock.Advance(time.Hour)
	}
}
