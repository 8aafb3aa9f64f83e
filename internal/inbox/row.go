package inbox

import (
	"fmt"
	"maps"
	"strings"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/table"
)

// The attributes of a marker's receipt, which may belong to an earlier mark.
const (
	attrMessage = "message"
	attrAt      = "readAt"
	attrSeq     = "readSeq"
)

// MarkerUpdate moves a marker forward, or creates it. With a receipt, it moves only a marker whose
// receipt is not further ahead.
func MarkerUpdate(m ReadMarker) table.Update {
	u := markerMove(m)
	u.Condition = "attribute_not_exists(PK) OR #seq < :seq"
	if m.Receipt == (Receipt{}) {
		return u
	}
	u.Condition += " AND (attribute_not_exists(#readSeq) OR #readSeq <= :readSeq)"
	u.Expression += ", #message = :message, #readAt = :readAt, #readSeq = :readSeq"
	maps.Copy(u.Names, map[string]string{"#message": attrMessage, "#readAt": attrAt, "#readSeq": attrSeq})
	u.Values[":message"] = table.Text(m.Receipt.Message.String())
	u.Values[":readAt"], u.Values[":readSeq"] = table.Number(m.Receipt.At.UnixMilli()), table.Number(m.Receipt.Seq)
	return u
}

// markerMove moves a marker forward or back, or creates it. It changes neither the receipt nor the
// preferences.
func markerMove(m ReadMarker) table.Update {
	return table.Update{
		Expression: "SET #seq = :seq, #count = :count",
		Names:      map[string]string{"#seq": table.AttrSeq, "#count": table.AttrCount},
		Values:     table.Item{":seq": table.Number(m.Seq), ":count": table.Number(m.Count)},
	}.Stamped(table.ReadKind)
}

// The attributes of a person's preferences about a room, which are in its marker.
const (
	attrFavorite = "favorite"
	attrLevel    = "level"
	attrLevelEnd = "levelUntil"
)

// preferencesUpdate replaces a person's preferences about a room. It does not move the marker, or
// creates one at the beginning of the feed.
func preferencesUpdate(p Preferences) table.Update {
	u := table.Update{
		Expression: "SET #seq = if_not_exists(#seq, :none), #count = if_not_exists(#count, :none)",
		Names:      map[string]string{"#seq": table.AttrSeq, "#count": table.AttrCount},
		Values:     table.Item{":none": table.Number(0)},
	}.Stamped(table.ReadKind)
	u.SetOrRemove(p.attributes())
	return u
}

// NewMarkerUpdate is MarkerUpdate, and also sets the marker's preferences.
func NewMarkerUpdate(m ReadMarker) table.Update {
	u := MarkerUpdate(m)
	u.SetOrRemove(m.Preferences.attributes())
	return u
}

// attributes returns the attributes that a marker has for the preferences, nil for the absent ones.
func (p Preferences) attributes() table.Item {
	return table.Item{
		attrFavorite: table.OptionalTrue(p.Favorite), attrLevel: table.OptionalText(p.Level.Level.String()),
		attrLevelEnd: table.OptionalTime(p.Level.Until),
	}
}

// ParseMarker reads an item that MarkerUpdate, markerMove or preferencesUpdate wrote.
func ParseMarker(item table.Item) (ReadMarker, error) {
	r := table.Reader{Item: item}
	r.Expect(table.ReadKind)
	user, err := chat.StoredUserID(strings.TrimPrefix(r.Text(table.PK), table.PersonPK("")))
	r.Keep(err)
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(table.SK), table.ReadSK("")))
	r.Keep(err)
	level, _ := notify.ParseLevel(r.OptionalText(attrLevel))
	m := ReadMarker{
		Room: room, User: user, Seq: r.Number(table.AttrSeq), Count: r.Number(table.AttrCount),
		Preferences: Preferences{
			Favorite: item[attrFavorite] != nil,
			Level:    notify.Choice{Level: level, Until: r.OptionalTime(attrLevelEnd)},
		},
	}
	if text := r.OptionalText(attrMessage); text != "" {
		id, err := chat.ParseMessageID(text)
		r.Keep(err)
		m.Receipt = Receipt{Message: id, At: r.OptionalTime(attrAt), Seq: r.OptionalNumber(attrSeq)}
	}
	if r.Err != nil {
		return ReadMarker{}, fmt.Errorf("read marker: %w", r.Err)
	}
	return m, nil
}
