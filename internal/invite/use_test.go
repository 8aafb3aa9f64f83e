package invite_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/race"
)

// gather calls f for 0 to n-1 concurrently, and returns the results in order.
func gather[T any](n int, f func(int) T) []T {
	results := make([]T, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { results[i] = f(i) })
	}
	all.Wait()
	return results
}

// use uses a token until the store can answer, and checks the kind of error; 0 is success.
func use(t *testing.T, s *app.Services, caller chat.UserID, token string, want chat.Kind) (chat.Membership, bool) {
	t.Helper()
	for {
		m, joined, err := s.Invites.Use(t.Context(), caller, token)
		if chat.KindOf(err) == chat.Unavailable {
			continue
		}
		if chat.KindOf(err) != want || (err != nil) != (want != 0) {
			t.Errorf("%s: %+v, %v, %v, want %v", caller, m, joined, err, want)
		}
		return m, joined
	}
}

// usesOf returns how many uses of a room's only invitation are taken.
func usesOf(t *testing.T, s *app.Services, room chat.RoomID) int {
	t.Helper()
	page, err := s.Invites.Invitations(t.Context(), "maker", room, chat.PageRequest{Limit: 9})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%+v, %v", page, err)
	}
	return page.Items[0].Uses
}

// TestUse_ConcurrentUsesAdmitExactlyTen has many people use an invitation for 10 concurrently, each
// twice.
func TestUse_ConcurrentUsesAdmitExactlyTen(t *testing.T) {
	t.Parallel()
	const uses = 10
	people := race.Rounds(nightly.Times(100, 1000))
	s, _ := chattest.New(t)
	room := chattest.CreatePrivateRoom(t, s, "maker")
	_, token := create(t, s, "maker", room, invite.Draft{MaxUses: uses})
	joined := gather(2*people, func(i int) bool {
		caller := chat.UserID(fmt.Sprintf("user-%d", i/2))
		for {
			_, joined, err := s.Invites.Use(t.Context(), caller, token)
			if k := chat.KindOf(err); k == chat.Unavailable {
				continue
			} else if err != nil && k != chat.NotFound {
				t.Error(err)
			}
			return joined
		}
	})
	came := 0
	for _, in := range joined {
		if in {
			came++
		}
	}
	// A call whose first attempt was answered too late finds its person in the room. So the members
	// count, and no more calls than that say that somebody came in.
	members, err := s.Members.Members(t.Context(), "maker", room, chat.PageRequest{Limit: 100})
	if err != nil || came > uses || len(members.Items) != uses+1 {
		t.Errorf("%d came in, %d members, %v; want %d", came, len(members.Items), err, uses)
	}
	for _, m := range members.Items[1:] {
		if _, joined := use(t, s, m.User, token, 0); joined {
			t.Errorf("%s comes in once more", m.User)
		}
	}
	use(t, s, "late", token, chat.NotFound)
}

// TestUse_TakesOneUseAPerson checks that people who are in take no use, and keep their role.
func TestUse_TakesOneUseAPerson(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	room := chattest.CreatePrivateRoom(t, s, "maker")
	roles(t, s, "maker", room)
	_, token := create(t, s, "maker", room, invite.Draft{Role: policy.Moderator, MaxUses: 3})
	for _, caller := range []chat.UserID{"maker", "moderator", "member", "muted"} {
		if m, joined := use(t, s, caller, token, 0); joined || m.Role.String() != string(caller) && caller != "maker" {
			t.Errorf("%s: %+v, joined %v", caller, m, joined)
		}
	}
	if n := usesOf(t, s, room); n != 0 {
		t.Errorf("people who are in took %d uses", n)
	}
	for n := range 3 {
		if m, joined := use(t, s, "bob", token, 0); joined != (n == 0) || m.Role != policy.Moderator || m.By != "" || m.Room != room {
			t.Errorf("%+v, joined %v", m, joined)
		}
	}
	if n := usesOf(t, s, room); n != 1 {
		t.Errorf("bob took %d uses", n)
	}
	if rooms, err := s.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 9}); err != nil || len(rooms.Items) != 1 {
		t.Errorf("bob's rooms: %+v, %v", rooms, err)
	}
}

