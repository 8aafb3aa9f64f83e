package storetest

import (
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
)

// serviceOwnsARoom creates a room of a service, changes its settings, and gives it to a person, to
// the service again, and lets the person leave. Each change depends on who owns the room.
func serviceOwnsARoom(t *testing.T, s app.Stores) {
	room := chat.Room{ID: "p-desk-1", Name: "n", CreatedBy: "desk", Service: "desk", CreatedAt: start, Shards: 1, Private: true, DigestKey: []byte("k")}
	if ok, err := s.CreateRoom(t.Context(), room, chat.OwnerOf(room, "Desk")); !ok || err != nil {
		t.Fatalf("create: %v, %v", ok, err)
	}
	if members, _, err := s.Members(t.Context(), room.ID, chat.ListPosition{}, 9); len(members) > 0 || err != nil {
		t.Errorf("the new room has %+v, %v", members, err)
	}
	owns := func(want chat.UserID) {
		t.Helper()
		if got, err := s.Room(t.Context(), room.ID); err != nil || got.Service != want {
			t.Fatalf("the room is of %q, %v, want %q", got.Service, err, want)
		}
	}
	owns("desk")
	renamed := room
	renamed.Name, renamed.Service = "other", "thief"
	if ok, err := s.UpdateRoom(t.Context(), room, renamed); !ok || err != nil {
		t.Fatalf("update: %v, %v", ok, err)
	}
	owns("desk")
	member := membershipOf(room.ID, "ann", "Ann", policy.Member)
	join(t, s, member)
	owner, moderator := member, member
	owner.Role, moderator.Role = policy.Owner, policy.Moderator
	for _, tt := range []struct {
		name   string
		change membership.Change
		ok     bool
		after  chat.UserID
	}{
		{"by another service", membership.Change{Before: member, After: owner, Owner: membership.OwnerChange{Before: "thief"}}, false, "desk"},
		{"to a person", membership.Change{Before: member, After: owner, Owner: membership.OwnerChange{Before: "desk"}}, true, ""},
		{"which is over", membership.Change{Before: owner, Owner: membership.OwnerChange{Before: "desk", After: "desk"}}, false, ""},
		{"to the service", membership.Change{Before: owner, After: moderator, Owner: membership.OwnerChange{After: "desk"}}, true, "desk"},
		{"to a second service", membership.Change{Before: moderator, After: member, Owner: membership.OwnerChange{After: "thief"}}, false, "desk"},
		{"and the person leaves", membership.Change{Before: moderator, Owner: membership.OwnerChange{Before: "desk", After: "desk"}}, true, "desk"},
	} {
		if ok, err := s.ChangeMembership(t.Context(), tt.change); ok != tt.ok || err != nil {
			t.Errorf("%s: %v, %v", tt.name, ok, err)
		}
		owns(tt.after)
	}
	outdated := chat.RoomDeletion{Room: room, By: chat.Membership{Room: room.ID, User: "desk"}, At: start, Service: true}
	if ok, err := s.DeleteRoom(t.Context(), outdated); ok || err != nil {
		t.Errorf("a deletion by who owned it before: %v, %v", ok, err)
	}
	current, err := s.Room(t.Context(), room.ID)
	if err != nil {
		t.Fatal(err)
	}
	outdated.Room = current
	if ok, err := s.DeleteRoom(t.Context(), outdated); !ok || err != nil {
		t.Errorf("a deletion: %v, %v", ok, err)
	}
}
