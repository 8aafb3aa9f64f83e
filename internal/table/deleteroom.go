package table

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"parley/internal/chat"
)

// RoomTombstone returns the item that replaces the metadata of a deleted room forever (ADR
// 24). Nothing of the room's settings remains, and no index lists it.
func RoomTombstone(d chat.RoomDeletion) Item {
	item := MetadataKey(d.Room.ID)
	item[attrType], item[attrVersion] = str(RoomKind), number(deletedVersion)
	item[attrRevision] = number(int64(d.Room.Revision) + 1)
	item[attrDeleted], item[attrDeletedBy] = number(d.At.UnixMilli()), str(string(d.By.User))
	return item
}

// RoomIs returns the condition that a room still has a revision and is not deleted.
func RoomIs(revision int) Update {
	u := RevisionIs(revision)
	u.Condition += " AND attribute_not_exists(#deleted)"
	u.Names["#deleted"] = attrDeleted
	return u
}

// ParseRoomTombstone reads an item that RoomTombstone wrote. The deletion has the room's id and
// revision, the user who deleted it, and the time.
func ParseRoomTombstone(item Item) (chat.RoomDeletion, error) {
	item = maps.Clone(item)
	r := reader{item: item}
	if v := r.number(attrVersion); v == deletedVersion || v == deletedVersion+1 {
		item[attrVersion] = number(schemaVersion)
	} else {
		r.keep(fmt.Errorf("the room is not deleted"))
	}
	r.expect(RoomKind)
	id, err := chat.ParseRoomID(strings.TrimPrefix(r.str(PK), RoomPK("")))
	r.keep(err)
	d := chat.RoomDeletion{
		Room: chat.Room{ID: id, Private: id.Private(), Revision: int(r.number(attrRevision)), Deleted: true},
		By:   chat.Membership{Room: id, User: chat.UserID(r.str(attrDeletedBy))},
		At:   time.UnixMilli(r.number(attrDeleted)).UTC(),
	}
	if r.err != nil {
		return chat.RoomDeletion{}, fmt.Errorf("deleted room item: %w", r.err)
	}
	return d, nil
}

// FeedClosure closes the feed of a deleted room at its head, which it creates if there is none.
// Older code reads the head as before.
func FeedClosure(at time.Time) Update {
	return Update{
		Expression: "SET #closed = :at, #type = :type, #v = :v, #seq = if_not_exists(#seq, :none), #count = if_not_exists(#count, :none), " +
			"#gen = if_not_exists(#gen, :empty), #settled = if_not_exists(#settled, :none)",
		Names: map[string]string{
			"#closed": attrClosed, "#type": attrType, "#v": attrVersion, "#seq": attrSeq, "#count": attrCount, "#gen": attrGeneration,
			"#settled": attrSettled,
		},
		Values: Item{
			":at": number(at.UnixMilli()), ":type": str(FeedHeadKind), ":v": number(schemaVersion), ":none": number(0), ":empty": str(""),
		},
	}
}

// ParseFeedClosure reads the deletion of a room from the head of its feed, for the case that its
// tombstone is lost. It does not know who deleted the room. It reports false if the feed is open or
// the head cannot be read.
func ParseFeedClosure(head Item) (chat.RoomDeletion, bool) {
	h, err := ParseFeedHead(head)
	if err != nil || !h.Closed {
		return chat.RoomDeletion{}, false
	}
	r := reader{item: head}
	room := chat.Room{ID: h.Room, Private: h.Room.Private(), Deleted: true}
	return chat.RoomDeletion{Room: room, At: r.optionalTime(attrClosed)}, true
}
