package membership_test

import (
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// TestRestrict_OwnerAfterTheEnd bans an owner for a time. After it, that owner counts as another one
// when the first leaves, and nothing of the ban remains when the room is handed over.
func TestRestrict_OwnerAfterTheEnd(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for _, user := range []chat.UserID{"second", "third"} {
		if err := chattest.SetRole(t, s, user, "seattle", user, policy.Member); err != nil {
			t.Fatal(err)
		}
	}
	second := chat.MemberOf{Room: "seattle", User: "second"}
	if err := chattest.SetRole(t, s, "maker", "seattle", "second", policy.Owner); err != nil {
		t.Fatal(err)
	}
	ban := membership.Restriction{Role: policy.Banned, Until: clock.Now().Add(time.Hour), Reason: "spam"}
	if _, _, err := s.Members.Restrict(t.Context(), "maker", second, ban); err != nil {
		t.Fatal(err)
	}
	leave := chat.MemberOf{Room: "seattle", User: "maker"}
	chattest.WantKind(t, "the only owner who is not banned leaves", s.Members.RemoveMember(t.Context(), "maker", leave), chat.Conflict)
	clock.Advance(2 * time.Hour)
	if err := s.Members.RemoveMember(t.Context(), "maker", leave); err != nil {
		t.Errorf("an owner leaves after the ban of another one has ended: %v", err)
	}
	if _, err := s.Members.HandOver(t.Context(), "second", chat.MemberOf{Room: "seattle", User: "third"}); err != nil {
		t.Fatal(err)
	}
	m, err := s.Members.Member(t.Context(), "third", second)
	if err != nil || m.Role != policy.Moderator || !m.Until.IsZero() || m.Reason != "" || m.Restore != policy.Banned {
		t.Errorf("the former owner is %+v, %v", m, err)
	}
}
