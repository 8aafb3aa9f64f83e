package membership_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// refusesOnce is a store in which somebody else is first once, at each change of a membership.
type refusesOnce struct {
	app.Store
	lines []membership.Line
}

func (s *refusesOnce) ChangeMembership(ctx context.Context, c membership.Change) (bool, error) {
	s.lines = append(s.lines, c.Line)
	if len(s.lines)%2 == 1 {
		return false, nil
	}
	return s.Store.ChangeMembership(ctx, c)
}

// TestAudit_HasOneLineForEachChange makes changes that are repeated after a lost race, changes that
// are refused, and changes that are made already.
func TestAudit_HasOneLineForEachChange(t *testing.T) {
	t.Parallel()
	store := &refusesOnce{}
	s, _ := chattest.NewWith(t, func(o *app.Options) { store.Store, o.Store = o.Store, store })
	chattest.CreateRoom(t, s, "seattle", 1)
	bob, eve := chat.MemberOf{Room: "seattle", User: "bob"}, chat.MemberOf{Room: "seattle", User: "eve"}
	set := func(caller chat.UserID, of chat.MemberOf, role policy.Role) func() error {
		return func() error { _, _, err := s.Members.SetMember(t.Context(), caller, of, role); return err }
	}
	remove := func(caller chat.UserID, of chat.MemberOf) func() error {
		return func() error { return s.Members.RemoveMember(t.Context(), caller, of) }
	}
	for i, step := range []struct {
		call func() error
		kind chat.Kind
	}{
		{set("bob", bob, policy.Member), 0},
		{set("bob", bob, policy.Member), 0}, // made already
		{set("bob", eve, policy.Banned), chat.Forbidden},
		{set("maker", eve, policy.Banned), 0},
		{remove("maker", eve), 0},
		{remove("maker", eve), chat.NotFound},
		{set("maker", bob, policy.Moderator), 0},
		{func() error { _, err := s.Members.HandOver(t.Context(), "maker", bob); return err }, 0},
		{remove("maker", chat.MemberOf{Room: "seattle", User: "maker"}), 0},
	} {
		chattest.WantKind(t, fmt.Sprint("step ", i), step.call(), step.kind)
	}
	want := []string{
		"room.created maker  ", "member.joined bob bob member", "member.banned maker eve banned", "member.unbanned maker eve ",
		"member.role maker bob moderator", "owner.changed maker bob ", "member.left maker maker ",
	}
	if got := auditOf(t, s, "bob"); !slices.Equal(got, want) {
		t.Errorf("the audit has\n%q, want\n%q", got, want)
	}
}

// auditOf returns the audit of seattle, oldest first: action, by, on and detail.
func auditOf(t *testing.T, s *app.Services, caller chat.UserID) []string {
	t.Helper()
	page, err := s.Activity.AuditLog(t.Context(), caller, "seattle", activity.LogQuery{PageRequest: chat.PageRequest{Limit: 50}})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range slices.Backward(page.Items) {
		lines = append(lines, fmt.Sprintf("%s %s %s %s", e.Type, e.By, e.On, e.Detail))
	}
	return lines
}
