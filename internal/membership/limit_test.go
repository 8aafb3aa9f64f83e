package membership_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/invite"
	"parley/internal/membership"
	"parley/internal/policy"
	"parley/internal/test/chattest"
	"parley/internal/test/enginetest"
)

// TestSetMember_AtMost1000Rooms fills a person's list. Then they neither join nor are added, also to
// direct rooms, until they leave a room. Nothing else is refused.
func TestSetMember_AtMost1000Rooms(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	s, clock := chattest.NewOn(t, endpoint, func(*app.Options) {})
	store := dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Clock: clock.Now})
	chattest.CreateRoom(t, s, "seattle", 1)
	chattest.CreateRoom(t, s, "tacoma", 1)
	join := func(room chat.RoomID) error { return chattest.SetRole(t, s, "bob", room, "bob", policy.Member) }
	if err := join("tacoma"); err != nil {
		t.Fatal(err)
	}
	var all errgroup.Group
	all.SetLimit(8)
	for n := range chat.MaxRooms - 2 {
		m := chat.Membership{Room: chat.RoomID(fmt.Sprint("r", n)), User: "bob", Name: "bob", Role: policy.Member, JoinedAt: clock.Now()}
		all.Go(func() error {
			_, err := store.ChangeMembership(t.Context(), membership.Change{After: m})
			return err
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	direct := func(caller chat.UserID, other string) error {
		_, _, err := s.Direct.PostRoom(t.Context(), caller, []string{other})
		return err
	}
	if err := direct("eve", "bob"); err != nil { // the last one that fits
		t.Fatal(err)
	}
	_, token, err := s.Invites.Create(t.Context(), "maker", "seattle", invite.Draft{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, invited := s.Invites.Use(t.Context(), "bob", token)
	chattest.WantKind(t, "comes by an invitation", invited, chat.Conflict)
	for what, err := range map[string]error{
		"joins": join("seattle"), "asks for a direct room": direct("bob", "dora"),
		"is added":                  chattest.SetRole(t, s, "maker", "seattle", "bob", policy.Member),
		"is asked to a direct room": direct("dora", "bob"),
	} {
		chattest.WantKind(t, what, err, chat.Conflict)
		if own := strings.Contains(fmt.Sprint(err), "leave one first"); own != (what == "joins" || what == "asks for a direct room") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, err := range map[string]error{
		"joins again": join("tacoma"), "finds a direct room": direct("eve", "bob"),
		"is muted": chattest.SetRole(t, s, "maker", "tacoma", "bob", policy.Muted),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := s.Members.RemoveMember(t.Context(), "maker", chat.MemberOf{Room: "tacoma", User: "bob"}); err != nil {
		t.Fatal(err)
	}
	if err := join("seattle"); err != nil {
		t.Errorf("joins after leaving: %v", err)
	}
}
