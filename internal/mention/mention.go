// Package mention finds the people whom messages mention. The feed function writes a row for each
// mention by a projection, and the service lists a person's rows across rooms. Only people who
// could read the room when they were mentioned have a row. Only people who can read it now see the
// message.
package mention

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
)

// Everyone as the User of a Row stands for everyone in the room.
const Everyone chat.UserID = ""

// Row is the mention of a person, or of everyone in a room, in one message.
type Row struct {
	Room       chat.RoomID
	User       chat.UserID // or Everyone
	Seq        int64       // the number of the change with the mention
	Message    chat.MessageID
	ReceivedAt time.Time // when the message was received, which orders a person's mentions; zero for Everyone
	At         time.Time // when the message mentioned them, to the millisecond
	Imported   bool      // an import wrote the mention, which is never unread and no event
}

// Unread reports whether a person who has read the room up to a number of its feed has not read the
// mention.
func (r Row) Unread(read int64) bool { return r.Seq > read && !r.Imported }

// Entry is the decision about one mention of a message.
type Entry struct {
	User chat.UserID // or Everyone
	// Seq is the number of the change that made the mention, under which its row is stored. It is 0
	// if the person has no row, because they could not read the room or had blocked the sender.
	Seq int64
}

// Ledger holds the decisions about the mentions of one message (ADR 40). Rows are written after it
// and removed before it forgets them, so every row of the message is in its ledger.
type Ledger struct {
	Room    chat.RoomID
	Message chat.MessageID
	// Revision is the message's revision whose mentions are decided; 0 if none.
	Revision int
	Current  []Entry // decisions about the people whom this revision mentions
	Removed  []Entry // rows that are still to be removed
}

// entry returns the decision about a person.
func (l Ledger) entry(user chat.UserID) (Entry, bool) {
	i := slices.IndexFunc(l.Current, func(e Entry) bool { return e.User == user })
	if i < 0 {
		return Entry{}, false
	}
	return l.Current[i], true
}

// targets returns the people whom a message mentions, including Everyone.
func targets(m chat.Mentions) []chat.UserID {
	users := slices.Clone(m.Users)
	if m.Room {
		users = append(users, Everyone)
	}
	return users
}

// Parse parses the people whom a request mentions, in any order, and returns them in order. They
// need not exist: a person may be mentioned before they first sign in. The error is Invalid and
// names the field of the invalid person.
func Parse(given []string) ([]chat.UserID, error) {
	if len(given) > chat.MaxMentions {
		return nil, chat.Invalidf("mentions", "must have at most %d people", chat.MaxMentions)
	}
	var users []chat.UserID
	for i, text := range given {
		field := fmt.Sprintf("mentions[%d]", i)
		user, err := chat.ParseUserID(text)
		if err != nil {
			return nil, chat.InField(field, err)
		}
		if slices.Contains(users, user) {
			return nil, chat.Invalidf(field, "must not repeat a person")
		}
		users = append(users, user)
	}
	slices.Sort(users)
	return users, nil
}

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
