package storetest

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
)

func membershipOf(room chat.RoomID, user chat.UserID, name string, role policy.Role) chat.Membership {
	return chat.Membership{Room: room, User: user, Name: name, Role: role, JoinedAt: start}
}

func join(t *testing.T, s app.Stores, m chat.Membership) {
	t.Helper()
	if ok, err := s.ChangeMembership(t.Context(), membership.Change{After: m}); !ok || err != nil {
		t.Fatalf("join %+v: %v, %v", m, ok, err)
	}
}

func membershipIsListedOnBothSides(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	newRoom(t, s, "sea", 1)
	var want []string
	for i, user := range SimilarIDs {
		name := fmt.Sprintf("Name %02d", i/3) // names repeat
		join(t, s, membershipOf("seattle", user, name, policy.Member))
		want = append(want, name)
	}
	left := membershipOf("seattle", "gone", "Gone", policy.Muted)
	left.Left = true
	join(t, s, left)
	join(t, s, membershipOf("seattle", "out", "Out", policy.Banned))
	join(t, s, membershipOf("sea", "al", "Al", policy.Moderator))
	want = append(want, "maker") // the owner is last in order

	for user, rooms := range map[chat.UserID]int{"al": 2, "Al": 1, "maker": 2, "gone": 0, "out": 0, "nobody": 0} {
		if n, err := s.OpenRoomCount(t.Context(), user); err != nil || n != rooms {
			t.Errorf("%s is in %d rooms, %v, want %d", user, n, err, rooms)
		}
	}
	for _, limit := range []int{1, 2, 5, 50} {
		var names []string
		seen := map[chat.UserID]bool{}
		after := chat.ListPosition{}
		for {
			members, next, err := s.Members(t.Context(), "seattle", after, limit)
			if err != nil || len(members) > limit {
				t.Fatalf("%d members, %v", len(members), err)
			}
			for _, m := range members {
				names = append(names, m.Name)
				seen[m.User] = true
			}
			if after = next; next == (chat.ListPosition{}) {
				break
			}
		}
		if d := cmp.Diff(want, names); d != "" || len(seen) != len(want) {
			t.Errorf("pages of %d: %d people (-want +got):\n%s", limit, len(seen), d)
		}
	}
	rooms, _, err := inbox.NewStore(s.Table()).OwnRooms(t.Context(), "al", nil)
	if err != nil || len(rooms) != 2 || rooms[0].Room != "sea" || rooms[0].Role != policy.Moderator || rooms[1].Room != "seattle" {
		t.Errorf("rooms of al: %+v, %v", rooms, err)
	}
	for _, user := range []chat.UserID{"gone", "out"} {
		if rooms, _, err := inbox.NewStore(s.Table()).OwnRooms(t.Context(), user, nil); err != nil || len(rooms) != 0 {
			t.Errorf("rooms of %s: %+v, %v", user, rooms, err)
		}
	}
}

