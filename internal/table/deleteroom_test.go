package table

import (
	"maps"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

// TestRoomTombstone_IsNoLiveRoom reads a tombstone as a deleted room, even if it had all attributes
// of a live one, and a live room not as a tombstone.
func TestRoomTombstone_IsNoLiveRoom(t *testing.T) {
	for _, id := range []chat.RoomID{"seattle", "p-aaaaaaaaaaaaaaaaaaaa"} {
		room := chat.Room{ID: id, Name: "n", CreatedBy: "m", CreatedAt: noon, Shards: 1, Private: id.Private(), DigestKey: []byte("k")}
		metadata, permissions, shards := RoomItems(room, shard.Fixed(1))
		tombstone := RoomTombstone(chat.RoomDeletion{Room: room, By: chat.OwnerOf(room, "m"), At: noon})
		full := maps.Clone(metadata)
		maps.Copy(full, tombstone)
		for _, item := range []Item{tombstone, full} {
			got, epochs, err := ParseRoom(id, []Item{item, permissions, shards})
			if err != nil || !got.Deleted || epochs != nil || got.Name != "" {
				t.Errorf("%s reads as %+v, %v, %v", id, got, epochs, err)
			}
		}
		if _, err := ParseRoomTombstone(metadata); err == nil {
			t.Errorf("the live room %s reads as a tombstone", id)
		}
	}
}
