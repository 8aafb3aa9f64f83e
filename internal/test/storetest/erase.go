package storetest

import (
	"testing"
	"time"

	"example.com/parley/internal/account"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// erasureTests are the tests of what the erasure of a person stores.
var erasureTests = []contractTest{
	{"an erasure is requested once and made in steps", erasureIsMadeInSteps},
	{"a membership that is ended depends on another", endedMembershipDependsOnAnother},
	{"a room is given to a service once", roomIsGivenOnce},
}

func erasureIsMadeInSteps(t *testing.T, s app.Store) {
	first := account.Erasure{At: start, By: "desk", Step: 1}
	SetsEveryField(t, first)
	want := func(want account.Erasure) {
		t.Helper()
		if a, err := s.CurrentAccount(t.Context(), "bob"); err != nil || a.Erasure != want {
			t.Errorf("the erasure is %+v, %v, want %+v", a.Erasure, err, want)
		}
	}
	if got, err := s.Erase(t.Context(), "bob", first); err != nil || got.InProgress() {
		t.Errorf("of somebody who is not suspended: %+v, %v", got, err)
	}
	if _, err := s.Suspend(t.Context(), "bob", account.Suspension{At: start, By: "desk"}); err != nil {
		t.Fatal(err)
	}
	for _, tried := range []account.Erasure{first, {At: start.Add(time.Second), By: "other", Step: 1}} {
		if got, err := s.Erase(t.Context(), "bob", tried); err != nil || got != first {
			t.Errorf("erase: %+v, %v, want %+v", got, err, first)
		}
	}
	end := account.Ending{At: start, By: "desk"}
	if ended, err := s.EndSuspension(t.Context(), "bob", end); chat.KindOf(err) != chat.Conflict {
		t.Errorf("the suspension ends meanwhile: %+v, %v", ended, err)
	}
	second := first
	second.Step = 2
	for range 2 { // a retry changes nothing
		if err := s.NextErasure(t.Context(), "bob", 1); err != nil {
			t.Error(err)
		}
		want(second)
	}
	for _, step := range []int64{1, 2, 2} {
		if err := s.EndErasure(t.Context(), "bob", step); err != nil {
			t.Error(err)
		}
		if step == 1 {
			want(second)
		}
	}
	ended := first
	ended.Step = 0
	want(ended)
	again := account.Erasure{At: start.Add(time.Minute), By: "other", Step: 1}
	if got, err := s.Erase(t.Context(), "bob", again); err != nil || got != again {
		t.Errorf("once more: %+v, %v", got, err)
	}
}

func endedMembershipDependsOnAnother(t *testing.T, s app.Store) {
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

func roomIsGivenOnce(t *testing.T, s app.Store) {
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
