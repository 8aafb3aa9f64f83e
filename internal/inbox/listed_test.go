package inbox

import (
	"fmt"
	"testing"
	"time"

	"example.com/parley/internal/chat"
)

// TestListed_LeavesOutTheOldestArchivedRooms lists a person's 10,000 rooms, of which the open ones
// began first.
func TestListed_LeavesOutTheOldestArchivedRooms(t *testing.T) {
	t.Parallel()
	const rooms, open = 10_000, 12
	at := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	all := make([]chat.Membership, rooms)
	for n := range all {
		all[n] = chat.Membership{Room: chat.RoomID(fmt.Sprint("r", n)), JoinedAt: at.Add(time.Duration(n) * time.Second), Closed: n >= open}
	}
	got := map[chat.RoomID]bool{}
	for _, m := range listed(all) {
		got[m.Room] = true
	}
	if len(got) != maxListed {
		t.Errorf("a list has %d rooms, want %d", len(got), maxListed)
	}
	for n := range rooms {
		want := n < open || n >= rooms-maxListed+open
		if room := chat.RoomID(fmt.Sprint("r", n)); got[room] != want {
			t.Fatalf("the list has %s: %v, want %v", room, got[room], want)
		}
	}
	if few := listed(all[:maxListed]); len(few) != maxListed {
		t.Errorf("a list of %d rooms has %d", maxListed, len(few))
	}
}