// membershipIsListedWhileCurrent checks that lists include a membership while the user is in the
// room, or will be when a ban ends. The membership itself is stored until it is removed.
func membershipIsListedWhileCurrent(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	member := membershipOf("seattle", "amsg", "Amsel", policy.Member)
	muted, banned := member, member
	muted.Role, banned.Role = policy.Muted, policy.Banned
	gone := muted
	gone.Left = true
	ending, outsider := banned, banned // the bans of a member and of a stranger
	ending.Until, ending.Restore, ending.Reason, ending.By = start.Add(time.Hour), policy.Member, "spam", "maker"
	outsider.Until, outsider.Restore = start.Add(time.Minute), policy.Stranger
	none := chat.Membership{}
	before := none
	for i, after := range []chat.Membership{banned, member, banned, none, member, muted, gone, muted, gone, member, gone, banned, gone, none, muted, ending, outsider, ending, member, outsider, ending, none} {
		if ok, err := s.ChangeMembership(t.Context(), membership.Change{Before: before, After: after}); !ok || err != nil {
			t.Fatalf("change %d: %v, %v", i, ok, err)
		}
		if got, err := s.Membership(t.Context(), "seattle", "amsg"); err != nil || got != after {
			t.Errorf("change %d: membership %+v, %v, want %+v", i, got, err, after)
		}
		rooms, _, err := inbox.NewStore(s.Table()).OwnRooms(t.Context(), "amsg", nil)
		if err != nil || len(rooms) > 1 || (len(rooms) == 1) != after.Listed() || after.Listed() && rooms[0] != after {
			t.Errorf("change %d: rooms %+v, %v, want %+v", i, rooms, err, after)
		}
		members, _, err := s.Members(t.Context(), "seattle", chat.ListPosition{}, 9)
		if err != nil || (len(members) == 2) != after.Listed() || after.Listed() && members[0] != after {
			t.Errorf("change %d: members %+v, %v, want %+v", i, members, err, after)
		}
		bans, _, err := s.Bans(t.Context(), "seattle", chat.ListPosition{}, 9)
		isBan := after.Room != "" && after.Role == policy.Banned
		if err != nil || (len(bans) == 1) != isBan || isBan && bans[0] != after {
			t.Errorf("change %d: bans %+v, %v, want %+v", i, bans, err, after)
		}
		own, err := s.BansOf(t.Context(), "amsg")
		if err != nil || (len(own) == 1) != isBan || isBan && own[0] != after {
			t.Errorf("change %d: bans of the person %+v, %v, want %+v", i, own, err, after)
		}
		before = after
	}
}

func membershipChangeIsConditional(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	none, err := s.Membership(t.Context(), "seattle", "amsg")
	if err != nil || none != (chat.Membership{}) {
		t.Fatalf("membership of a user without one: %+v, %v", none, err)
	}
	member := membershipOf("seattle", "amsg", "Amsel", policy.Member)
	join(t, s, member)
	if got, err := s.Membership(t.Context(), "seattle", "amsg"); err != nil || got != member {
		t.Errorf("membership %+v, %v", got, err)
	}
	banned := member
	banned.Role = policy.Banned
	owner := chat.OwnerOf(chat.Room{ID: "seattle", CreatedBy: "maker", CreatedAt: start}, "maker")
	impostor := owner
	impostor.Role = policy.Moderator
	ending, restored := member, member
	ending.Until, restored.Restore = start, policy.Muted
	for name, tt := range map[string]struct {
		change membership.Change
		ok     bool
	}{
		"created where one exists":              {membership.Change{After: member}, false},
		"another role":                          {membership.Change{Before: banned, After: member}, false},
		"another end":                           {membership.Change{Before: ending, After: banned}, false},
		"another role to restore":               {membership.Change{Before: restored, After: banned}, false},
		"a removal of another role":             {membership.Change{Before: banned}, false},
		"by a user without that role":           {membership.Change{Before: member, After: banned, By: impostor}, false},
		"a removal by a user without that role": {membership.Change{Before: member, By: impostor}, false},
		"a missing membership":                  {membership.Change{Before: membershipOf("seattle", "x", "x", policy.Member), After: membershipOf("seattle", "x", "x", policy.Muted)}, false},
	} {
		if ok, err := s.ChangeMembership(t.Context(), tt.change); ok != tt.ok || err != nil {
			t.Errorf("change %s: %v, %v", name, ok, err)
		}
	}
	if ok, err := s.ChangeMembership(t.Context(), membership.Change{Before: member, After: banned, By: owner}); !ok || err != nil {
		t.Errorf("valid change: %v, %v", ok, err)
	}
	if ok, err := s.ChangeMembership(t.Context(), membership.Change{Before: banned, By: owner}); !ok || err != nil {
		t.Errorf("valid removal: %v, %v", ok, err)
	}
	if got, err := s.Membership(t.Context(), "seattle", "amsg"); err != nil || got != none {
		t.Errorf("membership after its removal: %+v, %v", got, err)
	}
}

