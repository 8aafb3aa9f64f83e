package table

import (
	"example.com/parley/internal/chat"
)

// PinsKey returns the primary key of the pinned messages of a room.
func PinsKey(room chat.RoomID) Item { return Key(RoomItemsPK(room), skPins) }

// PinsUpdate returns the part of an update of a room's pins that names its change, which enters the
// room's feed. The update must also add :one to #rev.
func PinsUpdate(room chat.RoomID, id chat.MessageID, pinned bool) Update {
	did := "no"
	if pinned {
		did = "yes"
	}
	return Update{
		Expression: "SET #feed = :room, #changed = :id, #pinned = :pinned",
		Names: map[string]string{
			"#feed": AttrFeed, "#changed": attrChanged, "#pinned": attrPinned,
			"#rev": attrRevision,
		},
		Values: Item{
			":room": Text(string(room)), ":id": Text(id.String()),
			":pinned": Text(did), ":one": Number(1),
		},
	}.Stamped(PinsKind)
}
