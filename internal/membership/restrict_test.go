package membership_test

import (
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/live"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

func restrict(t *testing.T, s *app.Services, caller, user chat.UserID, r membership.Restriction) error {
	t.Helper()
	_, _, err := s.Members.Restrict(t.Context(), caller, chat.MemberOf{Room: "seattle", User: user}, r)
	return err
}

// roleOf returns how the room's owner sees a person: a role, or "none".
func roleOf(t *testing.T, s *app.Services, user chat.UserID) string {
	t.Helper()
	m, err := s.Members.Member(t.Context(), "maker", chat.MemberOf{Room: "seattle", User: user})
	if chat.KindOf(err) == chat.NotFound {
		return "none"
	}
	if err != nil {
		t.Fatal(err)
	}
	return m.Role.String()
}

// TestRestrict_Lifting checks which role people have after a ban is lifted, and who may lift it.
func TestRestrict_Lifting(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for user, role := range map[chat.UserID]policy.Role{"mod": policy.Moderator, "other": policy.Moderator, "mem": policy.Member, "mute": policy.Muted} {
		if err := chattest.SetRole(t, s, "maker", "seattle", user, role); err != nil {
			t.Fatal(err)
		}
	}
	ban := membership.Restriction{Role: policy.Banned, Until: clock.Now().Add(time.Hour), Reason: "spam"}
	for user, want := range map[chat.UserID]string{"other": "moderator", "mem": "member", "mute": "muted", "new": "none"} {
		for range 2 { // the second ban extends the first
			ban.Until = ban.Until.Add(time.Hour)
			if err := restrict(t, s, "maker", user, ban); err != nil {
				t.Fatal(err)
			}
		}
		err := s.Members.RemoveMember(t.Context(), "mod", chat.MemberOf{Room: "seattle", User: user})
		if user == "other" {
			chattest.WantKind(t, "a moderator makes one", err, chat.Forbidden)
			err = s.Members.RemoveMember(t.Context(), "maker", chat.MemberOf{Room: "seattle", User: user})
		}
		if got := roleOf(t, s, user); err != nil || got != want {
			t.Errorf("%s is %s after the ban, want %s; %v", user, got, want, err)
		}
	}
}

// TestRestrict_Reason checks who sees a reason.
func TestRestrict_Reason(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for user, role := range map[chat.UserID]policy.Role{"mod": policy.Moderator, "mem": policy.Member} {
		if err := chattest.SetRole(t, s, "maker", "seattle", user, role); err != nil {
			t.Fatal(err)
		}
	}
	for _, role := range []policy.Role{policy.Muted, policy.Banned} {
		if err := restrict(t, s, "mod", "bob", membership.Restriction{Role: role, Reason: "spam"}); err != nil {
			t.Fatal(err)
		}
		for caller, want := range map[chat.UserID]string{"maker": "spam", "mod": "spam", "bob": "spam", "mem": "", "stranger": ""} {
			m, err := s.Members.Member(t.Context(), caller, chat.MemberOf{Room: "seattle", User: "bob"})
			if role == policy.Banned && want == "" {
				chattest.WantKind(t, string(caller)+" looks at a ban", err, chat.NotFound)
			} else if err != nil || m.Reason != want {
				t.Errorf("%v: %s sees %q, %v", role, caller, m.Reason, err)
			}
		}
	}
	_, err := s.Members.Bans(t.Context(), "mem", "seattle", chat.PageRequest{Limit: 1})
	chattest.WantKind(t, "a member lists bans", err, chat.Forbidden)
}

func TestRestrict_RefusesInvalidInput(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	now := clock.Now()
	for name, r := range map[string]membership.Restriction{
		"now":        {Until: now},
		"past":       {Until: now.Add(-time.Hour)},
		"too far":    {Until: now.Add(membership.MaxRestriction + time.Millisecond)},
		"too long":   {Reason: strings.Repeat("x", membership.MaxReason+1)},
		"two lines":  {Reason: "a\nb"},
		"turned":     {Reason: "a\u202eb"},
		"below a ms": {Until: now.Add(time.Microsecond)},
	} {
		r.Role = policy.Banned
		chattest.WantKind(t, name, restrict(t, s, "maker", "bob", r), chat.Invalid)
	}
	if got := roleOf(t, s, "bob"); got != "none" {
		t.Errorf("bob is %s", got)
	}
}

// TestRestrict_RepeatedBanChangesNothing checks that the same ban by another moderator keeps who
// made it, and that another reason does not.
func TestRestrict_RepeatedBanChangesNothing(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	if err := chattest.SetRole(t, s, "maker", "seattle", "mod", policy.Moderator); err != nil {
		t.Fatal(err)
	}
	ban := membership.Restriction{Role: policy.Banned, Reason: "spam"}
	for i, step := range []struct {
		caller chat.UserID
		reason string
		by     chat.UserID
	}{{"maker", "spam", "maker"}, {"mod", "spam", "maker"}, {"mod", "noise", "mod"}} {
		ban.Reason = step.reason
		if err := restrict(t, s, step.caller, "bob", ban); err != nil {
			t.Fatal(err)
		}
		m, err := s.Members.Member(t.Context(), "maker", chat.MemberOf{Room: "seattle", User: "bob"})
		if err != nil || m.By != step.by || m.Reason != step.reason {
			t.Errorf("step %d: %+v, %v", i, m, err)
		}
	}
}

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

// TestRestrict_MuteWithAnEndAdmitsNoStranger mutes people who are not in a private room, until a
// time. They never may read it, and neither their subscriptions nor their lists have it.
func TestRestrict_MuteWithAnEndAdmitsNoStranger(t *testing.T) {
	t.Parallel()
	l := newLiveRooms(t)
	room := chattest.CreatePrivateRoom(t, l.Services, "maker")
	restrict := func(user chat.UserID, r membership.Restriction) (added bool) {
		t.Helper()
		_, added, err := l.Members.Restrict(t.Context(), "maker", chat.MemberOf{Room: room, User: user}, r)
		if err != nil {
			t.Fatal(err)
		}
		return added
	}
	mute := membership.Restriction{Role: policy.Muted, Until: l.clock.Now().Add(time.Hour)}
	ban := membership.Restriction{Role: policy.Banned, Until: l.clock.Now().Add(time.Minute)}
	if restrict("eve", mute) {
		t.Error("a mute admits a stranger")
	}
	restrict("eve", ban) // which must not turn the mute into a membership
	if err := chattest.SetRole(t, l.Services, "maker", room, "bob", policy.Muted); err != nil {
		t.Fatal(err)
	}
	l.subscribe(t, room, "bob") // who was admitted, and may read until the mute has an end
	restrict("bob", mute)
	l.wantSubscribed(t, "a mute gets an end", room)
	for range 3 { // muted, then with the ban ended, then with the mute ended
		for _, user := range []chat.UserID{"eve", "bob"} {
			_, err := l.Authorize(t.Context(), user, room, policy.Read)
			chattest.WantKind(t, string(user)+" reads", err, chat.NotFound)
			reader := live.NewMemberAuthorizer(l.store, l.Service, l.clock.Now)
			_, err = reader.Authorize(t.Context(), user, room, policy.Read)
			chattest.WantKind(t, string(user)+" subscribes", err, chat.NotFound)
			rooms, err := l.Inbox.RoomsOf(t.Context(), user, user, chat.PageRequest{Limit: 9})
			if err != nil || len(rooms.Items) > 0 {
				t.Errorf("%s lists %+v, %v", user, rooms.Items, err)
			}
		}
		l.clock.Advance(40 * time.Minute)
	}
	members, err := l.Members.Members(t.Context(), "maker", room, chat.PageRequest{Limit: 9})
	if err != nil || len(members.Items) != 1 {
		t.Errorf("members %+v, %v", members.Items, err)
	}
}

// TestUse_MutedStrangerStaysAfterTheMute lets a person whom a mute has kept out join by an
// invitation. They are muted until its end, and then a member.
func TestUse_MutedStrangerStaysAfterTheMute(t *testing.T) {
	t.Parallel()
	l := newLiveRooms(t)
	room := chattest.CreatePrivateRoom(t, l.Services, "maker")
	mute := membership.Restriction{Role: policy.Muted, Until: l.clock.Now().Add(time.Hour)}
	if _, _, err := l.Members.Restrict(t.Context(), "maker", chat.MemberOf{Room: room, User: "eve"}, mute); err != nil {
		t.Fatal(err)
	}
	_, token, err := l.Invites.Create(t.Context(), "maker", room, invite.Draft{})
	if err != nil {
		t.Fatal(err)
	}
	if _, joined, err := l.Invites.Use(t.Context(), "eve", token); err != nil || !joined {
		t.Fatal(joined, err)
	}
	for _, want := range []policy.Role{policy.Muted, policy.Member} {
		a, err := l.Authorize(t.Context(), "eve", room, policy.Read)
		if err != nil || a.Role != want {
			t.Errorf("%v, %v, want %v", a.Role, err, want)
		}
		l.clock.Advance(time.Hour)
	}
}
