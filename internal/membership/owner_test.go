package membership_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/invite"
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

// asDesk returns the context of requests of the service desk.
func asDesk(t *testing.T) context.Context { return chat.WithService(t.Context(), "desk") }

// deskRoom creates a private room of the service desk with the member ann.
func deskRoom(t *testing.T, s *app.Services, id chat.RoomID) chat.RoomID {
	t.Helper()
	room, created, err := s.PutRoom(asDesk(t), "desk", id, chat.RoomDraft{})
	if err != nil || !created || !room.Private || room.Service != "desk" {
		t.Fatalf("%+v, %v, %v", room, created, err)
	}
	if _, added, err := s.Members.SetMember(asDesk(t), "desk", chat.MemberOf{Room: room.ID, User: "ann"}, policy.Member); err != nil || !added {
		t.Fatal(added, err)
	}
	return room.ID
}

// TestService_OwnsItsRoomWithoutBeingAMember checks that the service administers the room as an
// owner, and is in no list. Somebody who only has its name, and other services, have no rights.
func TestService_OwnsItsRoomWithoutBeingAMember(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	id := deskRoom(t, s, "p-ticket-1")
	members, err := s.Members.Members(asDesk(t), "desk", id, chat.PageRequest{Limit: 9})
	if err != nil || len(members.Items) != 1 || members.Items[0].User != "ann" {
		t.Errorf("the members are %+v, %v", members.Items, err)
	}
	if rooms, err := s.Inbox.RoomsOf(asDesk(t), "desk", "desk", chat.PageRequest{Limit: 9}); err != nil || len(rooms.Items) > 0 {
		t.Errorf("the service is in %+v, %v", rooms.Items, err)
	}
	topic := "printer"
	if _, _, err := s.PutRoom(asDesk(t), "desk", id, chat.RoomDraft{Topic: &topic}); err != nil {
		t.Error(err)
	}
	for name, ctx := range map[string]context.Context{
		"a person of that name": t.Context(), "another service for it": chat.WithService(t.Context(), "other"),
	} {
		_, err := s.Room(ctx, "desk", id)
		chattest.WantKind(t, name, err, chat.NotFound)
	}
	_, err = s.Room(chat.WithService(t.Context(), "other"), "other", id)
	chattest.WantKind(t, "another service", err, chat.NotFound)
	_, _, err = s.PutRoom(chat.WithService(t.Context(), "other"), "other", id, chat.RoomDraft{})
	chattest.WantKind(t, "another service that creates it", err, chat.Conflict)
	_, _, err = s.PutRoom(t.Context(), "eve", id, chat.RoomDraft{})
	chattest.WantKind(t, "a person who creates it", err, chat.NotFound)
	_, _, err = s.PutRoom(t.Context(), "eve", "p-free", chat.RoomDraft{})
	chattest.WantKind(t, "a person who creates a free one", err, chat.NotFound)
	if err := s.DeleteRoom(asDesk(t), "desk", id, nil); err != nil {
		t.Error(err)
	}
	_, _, err = s.PutRoom(asDesk(t), "desk", id, chat.RoomDraft{})
	chattest.WantKind(t, "after the deletion", err, chat.Conflict)
}

// TestHandOver_BetweenServiceAndPerson gives a room to a person and back. In between the service
// has no right, and the last owner cannot leave; afterwards they can.
func TestHandOver_BetweenServiceAndPerson(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	id := deskRoom(t, s, "p-ticket-1")
	ann, desk := chat.MemberOf{Room: id, User: "ann"}, chat.MemberOf{Room: id, User: "desk"}
	_, err := s.Members.HandOver(asDesk(t), "desk", chat.MemberOf{Room: id, User: "eve"})
	chattest.WantKind(t, "to a stranger", err, chat.Conflict)
	for range 2 { // the second is a retry
		if m, err := s.Members.HandOver(asDesk(t), "desk", ann); err != nil || m.Role != policy.Owner {
			t.Fatal(m, err)
		}
	}
	_, err = s.Members.HandOver(asDesk(t), "desk", chat.MemberOf{Room: id, User: "eve"})
	chattest.WantKind(t, "to somebody else afterwards", err, chat.NotFound)
	_, err = s.Room(asDesk(t), "desk", id)
	chattest.WantKind(t, "the service afterwards", err, chat.NotFound)
	chattest.WantKind(t, "the last owner leaves", s.Members.RemoveMember(t.Context(), "ann", ann), chat.Conflict)
	_, err = s.Members.HandOver(t.Context(), "ann", desk)
	chattest.WantKind(t, "to a service that does not act", err, chat.Conflict)
	for range 2 { // the second is a retry
		if m, err := s.Members.HandOver(asDesk(t), "ann", desk); err != nil || m.Role != policy.Owner || m.User != "desk" {
			t.Fatal(m, err)
		}
	}
	if a, err := s.Room(asDesk(t), "desk", id); err != nil || a.Role != policy.Owner || a.Room.Service != "desk" {
		t.Errorf("%+v, %v", a, err)
	}
	_, err = s.Members.HandOver(chat.WithService(t.Context(), "other"), "ann", chat.MemberOf{Room: id, User: "other"})
	chattest.WantKind(t, "to a second service by a moderator", err, chat.Forbidden)
	if _, _, err := s.Members.SetMember(asDesk(t), "desk", ann, policy.Owner); err != nil {
		t.Fatal(err)
	}
	_, err = s.Members.HandOver(chat.WithService(t.Context(), "other"), "ann", chat.MemberOf{Room: id, User: "other"})
	chattest.WantKind(t, "to a second service", err, chat.Conflict)
	if err := s.Members.RemoveMember(t.Context(), "ann", ann); err != nil {
		t.Errorf("the last person who owns the room leaves: %v", err)
	}
}

// TestRemoveMember_LastOwnerAndServiceNeverBothLeave lets the only owner leave while the service
// gives the room to them. One of both stays.
func TestRemoveMember_LastOwnerAndServiceNeverBothLeave(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for n := range 20 {
		id := deskRoom(t, s, chat.RoomID(fmt.Sprintf("p-ticket-%d", n)))
		ann := chat.MemberOf{Room: id, User: "ann"}
		if _, _, err := s.Members.SetMember(asDesk(t), "desk", ann, policy.Owner); err != nil {
			t.Fatal(err)
		}
		left := make(chan error, 1)
		go func() { left <- s.Members.RemoveMember(t.Context(), "ann", ann) }()
		_, gave := s.Members.HandOver(asDesk(t), "desk", ann)
		if leaves := <-left; gave == nil && leaves == nil {
			if m, err := s.Members.Member(asDesk(t), "ann", ann); err != nil || m.Role != policy.Owner {
				t.Fatalf("nobody owns the room: %+v, %v", m, err)
			}
		}
	}
}

// TestInvite_OfAServiceAdmits checks that an invitation holds that a room's service created, and no
// longer once the room is somebody else's.
func TestInvite_OfAServiceAdmits(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	id := deskRoom(t, s, "p-ticket-1")
	_, i, err := s.Invites.Create(asDesk(t), "desk", id, invite.Draft{MaxUses: 9})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Invites.Use(t.Context(), "eve", i); err != nil {
		t.Errorf("the invitation: %v", err)
	}
	if _, err := s.Members.HandOver(asDesk(t), "desk", chat.MemberOf{Room: id, User: "ann"}); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Invites.Use(t.Context(), "bob", i)
	chattest.WantKind(t, "after the room changed hands", err, chat.NotFound)
}
