package table

import (
	"fmt"
	"strings"
	"time"

	"example.com/parley/internal/chat"
)

// RoomTombstone returns the item that replaces the metadata of a deleted room forever (ADR
// 24). Nothing of the room's settings remains, and no index lists it. A room that an import made
// keeps its channel, under which an import finds it.
func RoomTombstone(d chat.RoomDeletion) Item {
	item := MetadataKey(d.Room.ID)
	item[attrType], item[attrVersion] = Text(RoomKind), Number(schemaVersion)
	item[attrRevision] = Number(int64(d.Room.Revision) + 1)
	item[attrDeleted], item[attrDeletedBy] = Number(d.At.UnixMilli()), Text(string(d.By.User))
	if channel := d.Room.Channel; channel != "" {
		item[attrChannel], item[IndexPK], item[IndexSK] = Text(channel), Text(DeletedChannelsPK), Text(channel)
	}
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
	r := Reader{Item: item}
	r.Expect(RoomKind)
	id, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(PK), RoomPK("")))
	r.Keep(err)
	d := chat.RoomDeletion{
		Room: chat.Room{
			ID: id, Private: id.Private(), Revision: int(r.Number(attrRevision)), Deleted: true,
			Channel: r.OptionalText(attrChannel),
		},
		By: chat.Membership{Room: id, User: chat.UserID(r.Text(attrDeletedBy))},
		At: time.UnixMilli(r.Number(attrDeleted)).UTC(),
	}
	if r.Err != nil {
		return chat.RoomDeletion{}, fmt.Errorf("deleted room item: %w", r.Err)
	}
	return d, nil
}

// FeedClosure closes the feed of a deleted room at its head, creating the head if there is none.
func FeedClosure(at time.Time) Update {
	return Update{
		Expression: "SET #closed = :at, #seq = if_not_exists(#seq, :none), #count = if_not_exists(#count, :none), " +
			"#gen = if_not_exists(#gen, :empty), #settled = if_not_exists(#settled, :none)",
		Names: map[string]string{
			"#closed": attrClosed, "#seq": AttrSeq, "#count": AttrCount, "#gen": attrGeneration,
			"#settled": attrSettled,
		},
		Values: Item{
			":at": Number(at.UnixMilli()), ":none": Number(0), ":empty": Text(""),
		},
	}.Stamped(FeedHeadKind)
}

// ParseFeedClosure reads the deletion of a room from the head of its feed, in case its tombstone
// is lost. It does not contain who deleted the room. It reports false if the feed is open or the
// head cannot be read.
func ParseFeedClosure(head Item) (chat.RoomDeletion, bool) {
	h, err := ParseFeedHead(head)
	if err != nil || !h.Closed {
		return chat.RoomDeletion{}, false
	}
	r := Reader{Item: head}
	room := chat.Room{ID: h.Room, Private: h.Room.Private(), Deleted: true}
	return chat.RoomDeletion{Room: room, At: r.OptionalTime(attrClosed)}, true
}