// TestUse_DeadInvitationsAreAlike kills invitations in each way and compares the errors.
func TestUse_DeadInvitationsAreAlike(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	room := func() chat.RoomID {
		id := chattest.CreatePrivateRoom(t, s, "maker")
		roles(t, s, "maker", id)
		return id
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	role := func(caller chat.UserID, in chat.RoomID, user chat.UserID, role policy.Role) func() {
		return func() { must(chattest.SetRole(t, s, caller, in, user, role)) }
	}
	a, b, c, d, e, f, g, h := room(), room(), room(), room(), room(), room(), room(), room()
	role("maker", h, "second", policy.Moderator)()
	revoked, gone := create(t, s, "maker", a, invite.Draft{})
	for name, dead := range map[string]struct {
		in      chat.RoomID
		creator chat.UserID
		draft   invite.Draft
		kill    func()
	}{
		"the room is archived": {b, "maker", invite.Draft{}, func() {
			_, _, err := s.PutRoom(t.Context(), "maker", b, chat.RoomDraft{Archived: new(true)})
			must(err)
		}},
		"the room is deleted": {c, "maker", invite.Draft{}, func() { must(s.DeleteRoom(t.Context(), "maker", c, nil)) }},
		"its creator has left": {d, "moderator", invite.Draft{}, func() {
			must(s.Members.RemoveMember(t.Context(), "moderator", chat.MemberOf{Room: d, User: "moderator"}))
		}},
		"its creator is suspended": {h, "second", invite.Draft{}, func() {
			_, err := s.Accounts.Suspend(t.Context(), "desk", "second", "spam")
			must(err)
		}},
		"its creator is banned":  {e, "moderator", invite.Draft{}, role("maker", e, "moderator", policy.Banned)},
		"its creator is demoted": {f, "moderator", invite.Draft{}, role("maker", f, "moderator", policy.Member)},
		"the bearer is banned":   {g, "maker", invite.Draft{}, role("maker", g, "bob", policy.Banned)},
	} {
		t.Run(name, func(t *testing.T) {
			_, token := create(t, s, dead.creator, dead.in, dead.draft)
			use(t, s, "first", token, 0)
			if i, room, err := s.Invites.Look(t.Context(), token); err != nil || i.CreatedBy != dead.creator || room.ID != dead.in {
				t.Errorf("the invitation is %+v to %s, %v", i, room.ID, err)
			}
			dead.kill()
			wantDead(t, s, "bob", token)
			if name != "the bearer is banned" { // whom it does not know
				wantUnseen(t, s, token)
			}
		})
	}
	must(s.Invites.Revoke(t.Context(), "maker", a, revoked.ID))
	wantDead(t, s, "member", gone) // also for people in the room
	wantUnseen(t, s, gone)
	_, once := create(t, s, "maker", a, invite.Draft{MaxUses: 1})
	use(t, s, "first", once, 0)
	wantDead(t, s, "bob", once)
	wantUnseen(t, s, once)
	_, short := create(t, s, "maker", a, invite.Draft{Expires: clock.Now().Add(time.Minute)})
	clock.Advance(time.Minute)
	for _, token := range []string{short, "", "x", "never-a-token", "Ü"} {
		wantDead(t, s, "bob", token)
		wantUnseen(t, s, token)
	}
}

// wantUnseen checks that a token shows nothing, exactly as an unknown one does.
func wantUnseen(t *testing.T, s *app.Services, token string) {
	t.Helper()
	i, room, err := s.Invites.Look(t.Context(), token)
	_, _, unknown := s.Invites.Look(t.Context(), "unknown")
	if err == nil || unknown == nil || err.Error() != unknown.Error() || i.ID != "" || room.ID != "" {
		t.Errorf("%+v to %s, %v; an unknown token is %v", i, room.ID, err, unknown)
	}
}

// wantDead checks that a token is answered exactly as an unknown one is.
func wantDead(t *testing.T, s *app.Services, caller chat.UserID, token string) {
	t.Helper()
	_, _, err := s.Invites.Use(t.Context(), caller, token)
	_, _, unknown := s.Invites.Use(t.Context(), caller, "unknown")
	if err == nil || unknown == nil || err.Error() != unknown.Error() || chat.KindOf(err) != chat.NotFound {
		t.Errorf("%v, but an unknown token is %v", err, unknown)
	}
}

// TestUse_MuteStays checks that neither a link nor its role lifts a mute that outlived leaving, and
// that a mute or a ban with an end does not outlive that end.
func TestUse_MuteStays(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	roles(t, s, "maker", "seattle")
	if err := s.Members.RemoveMember(t.Context(), "muted", chat.MemberOf{Room: "seattle", User: "muted"}); err != nil {
		t.Fatal(err)
	}
	_, token := create(t, s, "maker", "seattle", invite.Draft{Role: policy.Moderator})
	if m, joined := use(t, s, "muted", token, 0); !joined || m.Role != policy.Muted || m.Left {
		t.Errorf("comes back as %+v, joined %v", m, joined)
	}
	ban := membership.Restriction{Role: policy.Banned, Until: clock.Now().Add(time.Minute)}
	if _, _, err := s.Members.Restrict(t.Context(), "maker", chat.MemberOf{Room: "seattle", User: "carl"}, ban); err != nil {
		t.Fatal(err)
	}
	use(t, s, "carl", token, chat.NotFound)
	clock.Advance(time.Minute)
	if m, joined := use(t, s, "carl", token, 0); !joined || m.Role != policy.Moderator || !m.Until.IsZero() {
		t.Errorf("after the ban: %+v, joined %v", m, joined)
	}
}
