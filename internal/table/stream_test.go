package table

import (
	"testing"
	"time"

	"example.com/parley/internal/chat"
)

func TestRoomOf_FindsTheRoomInTheKeys(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(time.UnixMilli(1), [10]byte{}), User: "amsg"}
	for _, tt := range []struct {
		name string
		keys Item
		want chat.RoomID
	}{
		{"a message", MessageKey("seattle-1", 4, id), "seattle-1"},
		{"a membership", MemberKey("seattle", "bob"), "seattle"},
		{"a room", MetadataKey("seattle"), "seattle"},
		{"a person", Key(PersonPK("bob"), "root"), ""},
		{"nothing", Item{}, ""},
		{"a key of another type", Item{PK: Number(1), SK: Text("x")}, ""},
	} {
		if got, ok := RoomOf(tt.keys); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, %v", tt.name, got, ok)
		}
	}
}
