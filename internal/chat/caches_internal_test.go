package chat

import (
	"fmt"
	"testing"
	"time"

	"parley/internal/expiring"
)

// TestRoomCache_KeepsARoomForItsTime checks that the number of other rooms does not matter.
// Otherwise the previous settings of a room would hold for longer or shorter while other rooms are
// busy.
func TestRoomCache_KeepsARoomForItsTime(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_535_544_000, 0)
	c := newRoomCache(func() time.Time { return now })
	c.put("seattle", cachedRoom{room: Room{ID: "seattle"}, asOf: now})
	for i := range 20_000 {
		c.put(RoomID(fmt.Sprint(i)), cachedRoom{asOf: now})
	}
	now = now.Add(RoomCacheAge - 1)
	if _, ok := c.get("seattle"); !ok {
		t.Error("the room is removed too early")
	}
	now = now.Add(1)
	if _, ok := c.get("seattle"); ok {
		t.Error("the room is stored for too long")
	}
	c.put("tacoma", cachedRoom{asOf: now})
	if n := c.rooms.Len(); n != 20_002-expiring.RemovedPerPut {
		t.Errorf("%d rooms are stored, want %d", n, 20_002-expiring.RemovedPerPut)
	}
	c.delete("tacoma")
	if _, ok := c.get("tacoma"); ok {
		t.Error("the room is stored after a change")
	}
}
