package storetest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/internal/chat"
	"parley/internal/inbox"
	"parley/internal/policy"
)

func messagesByID(t *testing.T, s FeedStore) {
	newRoom(t, s, "seattle", 3)
	var ids []chat.MessageID
	want := map[chat.MessageID]chat.Message{}
	for n := range 120 { // more than one batch
		m := message("seattle", similarIDs[n%len(similarIDs)], start, start, n)
		if ids = append(ids, m.ID); n%10 == 3 {
			continue // not stored
		}
		want[m.ID] = m
	}
	var there []chat.Message
	for _, m := range want {
		there = append(there, m)
	}
	putAll(t, s, there)
	got, err := s.MessagesByID(t.Context(), "seattle", ids)
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if got, err := s.MessagesByID(t.Context(), "seattle", nil); err != nil || len(got) != 0 {
		t.Errorf("messages of no ids: %v, %v", got, err)
	}
	_, err = s.MessagesByID(t.Context(), "nowhere", ids)
	wantNotFound(t, err)
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

func markerNeverMovesBack(t *testing.T, s FeedStore) {
	put := func(room chat.RoomID, user chat.UserID, seq, want int64) {
		t.Helper()
		m := inbox.ReadMarker{Room: room, User: user, Seq: seq, Count: seq / 2}
		current, err := s.PutReadMarker(t.Context(), m)
		if m.Seq, m.Count = want, want/2; err != nil || current != m {
			t.Errorf("marker %+v, want %+v, %v", current, m, err)
		}
	}
	put("seattle", "amsg", 4, 4)
	put("seattle", "amsg", 2, 4)
	put("seattle", "amsg", 4, 4)
	put("seattle", "amsg", 6, 6)
	put("seattle", "bob", 1, 1)
	put("seattle-1", "amsg", 8, 8)
	put("tacoma", "amsg", 3, 3)
	seattle := appendSegments(t, s, "seattle", 3)
	heads, err := s.FeedHeads(t.Context(), []chat.RoomID{"seattle", "portland", "seattle-1"})
	if err != nil || len(heads) != 1 || heads["seattle"] != seattle[0].Head() {
		t.Errorf("heads: %+v, %v", heads, err)
	}
	_, got, err := s.OwnRooms(t.Context(), "amsg")
	want := map[chat.RoomID]inbox.ReadMarker{
		"seattle":   {Room: "seattle", User: "amsg", Seq: 6, Count: 3},
		"seattle-1": {Room: "seattle-1", User: "amsg", Seq: 8, Count: 4},
		"tacoma":    {Room: "tacoma", User: "amsg", Seq: 3, Count: 1},
	}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}
