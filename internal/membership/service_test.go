package membership_test

import (
	"os"
	"testing"

	"example.com/parley/internal/chat"
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
