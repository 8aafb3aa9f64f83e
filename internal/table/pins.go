package table

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/pin"
)

// pinPrefix is the prefix of the attributes of pins. Each pin is an attribute of its own, so that
// an update names it in its condition.
const pinPrefix = "pin#"

// PinsKey returns the primary key of the pinned messages of a room.
func PinsKey(room chat.RoomID) Item { return Key(RoomItemsPK(room), skPins) }

// PinUpdate pins a message that is not pinned, where fewer than limit messages are.
func PinUpdate(room chat.RoomID, p pin.Pin, limit int) Update {
	u := pinsUpdate(room, p.Message, true)
	u.Expression += ", #pin = :pin ADD #rev :one, #n :one"
	u.Condition = "attribute_not_exists(#pin) AND (attribute_not_exists(#n) OR #n < :limit)"
	u.Values[":pin"], u.Values[":limit"] = Text(pinText(p)), Number(int64(limit))
	return u
}

// UnpinUpdate unpins a message that is pinned.
func UnpinUpdate(room chat.RoomID, id chat.MessageID) Update {
	u := pinsUpdate(room, id, false)
	u.Expression += " REMOVE #pin ADD #rev :one, #n :less"
	u.Condition = "attribute_exists(#pin)"
	u.Values[":less"] = Number(-1)
	return u
}

// pinsUpdate returns the part of an update that names its change, which enters the room's feed.
func pinsUpdate(room chat.RoomID, id chat.MessageID, pinned bool) Update {
	did := "no"
	if pinned {
		did = "yes"
	}
	return Update{
		Expression: "SET #type = :type, #v = :v, #feed = :room, #changed = :id, #pinned = :pinned",
		Names: map[string]string{
			"#type": attrType, "#v": attrVersion, "#feed": AttrFeed, "#changed": attrChanged, "#pinned": attrPinned,
			"#rev": attrRevision, "#n": attrPins, "#pin": pinPrefix + id.String(),
		},
		Values: Item{
			":type": Text(PinsKind), ":v": Number(schemaVersion), ":room": Text(string(room)), ":id": Text(id.String()),
			":pinned": Text(did), ":one": Number(1),
		},
	}
}

// pinText returns the value of a pin: its time in milliseconds, and who pinned.
func pinText(p pin.Pin) string {
	return strconv.FormatInt(p.At.UnixMilli(), 10) + "#" + string(p.By)
}

// ParsePins reads the pins of a room, the newest first.
func ParsePins(item Item) ([]pin.Pin, error) {
	r := Reader{Item: item}
	r.Expect(PinsKind)
	var pins []pin.Pin
	for name := range item {
		id, isPin := strings.CutPrefix(name, pinPrefix)
		if !isPin {
			continue
		}
		at, by, _ := strings.Cut(r.Text(name), "#")
		ms, err := strconv.ParseInt(at, 10, 64)
		r.Keep(err)
		p := pin.Pin{At: time.UnixMilli(ms).UTC()}
		p.Message, err = chat.ParseMessageID(id)
		r.Keep(err)
		p.By, err = chat.StoredUserID(by)
		r.Keep(err)
		pins = append(pins, p)
	}
	if r.Err != nil {
		return nil, fmt.Errorf("pins: %w", r.Err)
	}
	slices.SortFunc(pins, func(a, b pin.Pin) int {
		return cmp.Or(b.At.Compare(a.At), strings.Compare(a.Message.String(), b.Message.String()))
	})
	return pins, nil
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
