package membership_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/race"
)

func TestHandOver(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for user, role := range map[chat.UserID]policy.Role{"mod": policy.Moderator, "mem": policy.Member, "muted": policy.Muted, "out": policy.Banned} {
		if err := chattest.SetRole(t, s, "maker", "seattle", user, role); err != nil {
			t.Fatal(err)
		}
	}
	for i, step := range []struct {
		caller, user chat.UserID
		want         chat.Kind
	}{
		{"mem", "mod", chat.Forbidden},
		{"mod", "mem", chat.Forbidden},
		{"maker", "maker", chat.Invalid},
		{"maker", "stranger", chat.Conflict},
		{"maker", "out", chat.Conflict},
		{"maker", "muted", 0},
		{"maker", "muted", 0},            // a retry
		{"maker", "mem", chat.Forbidden}, // a moderator now
		{"muted", "maker", 0},
	} {
		_, err := s.Members.HandOver(t.Context(), step.caller, chat.MemberOf{Room: "seattle", User: step.user})
		if chat.KindOf(err) != step.want || (err != nil) != (step.want != 0) {
			t.Errorf("step %d, %s hands over to %s: %v, want %v", i, step.caller, step.user, err, step.want)
		}
	}
	for user, want := range map[chat.UserID]string{"maker": "owner", "muted": "moderator"} {
		if got := roleOf(t, s, user); got != want {
			t.Errorf("%s is %s, want %s", user, got, want)
		}
	}
}

// TestRemoveMember_OwnersNeverLeaveARoomAlone lets all owners of rooms leave and hand over
// concurrently.
func TestRemoveMember_OwnersNeverLeaveARoomAlone(t *testing.T) {
	t.Parallel()
	const owners = 20
	rooms := race.Rounds(nightly.Times(5, 50)) // of 20 changes each
	s, _ := chattest.New(t)
	left := 0
	for i := range rooms {
		room := chat.RoomID(fmt.Sprintf("room-%d", i))
		chattest.CreateRoom(t, s, room, 1)
		users := []chat.UserID{"maker"}
		for n := range owners - 1 {
			user := chat.UserID(fmt.Sprintf("owner-%d", n))
			if err := chattest.SetRole(t, s, "maker", room, user, policy.Owner); err != nil {
				t.Fatal(err)
			}
			users = append(users, user)
		}
		var wg sync.WaitGroup
		for n, user := range users {
			wg.Go(func() {
				var err error
				if n%3 == 2 {
					_, err = s.Members.HandOver(t.Context(), user, chat.MemberOf{Room: room, User: users[n-1]})
				} else {
					err = s.Members.RemoveMember(t.Context(), user, chat.MemberOf{Room: room, User: user})
				}
				if k := chat.KindOf(err); err != nil && k != chat.Conflict && k != chat.Unavailable && k != chat.Forbidden {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		remaining := 0
		members, err := s.Members.Members(t.Context(), "stranger", room, chat.PageRequest{Limit: owners + 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range members.Items {
			if m.Role == policy.Owner {
				remaining++
			}
		}
		left += owners - len(members.Items)
		if remaining == 0 {
			t.Errorf("%s has no owner", room)
		}
	}
	if left == 0 {
		t.Error("no owner has left a room")
	}
}

// TestHandOver_AfterABanHasEnded checks that a ban that has ended does not stop a hand-over.
func TestHandOver_AfterABanHasEnded(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	if err := chattest.SetRole(t, s, "maker", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	if err := restrict(t, s, "maker", "bob", membership.Restriction{Role: policy.Banned, Until: clock.Now().Add(1e9)}); err != nil {
		t.Fatal(err)
	}
	of := chat.MemberOf{Room: "seattle", User: "bob"}
	_, err := s.Members.HandOver(t.Context(), "maker", of)
	chattest.WantKind(t, "to a banned person", err, chat.Conflict)
	clock.Advance(1e9)
	if m, err := s.Members.HandOver(t.Context(), "maker", of); err != nil || m.Role != policy.Owner || !m.Until.IsZero() {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestRemoveMember_LastOwnerFindsAWayOut checks that a last owner cannot leave, learns how to,
// and gets rid of the room in each state: with nobody else, with muted or banned people, and
// archived.
func TestRemoveMember_LastOwnerFindsAWayOut(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	rooms := map[string]chat.RoomID{"private": chattest.CreatePrivateRoom(t, s, "maker")}
	for _, name := range []string{"alone", "muted", "banned", "archived"} {
		rooms[name] = chat.RoomID(name)
		chattest.CreateRoom(t, s, chat.RoomID(name), 1)
	}
	_, _, err := s.PutRoom(t.Context(), "maker", "archived", chat.RoomDraft{Archived: new(true)})
	for _, err := range []error{
		err,
		chattest.SetRole(t, s, "maker", "muted", "bob", policy.Muted),
		chattest.SetRole(t, s, "maker", "banned", "bob", policy.Banned),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, room := range rooms {
		err := s.Members.RemoveMember(t.Context(), "maker", chat.MemberOf{Room: room, User: "maker"})
		chattest.WantKind(t, name, err, chat.Conflict)
		if err == nil || !strings.Contains(err.Error(), "hand the room over") || !strings.Contains(err.Error(), "delete it") {
			t.Errorf("%s: the answer tells no way out: %v", name, err)
		}
		if err := s.DeleteRoom(t.Context(), "maker", room, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := s.Inbox.RoomsOf(t.Context(), "maker", "maker", chat.PageRequest{Limit: 9}); err != nil || len(left.Items) != 0 {
		t.Errorf("the owner still has %+v, %v", left.Items, err)
	}
}
