package table

import (
	"fmt"
	"maps"
	"strings"

	"parley/internal/chat"
	"parley/internal/inbox"
)

// ReadSK returns the sort key of a person's marker in a room.
func ReadSK(room chat.RoomID) string { return readPrefix + string(room) }

// ReadMarkerKey returns the primary key of a person's marker in a room.
func ReadMarkerKey(room chat.RoomID, user chat.UserID) Item { return Key(PersonPK(user), ReadSK(room)) }

// The attributes of a marker's receipt. Older versions neither write nor remove them: the receipt is
// then of an earlier mark.
const (
	attrReadMessage = "message"
	attrReadAt      = "readAt"
	attrReadSeq     = "readSeq"
)

// ReadMarkerUpdate moves a marker forward, or creates it. With a receipt it moves only a marker
// whose receipt is not further.
func ReadMarkerUpdate(m inbox.ReadMarker) Update {
	u := ReadMarkerMove(m)
	u.Condition = "attribute_not_exists(PK) OR #seq < :seq"
	if m.Receipt == (inbox.Receipt{}) {
		return u
	}
	u.Condition += " AND (attribute_not_exists(#readSeq) OR #readSeq <= :readSeq)"
	u.Expression += ", #message = :message, #readAt = :readAt, #readSeq = :readSeq"
	maps.Copy(u.Names, map[string]string{"#message": attrReadMessage, "#readAt": attrReadAt, "#readSeq": attrReadSeq})
	u.Values[":message"], u.Values[":readAt"] = str(m.Receipt.Message.String()), number(m.Receipt.At.UnixMilli())
	u.Values[":readSeq"] = number(m.Receipt.Seq)
	return u
}

// ReadMarkerMove moves a marker forward or back, or creates it. It leaves its receipt.
func ReadMarkerMove(m inbox.ReadMarker) Update {
	return Update{
		Expression: "SET #seq = :seq, #count = :count, #type = :type, #v = :v",
		Names:      map[string]string{"#seq": attrSeq, "#count": attrCount, "#type": attrType, "#v": attrVersion},
		Values:     Item{":seq": number(m.Seq), ":count": number(m.Count), ":type": str(ReadKind), ":v": number(schemaVersion)},
	}
}

// ParseReadMarker reads an item that ReadMarkerUpdate or ReadMarkerMove wrote.
func ParseReadMarker(item Item) (inbox.ReadMarker, error) {
	r := reader{item: item}
	r.expect(ReadKind)
	user, err := chat.StoredUserID(strings.TrimPrefix(r.str(PK), PersonPK("")))
	r.keep(err)
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.str(SK), readPrefix))
	r.keep(err)
	m := inbox.ReadMarker{Room: room, User: user, Seq: r.number(attrSeq), Count: r.number(attrCount)}
	if text := r.optionalStr(attrReadMessage); text != "" {
		id, err := chat.ParseMessageID(text)
		r.keep(err)
		m.Receipt = inbox.Receipt{Message: id, At: r.optionalTime(attrReadAt), Seq: r.optionalNumber(attrReadSeq)}
	}
	if r.err != nil {
		return inbox.ReadMarker{}, fmt.Errorf("read marker: %w", r.err)
	}
	return m, nil
}