func handOverIsOneChange(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	member := membershipOf("seattle", "amsg", "Amsel", policy.Member)
	join(t, s, member)
	owner := chat.OwnerOf(chat.Room{ID: "seattle", CreatedBy: "maker", CreatedAt: start}, "maker")
	former, heir, stale := owner, member, member
	former.Role, heir.Role, stale.Role = policy.Moderator, policy.Owner, policy.Muted
	for name, tt := range map[string][2]membership.Change{
		"from another role": {{Before: former, After: former}, {Before: member, After: heir}},
		"to another role":   {{Before: owner, After: former}, {Before: stale, After: heir}},
	} {
		if ok, err := s.HandOver(t.Context(), tt[0], tt[1]); ok || err != nil {
			t.Errorf("hand over %s: %v, %v", name, ok, err)
		}
	}
	if ok, err := s.HandOver(t.Context(), membership.Change{Before: owner, After: former}, membership.Change{Before: member, After: heir}); !ok || err != nil {
		t.Fatalf("hand over: %v, %v", ok, err)
	}
	members, _, err := s.Members(t.Context(), "seattle", chat.ListPosition{}, 9)
	if d := cmp.Diff([]chat.Membership{heir, former}, members); d != "" || err != nil {
		t.Errorf("members after it: %v (-want +got):\n%s", err, d)
	}
	for _, want := range []chat.Membership{heir, former} {
		if got, err := s.Membership(t.Context(), "seattle", want.User); err != nil || got != want {
			t.Errorf("membership %+v, %v, want %+v", got, err, want)
		}
	}
}

func slotIsTakenOnce(t *testing.T, s app.Stores) {
	newRoom(t, s, "seattle", 1)
	at := func(n int, after time.Duration) chat.SlowModeSlot {
		return chat.SlowModeSlot{Room: "seattle", User: "amsg", What: strconv.Itoa(n), Now: start.Add(after), Every: 10 * time.Second}
	}
	for _, tt := range []struct {
		name string
		slot chat.SlowModeSlot
		wait time.Duration
	}{
		{"the first message", at(1, 0), 0},
		{"its retry", at(1, time.Second), 0},
		{"another message waits for the interval to end", at(2, 4*time.Second), 7 * time.Second},
		{"the same message after the interval", at(2, 11*time.Second), 0},
		{"a late retry of the first message", at(1, 12*time.Second), 9 * time.Second},
	} {
		if wait, err := s.TakeSlot(t.Context(), tt.slot); wait != tt.wait || err != nil {
			t.Errorf("%s: wait %v, %v, want %v", tt.name, wait, err, tt.wait)
		}
	}
}

// membersByUser finds the users who are in a room. Users who are banned, have left or never joined
// are not returned.
func membersByUser(t *testing.T, s FeedStore) {
	newRoom(t, s, "seattle", 1)
	newRoom(t, s, "sea", 1)
	left := membershipOf("seattle", "left", "Left", policy.Muted)
	left.Left = true
	join(t, s, left)
	join(t, s, membershipOf("seattle", "banned", "Banned", policy.Banned))
	join(t, s, membershipOf("sea", "other", "Other", policy.Member))
	users := []chat.UserID{"left", "banned", "other", "nobody"}
	want := map[chat.UserID]chat.Membership{}
	for n := range 120 { // more than one batch
		m := membershipOf("seattle", chat.UserID(fmt.Sprint("user-", n)), "Name", []policy.Role{policy.Member, policy.Muted}[n%2])
		if users = append(users, m.User); n%10 == 3 {
			continue // not stored
		}
		join(t, s, m)
		want[m.User] = m
	}
	got, err := s.MembersByUser(t.Context(), "seattle", users)
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if got, err := s.MembersByUser(t.Context(), "seattle", nil); err != nil || len(got) != 0 {
		t.Errorf("members of no users: %v, %v", got, err)
	}
}
