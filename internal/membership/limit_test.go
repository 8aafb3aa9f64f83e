package membership_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

// fill stores a number of memberships like m, in rooms that do not exist.
func fill(t *testing.T, store membership.Store, m chat.Membership, rooms int) {
	t.Helper()
	var all errgroup.Group
	all.SetLimit(8)
	for n := range rooms {
		m.Room = chat.RoomID(fmt.Sprint("r", n))
		change := membership.Change{After: m}
		all.Go(func() error {
			_, err := store.ChangeMembership(t.Context(), change)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
}

// TestSetMember_AtMost1000Rooms fills a person's list. Then they neither join nor are added, also
// to direct rooms, until they leave a room. Nothing else is refused.
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
	fill(t, store, chat.Membership{User: "bob", Name: "bob", Role: policy.Member, JoinedAt: clock.Now()}, chat.MaxRooms-2)
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

// TestCreateRoom_AtMost1000Rooms fills the list of a person, who then creates no room. They find
// the room of an earlier request, and change their own rooms.
func TestCreateRoom_AtMost1000Rooms(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	s, clock := chattest.NewOn(t, endpoint, func(*app.Options) {})
	store := dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Clock: clock.Now})
	chattest.CreateRoom(t, s, "seattle", 1)
	name := "x"
	put := func(room chat.RoomID) error {
		_, _, err := s.PutRoom(t.Context(), "bob", room, chat.RoomDraft{Name: &name})
		return err
	}
	post := func(n byte) (chat.Room, bool, error) {
		var id uuid.UUID
		if n > 0 {
			id = chat.NewUUID(clock.Now(), [10]byte{9: n})
		}
		return s.Private.PostRoom(t.Context(), "bob", id, chat.RoomDraft{Name: &name})
	}
	fill(t, store, chat.Membership{User: "bob", Name: "bob", Role: policy.Member, JoinedAt: clock.Now()}, chat.MaxRooms-2)
	if err := put("bobs"); err != nil {
		t.Fatal(err)
	}
	first, _, err := post(1) // the last one that fits
	if err != nil {
		t.Fatal(err)
	}
	_, _, posted := post(0)
	_, _, requested := post(2)
	full := "leave one first"
	for what, c := range map[string]struct {
		err  error
		want string
	}{
		"a free id": {put("tacoma"), full}, "a private room": {posted, full}, "another request": {requested, full},
		"the id of somebody's room": {put("seattle"), "is taken"},
	} {
		chattest.WantKind(t, what, c.err, chat.Conflict)
		if !strings.Contains(fmt.Sprint(c.err), c.want) {
			t.Errorf("%s: %v, want %q", what, c.err, c.want)
		}
	}
	if again, replay, err := post(1); err != nil || !replay || again.ID != first.ID {
		t.Errorf("the request again: %s, replay %v, %v; want %s", again.ID, replay, err, first.ID)
	}
	name = "y"
	if err := put("bobs"); err != nil {
		t.Errorf("the settings of a room: %v", err)
	}
	_, err = store.Room(t.Context(), "tacoma")
	chattest.WantKind(t, "the free id", err, chat.NotFound)
	if n, err := store.OpenRoomCount(t.Context(), "bob"); err != nil || n != chat.MaxRooms {
		t.Errorf("bob is in %d rooms, %v", n, err)
	}
}

// TestSetMember_ArchivedRoomsTakeNoPlace fills a person's list with an archived room in it. They
// join another one, and none after that. Unarchiving a room refuses nobody, and takes a place.
func TestSetMember_ArchivedRoomsTakeNoPlace(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	s, clock := chattest.NewOn(t, endpoint, func(*app.Options) {})
	store := dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Clock: clock.Now})
	for _, room := range []chat.RoomID{"seattle", "tacoma", "olympia"} {
		chattest.CreateRoom(t, s, room, 1)
	}
	join := func(room chat.RoomID) error {
		clock.Advance(chat.ArchivedAge)
		return chattest.SetRole(t, s, "bob", room, "bob", policy.Member)
	}
	leave := func(room chat.RoomID) {
		if err := s.Members.RemoveMember(t.Context(), "bob", chat.MemberOf{Room: room, User: "bob"}); err != nil {
			t.Fatal(err)
		}
	}
	archive := func(archived bool) {
		if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Archived: &archived}); err != nil {
			t.Fatal(err)
		}
	}
	if err := join("seattle"); err != nil {
		t.Fatal(err)
	}
	bob := chat.Membership{User: "bob", Name: "bob", Role: policy.Member, JoinedAt: clock.Now()}
	fill(t, store, bob, chat.MaxRooms-1)
	chattest.WantKind(t, "all are open", join("tacoma"), chat.Conflict)
	archive(true)
	if err := join("tacoma"); err != nil {
		t.Fatalf("one is archived: %v", err)
	}
	chattest.WantKind(t, "its place is taken", join("olympia"), chat.Conflict)
	leave("tacoma")
	archive(false)
	chattest.WantKind(t, "it is open again", join("tacoma"), chat.Conflict)
	archive(true)
	if err := join("tacoma"); err != nil {
		t.Fatalf("it is archived again: %v", err)
	}
	chattest.WantKind(t, "its place is taken again", join("olympia"), chat.Conflict)
	leave("tacoma")
	if err := chattest.SetRole(t, s, "bob", "olympia", "bob", policy.Member); err != nil {
		t.Errorf("immediately after leaving a room: %v", err)
	}
}

