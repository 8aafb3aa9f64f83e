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
