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
		Names:      map[string]string{"#type": attrType, "#received": IndexSK, "#edited": attrEdited, "#deleted": attrDeleted},
		Values:     Item{":message": Text(MessageKind), ":time": Text(TimeText(since)), ":at": Number(since.UnixMilli())},
	}
}

// MessageRoom returns the room of a message from its partition key.
func MessageRoom(item Item) (chat.RoomID, error) {
	room, _, err := ParseShardPK(keyPart(item, PK))
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
