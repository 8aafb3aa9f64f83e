package membership_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

func TestRemoveMember_MuteOutlivesLeaving(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	if err := chattest.SetRole(t, s, "maker", "seattle", "bob", policy.Muted); err != nil {
		t.Fatal(err)
	}
	post := func() error {
		_, _, err := s.PostMessage(t.Context(), "bob", "seattle", chat.MessageDraft{Text: "x"})
		return err
	}
	chattest.WantKind(t, "a muted member posts", post(), chat.Forbidden)
	if err := s.Members.RemoveMember(t.Context(), "bob", chat.MemberOf{Room: "seattle", User: "bob"}); err != nil {
		t.Fatal(err)
	}
	chattest.WantKind(t, "after leaving", post(), chat.Forbidden)
	if rooms, err := s.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 9}); err != nil || len(rooms.Items) != 0 {
		t.Errorf("rooms of a person who left: %+v, %v", rooms, err)
	}
	if err := chattest.SetRole(t, s, "bob", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	chattest.WantKind(t, "after rejoining", post(), chat.Forbidden)
	if err := chattest.SetRole(t, s, "maker", "seattle", "bob", policy.Member); err != nil || post() != nil {
		t.Errorf("unmuted: %v", err)
	}
}

// TestRemoveMember_CreatorLosesOwnership checks that the creator of a room who was removed becomes
// its owner again only through another owner.
func TestRemoveMember_CreatorLosesOwnership(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for _, room := range []chat.RoomID{"seattle", chattest.CreatePrivateRoom(t, s, "maker")} {
		if !room.Private() {
			chattest.CreateRoom(t, s, room, 1)
		}
		of := chat.MemberOf{Room: room, User: "maker"}
		for i, err := range []error{
			chattest.SetRole(t, s, "maker", room, "carl", policy.Owner),
			chattest.SetRole(t, s, "carl", room, "mod", policy.Moderator),
			s.Members.RemoveMember(t.Context(), "carl", of),
			chattest.SetRole(t, s, "mod", room, "maker", policy.Banned),
			s.Members.RemoveMember(t.Context(), "mod", of), // lifts the ban
		} {
			if err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
		}
		if err := chattest.SetRole(t, s, "maker", room, "eve", policy.Owner); err == nil {
			t.Errorf("the creator of %s is its owner again", room)
		}
		topic := "mine"
		_, _, err := s.PutRoom(t.Context(), "maker", room, chat.RoomDraft{Topic: &topic})
		if room.Private() {
			chattest.WantKind(t, "the removed creator changes the settings", err, chat.NotFound)
			chattest.WantKind(t, "and joins", chattest.SetRole(t, s, "maker", room, "maker", policy.Member), chat.NotFound)
			continue
		}
		chattest.WantKind(t, "the removed creator changes the settings", err, chat.Conflict)
		m, added, err := s.Members.SetMember(t.Context(), "maker", of, policy.Member)
		if err != nil || !added || m.Role != policy.Member {
			t.Errorf("the creator rejoins as %v, added %v, %v", m.Role, added, err)
		}
		_, _, err = s.PutRoom(t.Context(), "maker", room, chat.RoomDraft{Topic: &topic})
		chattest.WantKind(t, "the creator, now a member, changes the settings", err, chat.Forbidden)
	}
}

func TestSetMember_ModeratorWhoJoinsKeepsTheRole(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	if err := chattest.SetRole(t, s, "maker", "seattle", "mod", policy.Moderator); err != nil {
		t.Fatal(err)
	}
	m, added, err := s.Members.SetMember(t.Context(), "mod", chat.MemberOf{Room: "seattle", User: "mod"}, policy.Member)
	if err != nil || added || m.Role != policy.Moderator {
		t.Errorf("joined as %v, added %v, %v", m.Role, added, err)
	}
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }

// refusesOnce is a store in which somebody else is first once, at each change of a membership.
type refusesOnce struct {
	app.Stores
	lines []membership.Line
}

func (s *refusesOnce) ChangeMembership(ctx context.Context, c membership.Change) (bool, error) {
	s.lines = append(s.lines, c.Line)
	if len(s.lines)%2 == 1 {
		return false, nil
	}
	return s.Stores.ChangeMembership(ctx, c)
}

// TestAudit_HasOneLineForEachChange makes changes that are repeated after a lost race, changes that
// are refused, and changes that are made already.
func TestAudit_HasOneLineForEachChange(t *testing.T) {
	t.Parallel()
	store := &refusesOnce{}
	s, _ := chattest.NewWith(t, func(o *app.Options) { store.Stores, o.Store = o.Store, store })
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
