package table

import (
	"maps"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

// oldReaders are how earlier versions of ParseMetadata decided whether they know an item: one that
// knows no private rooms, and one that knows them and no deletions.
var oldReaders = map[string]func(Item) error{
	"knows no private rooms": func(item Item) error {
		r := Reader{Item: item}
		r.Expect(RoomKind)
		return r.Err
	},
	"knows private rooms": func(item Item) error {
		r := Reader{Item: item}
		if v := r.OptionalNumber(attrVersion); v == 3 || v == 4 {
			item = maps.Clone(item)
			item[attrVersion] = Number(1)
			r.Item = item
		}
		r.Expect(RoomKind)
		return r.Err
	},
}

// TestRoomTombstone_IsRefusedByOlderCode reads tombstones as earlier versions do. Their schema
// version alone suffices for the refusal, also if a tombstone had all attributes of a live room.
func TestRoomTombstone_IsRefusedByOlderCode(t *testing.T) {
	for _, id := range []chat.RoomID{"seattle", "p-aaaaaaaaaaaaaaaaaaaa"} {
		room := chat.Room{ID: id, Name: "n", CreatedBy: "m", CreatedAt: noon, Shards: 1, Private: id.Private(), DigestKey: []byte("k")}
		metadata, permissions, shards := RoomItems(room, shard.Fixed(1))
		tombstone := RoomTombstone(chat.RoomDeletion{Room: room, By: chat.OwnerOf(room, "m"), At: noon})
		full := maps.Clone(metadata)
		maps.Copy(full, tombstone)
		for name, read := range oldReaders {
			if err := read(metadata); err != nil && (name == "knows private rooms" || !id.Private()) {
				t.Errorf("code that %s does not read the live room %s: %v", name, id, err)
			}
			if read(tombstone) == nil || read(full) == nil {
				t.Errorf("code that %s takes the deleted room %s for a live one", name, id)
			}
		}
		for _, item := range []Item{tombstone, full} {
			got, epochs, err := ParseRoom(id, []Item{item, permissions, shards})
			if err != nil || !got.Deleted || epochs != nil || got.Name != "" {
				t.Errorf("this version reads %+v, %v, %v", got, epochs, err)
			}
		}
	}
}

// TestRoomTombstone_OfALaterVersion reads tombstones of the next schema version as deleted, and
// tombstones of the version after it as unknown. Neither is a live room.
func TestRoomTombstone_OfALaterVersion(t *testing.T) {
	room := chat.Room{ID: "seattle", Name: "n"}
	for version, known := range map[int64]bool{deletedVersion + 1: true, deletedVersion + 2: false} {
		tombstone := RoomTombstone(chat.RoomDeletion{Room: room, By: chat.OwnerOf(room, "m"), At: noon})
		tombstone[attrVersion] = Number(version)
		if got, err := ParseMetadata(tombstone); got.Deleted != known || (err == nil) != known {
			t.Errorf("version %d reads as %+v, %v", version, got, err)
		}
	}
}
