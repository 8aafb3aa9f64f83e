package storetest

import (
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// erasureTests are the tests of what the erasure of a person changes in rooms.
var erasureTests = []contractTest{
	{"a membership that is ended depends on another", endedMembershipDependsOnAnother},
	{"a room is given to a service once", roomIsGivenOnce},
}

func endedMembershipDependsOnAnother(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	bob, ann := membershipOf("seattle", "bob", "Bob", policy.Owner), membershipOf("seattle", "ann", "Ann", policy.Owner)
	join(t, s, bob)
	outdated := bob
	outdated.Role = policy.Member
	for name, tt := range map[string]struct{ before, by chat.Membership }{"the other": {bob, ann}, "itself": {outdated, chat.Membership{}}} {
		if ok, err := s.EndMembership(t.Context(), tt.before, tt.by); ok || err != nil {
			t.Errorf("although %s is not current: %v, %v", name, ok, err)
		}
	}
	join(t, s, ann)
	if ok, err := s.EndMembership(t.Context(), bob, ann); !ok || err != nil {
		t.Errorf("end: %v, %v", ok, err)
	}
	if m, err := s.Membership(t.Context(), "seattle", "bob"); err != nil || m != (chat.Membership{}) {
		t.Errorf("afterwards: %+v, %v", m, err)
	}
}

func roomIsGivenOnce(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	if ok, err := s.GiveRoom(t.Context(), "seattle", "desk"); !ok || err != nil {
		t.Errorf("give: %v, %v", ok, err)
	}
	if ok, err := s.GiveRoom(t.Context(), "seattle", "other"); ok || err != nil {
		t.Errorf("to another service: %v, %v", ok, err)
	}
	if ok, err := s.GiveRoom(t.Context(), "nowhere", "desk"); ok || err != nil {
		t.Errorf("a room that does not exist: %v, %v", ok, err)
	}
	if room, err := s.Room(t.Context(), "seattle"); err != nil || room.Service != "desk" {
		t.Errorf("%+v, %v", room, err)
	}
}
