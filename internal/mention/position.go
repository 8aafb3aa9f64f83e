package mention

import (
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
)

// Place is a place in the list of a person's mentions.
type Place struct {
	Room    chat.RoomID
	Message chat.MessageID
	Seq     int64
}

// sortLayout is the time in the sort key of a mention, followed by the room and the message.
const sortLayout = "2006-01-02:15:04:05.000"

// Position returns the position of a row in the list of its person. It also names the row, because
// two rows may briefly share a sort key.
func (r Row) Position() chat.ListPosition {
	sort := r.ReceivedAt.UTC().Format(sortLayout) + "#" + string(r.Room) + "#" + r.Message.String()
	return chat.ListPosition{Sort: sort, ID: strconv.FormatInt(r.Seq, 10)}
}

// ParsePosition parses a position in the list of a person's mentions. Anyone can forge a cursor, so
// the position may be invalid; the error is then Invalid.
func ParsePosition(p chat.ListPosition) (Place, error) {
	invalid := chat.Invalidf("cursor", "must be of a list of mentions")
	at, rest, _ := strings.Cut(p.Sort, "#")
	room, message, ok := strings.Cut(rest, "#")
	if _, err := time.Parse(sortLayout, at); err != nil || !ok {
		return Place{}, invalid
	}
	var place Place
	var err error
	if place.Room, err = chat.ParseRoomID(room); err != nil {
		return Place{}, invalid
	}
	if place.Message, err = chat.ParseMessageID(message); err != nil {
		return Place{}, invalid
	}
	place.Seq, err = strconv.ParseInt(p.ID, 10, 64)
	if err != nil || place.Seq < 1 || place.Seq > chat.MaxSeq {
		return Place{}, invalid
	}
	return place, nil
}
