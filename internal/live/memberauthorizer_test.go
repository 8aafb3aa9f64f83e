package live_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/policy"
)

// register is one membership and one room.
type register struct {
	member chat.Membership
	room   chat.Room
	failed error
	asked  int
}

func (r *register) Membership(context.Context, chat.RoomID, chat.UserID) (chat.Membership, error) {
	return r.member, r.failed
}

// Authorize decides as chat.Service does.
func (r *register) Authorize(_ context.Context, _ chat.UserID, _ chat.RoomID, action policy.Action) (chat.Access, error) {
	r.asked++
	switch policy.Decide(r.member.RoleIn(r.room, time.Unix(0, 0)), r.room.Policy(), action) {
	case policy.Allow:
		return chat.Access{}, nil
	case policy.Hide:
		return chat.Access{}, chat.NoSuchRoom()
	case policy.Deny, policy.DenyArchived:
	}
	return chat.Access{}, chat.NotAllowed()
}

// TestReaders_DecideLikeTheRoom compares the decisions on every membership in rooms of every kind.
func TestReaders_DecideLikeTheRoom(t *testing.T) {
	t.Parallel()
	saved, n := 0, 0
	for _, role := range []policy.Role{policy.Banned, policy.Muted, policy.Stranger, policy.Member, policy.Moderator, policy.Owner} {
		for kind := range 16 {
			m := chat.Membership{Room: "seattle", User: "bob", Role: role, Left: kind&8 != 0}
			if role == policy.Stranger {
				m = chat.Membership{}
			}
			room := chat.Room{ID: "seattle", Private: kind&1 != 0, Archived: kind&2 != 0}
			if kind&4 != 0 {
				room.Direct = []chat.UserID{"ann", "bob"}
			}
			for _, action := range []policy.Action{policy.Read, policy.Post, policy.See} {
				r := &register{member: m, room: room}
				_, want := r.Authorize(t.Context(), "bob", "seattle", action)
				r.asked = 0
				_, got := live.NewMemberAuthorizer(r, r, func() time.Time { return time.Unix(0, 0) }).Authorize(t.Context(), "bob", "seattle", action)
				if chat.KindOf(got) != chat.KindOf(want) {
					t.Errorf("%v of %+v in %+v: %v, want %v", action, m, room, got, want)
				}
				n++
				if r.asked == 0 {
					saved++
				}
			}
		}
	}
	if saved != 4*8 { // muted people, members, moderators and owners who read and have not left
		t.Errorf("the room was not asked in %d of %d cases", saved, n)
	}
	r := &register{failed: errors.New("down")}
	if _, err := live.NewMemberAuthorizer(r, r, time.Now).Authorize(t.Context(), "bob", "seattle", policy.Read); !errors.Is(err, r.failed) || r.asked != 0 {
		t.Errorf("a failed read: %v, asked %d times", err, r.asked)
	}
}
