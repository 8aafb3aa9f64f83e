package membership_test

import (
	"fmt"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// TestSetMember_Permissions performs changes in order and checks the kind of error of each; 0 is
// success.
func TestSetMember_Permissions(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	const remove = policy.Stranger
	for i, step := range []struct {
		caller, user chat.UserID
		role         policy.Role
		want         chat.Kind
	}{
		{"ann", "ann", policy.Member, 0}, // joins
		{"ann", "ann", policy.Member, 0}, // is a member already
		{"ann", "ann", policy.Moderator, chat.Forbidden},
		{"ann", "bob", policy.Member, chat.Forbidden}, // a member may not invite
		{"maker", "ann", policy.Moderator, 0},
		{"ann", "bob", policy.Member, 0}, // a moderator may
		{"ann", "bob", policy.Muted, 0},
		{"bob", "bob", policy.Member, chat.Forbidden}, // cannot lift the mute
		{"ann", "bob", policy.Moderator, chat.Forbidden},
		{"ann", "maker", policy.Banned, chat.Forbidden},
		{"ann", "maker", remove, chat.Forbidden},
		{"maker", "maker", policy.Member, chat.Conflict},
		{"maker", "maker", remove, chat.Conflict},
		{"ann", "eve", policy.Banned, 0}, // a stranger
		{"eve", "eve", policy.Member, chat.Forbidden},
		{"eve", "eve", remove, chat.Forbidden}, // cannot leave a ban
		{"ann", "eve", remove, 0},              // lifts the ban
		{"eve", "eve", policy.Member, 0},
		{"bob", "bob", remove, 0}, // leaves
		{"bob", "bob", remove, chat.NotFound},
		{"maker", "carl", policy.Owner, 0},
		{"carl", "maker", policy.Member, 0}, // another owner may
		{"maker", "maker", remove, 0},       // and the creator may leave
		{"maker", "ann", remove, chat.Forbidden},
		{"carl", "nobody", remove, chat.NotFound},
	} {
		var err error
		if step.role == remove {
			err = s.Members.RemoveMember(t.Context(), step.caller, chat.MemberOf{Room: "seattle", User: step.user})
		} else {
			err = chattest.SetRole(t, s, step.caller, "seattle", step.user, step.role)
		}
		if chat.KindOf(err) != step.want || (err != nil) != (step.want != 0) {
			t.Errorf("step %d, %s sets %s to %q: %v, want %v", i, step.caller, step.user, step.role, err, step.want)
		}
	}
	members, err := s.Members.Members(t.Context(), "anyone", "seattle", chat.PageRequest{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range members.Items {
		got = append(got, string(m.User)+" "+m.Role.String())
	}
	if fmt.Sprint(got) != "[ann moderator carl owner eve member]" {
		t.Errorf("members %v", got)
	}
}

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
