package table

import (
	"fmt"
	"maps"
	"strings"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/notify"
)

// ReadSK returns the sort key of a person's marker in a room.
func ReadSK(room chat.RoomID) string { return readPrefix + string(room) }

// ReadMarkerKey returns the primary key of a person's marker in a room.
func ReadMarkerKey(room chat.RoomID, user chat.UserID) Item { return Key(PersonPK(user), ReadSK(room)) }

// The attributes of a marker's receipt, which may belong to an earlier mark.
const (
	attrReadMessage = "message"
	attrReadAt      = "readAt"
	attrReadSeq     = "readSeq"
)

// ReadMarkerUpdate moves a marker forward, or creates it. With a receipt, it moves only a marker
// whose receipt is not further ahead.
func ReadMarkerUpdate(m inbox.ReadMarker) Update {
	u := ReadMarkerMove(m)
	u.Condition = "attribute_not_exists(PK) OR #seq < :seq"
	if m.Receipt == (inbox.Receipt{}) {
		return u
	}
	u.Condition += " AND (attribute_not_exists(#readSeq) OR #readSeq <= :readSeq)"
	u.Expression += ", #message = :message, #readAt = :readAt, #readSeq = :readSeq"
	maps.Copy(u.Names, map[string]string{"#message": attrReadMessage, "#readAt": attrReadAt, "#readSeq": attrReadSeq})
	u.Values[":message"], u.Values[":readAt"] = Text(m.Receipt.Message.String()), Number(m.Receipt.At.UnixMilli())
	u.Values[":readSeq"] = Number(m.Receipt.Seq)
	return u
}

// ReadMarkerMove moves a marker forward or back, or creates it. It changes neither the receipt nor
// the preferences.
func ReadMarkerMove(m inbox.ReadMarker) Update {
	return Update{
		Expression: "SET #seq = :seq, #count = :count",
		Names:      map[string]string{"#seq": AttrSeq, "#count": attrCount},
		Values:     Item{":seq": Number(m.Seq), ":count": Number(m.Count)},
	}.Stamped(ReadKind)
}

// The attributes of a person's preferences about a room, which are in its marker.
const (
	attrFavorite = "favorite"
	attrLevelEnd = "levelUntil"
)

// PreferencesUpdate replaces a person's preferences about a room. It does not move the marker, or
// creates one at the beginning of the feed.
func PreferencesUpdate(p inbox.Preferences) Update {
	u := Update{
		Expression: "SET #seq = if_not_exists(#seq, :none), #count = if_not_exists(#count, :none)",
		Names:      map[string]string{"#seq": AttrSeq, "#count": attrCount},
		Values:     Item{":none": Number(0)},
	}.Stamped(ReadKind)
	u.prefer(p)
	return u
}

// NewMarkerUpdate is ReadMarkerUpdate, and also sets the marker's preferences.
func NewMarkerUpdate(m inbox.ReadMarker) Update {
	u := ReadMarkerUpdate(m)
	u.prefer(m.Preferences)
	return u
}

// prefer adds preferences, whatever they were, to an update that so far only sets.
func (u *Update) prefer(p inbox.Preferences) {
	was := Number(0)
	u.setOrRemove([]optional{
		{attrFavorite, attrFavorite, was, optionalTrue(p.Favorite)},
		{attrLevel, attrLevel, was, optionalText(p.Level.Level.String())},
		{attrLevelEnd, attrLevelEnd, was, optionalTime(p.Level.Until)},
	})
}

// choice reads the level that a person has chosen for a room.
func (r *Reader) choice() notify.Choice {
	level, _ := notify.ParseLevel(r.OptionalText(attrLevel))
	return notify.Choice{Level: level, Until: r.OptionalTime(attrLevelEnd)}
}

// ParseReadMarker reads an item that ReadMarkerUpdate, ReadMarkerMove or PreferencesUpdate wrote.
func ParseReadMarker(item Item) (inbox.ReadMarker, error) {
	r := Reader{Item: item}
	r.Expect(ReadKind)
	user, err := chat.StoredUserID(strings.TrimPrefix(r.Text(PK), PersonPK("")))
	r.Keep(err)
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(SK), readPrefix))
	r.Keep(err)
	m := inbox.ReadMarker{
		Room: room, User: user, Seq: r.Number(AttrSeq), Count: r.Number(attrCount),
		Preferences: inbox.Preferences{Favorite: item[attrFavorite] != nil, Level: r.choice()},
	}
	if text := r.OptionalText(attrReadMessage); text != "" {
		id, err := chat.ParseMessageID(text)
		r.Keep(err)
		m.Receipt = inbox.Receipt{Message: id, At: r.OptionalTime(attrReadAt), Seq: r.OptionalNumber(attrReadSeq)}
	}
	if r.Err != nil {
		return inbox.ReadMarker{}, fmt.Errorf("read marker: %w", r.Err)
	}
	return m, nil
}