// TestCount_IsAMinuteOldAtMost counts in two processes. The process that changes a membership
// counts it immediately, the other process after a minute. In a small room both count it
// immediately.
func TestCount_IsAMinuteOldAtMost(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	here, clock := chattest.NewOn(t, endpoint, func(*app.Options) {})
	store := dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Clock: clock.Now})
	there := app.New(app.Options{Store: store, Clock: clock.Now})
	chattest.CreateRoom(t, here, "seattle", 1)
	want := func(what string, inHere, inThere int) {
		t.Helper()
		a, err := here.Members.Count(t.Context(), "seattle")
		b, err2 := there.Members.Count(t.Context(), "seattle")
		if err != nil || err2 != nil || a != inHere || b != inThere {
			t.Errorf("%s: %d and %d, %v, %v, want %d and %d", what, a, b, err, err2, inHere, inThere)
		}
	}
	join := func(user chat.UserID) {
		t.Helper()
		if err := chattest.SetRole(t, here, user, "seattle", user, policy.Member); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Millisecond)
	}
	want("the creator", 1, 1)
	join("bob")
	want("bob joins", 2, 2)
	for n := 2; n < membership.MaxExact; n++ {
		join(chat.UserID(fmt.Sprint("member-", n)))
	}
	want("a small room", membership.MaxExact, membership.MaxExact)
	join("carol")
	want("a larger room", membership.MaxExact+1, membership.MaxExact+1)
	began := clock.Now()
	join("dan")
	want("dan joins", membership.MaxExact+2, membership.MaxExact+1)
	clock.Advance(membership.CountAge - time.Millisecond - clock.Now().Sub(began))
	want("a moment less than a minute", membership.MaxExact+2, membership.MaxExact+1)
	clock.Advance(time.Millisecond)
	want("a minute", membership.MaxExact+2, membership.MaxExact+2)
	ban := membership.Restriction{Role: policy.Banned, Until: clock.Now().Add(time.Hour)}
	if _, _, err := here.Members.Restrict(t.Context(), "maker", chat.MemberOf{Room: "seattle", User: "bob"}, ban); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Millisecond)
	want("bob is banned for an hour", membership.MaxExact+1, membership.MaxExact+2)
	clock.Advance(time.Hour)
	want("the ban has ended", membership.MaxExact+2, membership.MaxExact+2)
}
