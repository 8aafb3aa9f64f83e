package table

import (
	"strings"

	"example.com/parley/internal/chat"
)

// PersonalRows returns the filter of a scan for the keys of all rows of people in a room.
func PersonalRows(room chat.RoomID) Filter {
	f := Filter{Projection: "#pk, #sk", Names: map[string]string{"#pk": PK, "#sk": SK}, Values: Item{}}
	var names []string
	begins := "begins_with(#sk, :mention)"
	f.Values[":mention"] = Text(mentionPrefix + string(room) + "#")
	for _, k := range PersonalKinds() {
		name := ":" + strings.TrimSuffix(k.Prefix, "#")
		f.Values[name] = Text(k.SortKey(room))
		if k.Many {
			begins += " OR begins_with(#sk, " + name + ")"
		} else {
			names = append(names, name)
		}
	}
	f.Expression = "#sk IN (" + strings.Join(names, ", ") + ") OR " + begins
	return f
}

// PersonOf returns the person to whose rows in a room an item belongs. It reports false for other
// items.
func PersonOf(key Item, room chat.RoomID) (chat.UserID, bool) {
	user, err := chat.StoredUserID(strings.TrimPrefix(KeyPart(key, PK), PersonPK("")))
	if err != nil {
		return "", false
	}
	sk := KeyPart(key, SK)
	for _, k := range PersonalKinds() {
		if own := k.SortKey(room); sk == own || k.Many && strings.HasPrefix(sk, own) {
			return user, true
		}
	}
	return "", false
}

// ItemKey returns the primary key of an item.
func ItemKey(item Item) Item { return Item{PK: item[PK], SK: item[SK]} }

// PartitionOf returns the partition key of an item.
func PartitionOf(item Item) string { return KeyPart(item, PK) }

// ParseMessageKey reads the id of a message from only its key.
func ParseMessageKey(item Item) (chat.MessageID, error) { return ParseMessageSK(KeyPart(item, SK)) }
