package table

import (
	"strings"

	"parley/internal/chat"
)

// PersonalKeys returns the keys of all rows of a person in a room, in the order in which they may
// be deleted: lists find the last two.
func PersonalKeys(room chat.RoomID, user chat.UserID) []Item {
	return []Item{ReadMarkerKey(room, user), SlotKey(room, user), RoleKey(room, user), MemberKey(room, user)}
}

// PersonalRows returns the filter of a scan for the keys of all rows of people in a room.
func PersonalRows(room chat.RoomID) Filter {
	f := Filter{Projection: "#pk, #sk", Names: map[string]string{"#pk": PK, "#sk": SK}, Values: Item{}}
	var names []string
	for _, key := range PersonalKeys(room, "") {
		sk := keyPart(key, SK)
		name := ":" + sk[:strings.Index(sk, "#")]
		names, f.Values[name] = append(names, name), str(sk)
	}
	f.Expression = "#sk IN (" + strings.Join(names, ", ") + ") OR begins_with(#sk, :follow) OR begins_with(#sk, :saved) OR begins_with(#sk, :mention)"
	f.Values[":saved"] = str(SavedPrefix(room))
	f.Values[":follow"] = str(FollowPrefix(room))
	f.Values[":mention"] = str(mentionPrefix + string(room) + "#")
	return f
}

// PersonOf returns the person whose row in a room an item is. It reports false for other items.
func PersonOf(key Item, room chat.RoomID) (chat.UserID, bool) {
	user, err := chat.StoredUserID(strings.TrimPrefix(keyPart(key, PK), PersonPK("")))
	if err != nil {
		return "", false
	}
	if sk := keyPart(key, SK); strings.HasPrefix(sk, FollowPrefix(room)) || strings.HasPrefix(sk, SavedPrefix(room)) {
		return user, true
	}
	for _, own := range PersonalKeys(room, user) {
		if KeyText(own) == KeyText(key) {
			return user, true
		}
	}
	return "", false
}

// ItemKey returns the primary key of an item.
func ItemKey(item Item) Item { return Item{PK: item[PK], SK: item[SK]} }

// PersonalKind returns the kind of a row of a person in a room, by its key.
func PersonalKind(key Item) Kind {
	switch prefix, _, _ := strings.Cut(keyPart(key, SK), "#"); prefix + "#" {
	case readPrefix:
		return ReadKind
	case rolePrefix:
		return RoleKind
	case memberPrefix:
		return MemberKind
	case mentionPrefix:
		return MentionKind
	}
	return SlowKind
}

// PartitionOf returns the partition key of an item.
func PartitionOf(item Item) string { return keyPart(item, PK) }

// ParseMessageKey reads the id of a message from its key alone.
func ParseMessageKey(item Item) (chat.MessageID, error) { return ParseMessageSK(keyPart(item, SK)) }
