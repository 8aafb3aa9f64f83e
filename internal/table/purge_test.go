package table

import (
	"testing"

	"example.com/parley/internal/chat"
)

// TestPersonOf_KnowsRowsOfThreads finds the person of a row of a thread only in its room.
func TestPersonOf_KnowsRowsOfThreads(t *testing.T) {
	key := FollowKey("bob", "seattle", chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"})
	if user, ok := PersonOf(key, "seattle"); user != "bob" || !ok {
		t.Errorf("in its room: %q, %v", user, ok)
	}
	for _, room := range []chat.RoomID{"sea", "seattle-1"} {
		if user, ok := PersonOf(key, room); ok {
			t.Errorf("in %s: %q", room, user)
		}
	}
}
