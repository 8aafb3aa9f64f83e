package table

import (
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
)

// Filter selects the items of a scan, and their attributes.
type Filter struct {
	Expression string
	Projection string
	Names      map[string]string
	Values     Item
}

// WrittenSince returns a filter for the messages received, edited or deleted since a time. It
// selects their partition keys, which name the rooms.
func WrittenSince(since time.Time) Filter {
	return Filter{
		Expression: "#type = :message AND (#received >= :time OR #edited >= :at OR #deleted >= :at)",
		Projection: PK,
		Names: map[string]string{
			"#type": attrType, "#received": IndexSK, "#edited": attrEdited, "#deleted": attrDeleted,
		},
		Values: Item{
			":message": Text(MessageKind), ":time": Text(TimeText(since)), ":at": Number(since.UnixMilli()),
		},
	}
}

// MessageRoom returns the room of a message from its partition key.
func MessageRoom(item Item) (chat.RoomID, error) {
	room, _, err := ParseShardPK(KeyPart(item, PK))
	return room, err
}

// Projection returns the expression that selects some attributes, and the names that it uses.
func Projection(attributes []string) (expression string, names map[string]string) {
	names = map[string]string{}
	var shorts []string
	for i, name := range attributes {
		short := "#a" + strconv.Itoa(i)
		names[short] = name
		shorts = append(shorts, short)
	}
	return strings.Join(shorts, ", "), names
}

// Filed returns a filter for uploads, and for messages with files that are not deleted.
func Filed() Filter {
	return Filter{
		Expression: "#type = :upload OR #type = :message AND attribute_exists(#files) AND " +
			"attribute_not_exists(#deleted)",
		Names:  map[string]string{"#type": attrType, "#files": attrAttachments, "#deleted": attrDeleted},
		Values: Item{":upload": Text(UploadKind), ":message": Text(MessageKind)},
	}
}

// ExpiredUploads returns a filter for uploads that expired before a time, and selects their keys.
func ExpiredUploads(now time.Time) Filter {
	return Filter{
		Expression: "#type = :upload AND " + expired,
		Projection: PK + ", " + SK,
		Names:      map[string]string{"#type": attrType, "#ttl": TTL},
		Values:     Item{":upload": Text(UploadKind), ":now": Number(now.Unix())},
	}
}

const expired = "#ttl < :now"

// Expired returns the condition that an item expired before a time.
func Expired(now time.Time) Update {
	return Update{Condition: expired, Names: map[string]string{"#ttl": TTL}, Values: Item{":now": Number(now.Unix())}}
}

// Absent returns the condition that no item with item's key exists, in either table.
func Absent(item Item) Update {
	if item[PK] != nil {
		return Update{Condition: "attribute_not_exists(PK)"}
	}
	return Update{Condition: "attribute_not_exists(#device)", Names: map[string]string{"#device": LogPK}}
}

// The attributes of people's items that the connection function reads: which rooms they may read,
// whom they have blocked, and whether they are suspended. Its role allows no others, so it reads
// neither profiles nor moderators' reasons. Parsers treat the rest as missing.

// MembershipAttributes returns the attributes of a membership and of its state.
func MembershipAttributes() []string {
	return []string{
		PK, SK, attrType, attrVersion, attrRole, attrLeft, attrName, attrSince, attrUntil, attrFormer, attrBy,
		attrLeftCount,
	}
}

// MarkerAttributes returns the attributes of a read marker.
func MarkerAttributes() []string { return []string{PK, SK, attrType, attrVersion, AttrSeq, AttrCount} }

// SuspensionAttributes returns the attributes of an account that show whether it is suspended.
func SuspensionAttributes() []string { return []string{PK, SK, attrType, attrVersion, AttrSuspendedAt} }

// BlockAttributes returns the attributes of a list of blocked people.
func BlockAttributes() []string { return []string{PK, SK, attrType, attrVersion, AttrUsers} }

// ConfinedAttributes returns the attributes of a person's item that the connection function reads,
// given the item's key or the lowest key of a query. It returns nil for all other items.
func ConfinedAttributes(pk, sk string) []string {
	switch {
	case !strings.HasPrefix(pk, PersonPK("")):
		return nil
	case strings.HasPrefix(sk, rolePrefix), strings.HasPrefix(sk, memberPrefix):
		return MembershipAttributes()
	case strings.HasPrefix(sk, readPrefix):
		return MarkerAttributes()
	case sk == skAccount:
		return SuspensionAttributes()
	case sk == skBlocks:
		return BlockAttributes()
	}
	return nil
}
