package table

import (
	"fmt"
	"strings"

	"parley/internal/chat"
	"parley/internal/inbox"
)

// ReadSK returns the sort key of a person's marker in a room.
func ReadSK(room chat.RoomID) string { return readPrefix + string(room) }

// ReadMarkerKey returns the primary key of a person's marker in a room.
func ReadMarkerKey(room chat.RoomID, user chat.UserID) Item { return Key(PersonPK(user), ReadSK(room)) }

// ReadMarkerUpdate moves a marker forward, or creates it.
func ReadMarkerUpdate(m inbox.ReadMarker) Update {
	return Update{
		Expression: "SET #seq = :seq, #count = :count, #type = :type, #v = :v",
		Condition:  "attribute_not_exists(PK) OR #seq < :seq",
		Names:      map[string]string{"#seq": attrSeq, "#count": attrCount, "#type": attrType, "#v": attrVersion},
		Values:     Item{":seq": number(m.Seq), ":count": number(m.Count), ":type": str(typeRead), ":v": number(schemaVersion)},
	}
}

// ParseReadMarker reads an item that ReadMarkerUpdate wrote.
func ParseReadMarker(item Item) (inbox.ReadMarker, error) {
	r := reader{item: item}
	r.expect(typeRead)
	user, err := chat.StoredUserID(strings.TrimPrefix(r.str(PK), PersonPK("")))
	r.keep(err)
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.str(SK), readPrefix))
	r.keep(err)
	m := inbox.ReadMarker{Room: room, User: user, Seq: r.number(attrSeq), Count: r.number(attrCount)}
	if r.err != nil {
		return inbox.ReadMarker{}, fmt.Errorf("read marker: %w", r.err)
	}
	return m, nil
}
