package table

import (
	"fmt"
	"strings"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
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
		Expression: "SET #type = :type, #v = :v, #feed = :room, #changed = :id, #pinned = :pinned",
		Names: map[string]string{
			"#type": attrType, "#v": attrVersion, "#feed": AttrFeed, "#changed": attrChanged, "#pinned": attrPinned,
			"#rev": attrRevision,
		},
		Values: Item{
			":type": Text(PinsKind), ":v": Number(schemaVersion), ":room": Text(string(room)), ":id": Text(id.String()),
			":pinned": Text(did), ":one": Number(1),
		},
	}
}

// pinChange returns the change that the last update of a room's pins made. Each update makes one.
func pinChange(before, after Item) (RoomChange, bool, error) {
	if after == nil {
		return RoomChange{}, false, nil // a purge
	}
	r, was := Reader{Item: after}, Reader{Item: before}
	r.Expect(PinsKind)
	rev := int(r.Number(attrRevision))
	if before != nil && int(was.OptionalNumber(attrRevision)) == rev {
		return RoomChange{}, false, nil
	}
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(PK), RoomItemsPK("")))
	r.Keep(err)
	id, err := chat.ParseMessageID(r.Text(attrChanged))
	r.Keep(err)
	if rev < 1 || rev > chat.MaxVersion {
		r.Keep(fmt.Errorf("change %d cannot be", rev))
	}
	c := RoomChange{Room: room, Change: feed.Change{Type: feed.PinsChanged, Message: id, Revision: rev, Pinned: r.OptionalText(attrPinned) == "yes"}}
	return c, r.Err == nil, r.Err
}
