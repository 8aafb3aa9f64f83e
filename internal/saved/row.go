package saved

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// attrAt is the attribute with the time at which a message was saved.
const attrAt = "savedAt"

// indexPK returns the index partition of a person's saved messages.
func indexPK(user chat.UserID) string { return table.SavedPrefix + string(user) }

// key returns the primary key of a message that a person has saved.
func key(user chat.UserID, e Entry) table.Item {
	return table.Key(table.PersonPK(user), table.SavedPrefix+string(e.Room)+"#"+e.Message.String())
}

// Item returns the item of a message that a person has saved.
func Item(user chat.UserID, e Entry) table.Item {
	item := key(user, e)
	table.Stamp(item, table.SavedKind)
	item[attrAt] = table.Number(e.At.UnixMilli())
	item[table.IndexPK], item[table.IndexSK] = table.Text(indexPK(user)), table.Text(table.TimeText(e.At))
	return item
}

// Parse reads an item that Item wrote.
func Parse(item table.Item) (Entry, error) {
	r := table.Reader{Item: item}
	r.Expect(table.SavedKind)
	room, id, _ := strings.Cut(strings.TrimPrefix(r.Text(table.SK), table.SavedPrefix), "#")
	e := Entry{At: r.OptionalTime(attrAt)}
	var err error
	e.Room, err = chat.ParseRoomID(room)
	r.Keep(err)
	e.Message, err = chat.ParseMessageID(id)
	r.Keep(err)
	if r.Err != nil {
		return Entry{}, fmt.Errorf("saved message: %w", r.Err)
	}
	return e, nil
}

// position returns the position of an entry in the list of its person.
func (e Entry) position() chat.ListPosition {
	return chat.ListPosition{
		Sort: fmt.Sprintf("%019d", e.At.UnixMilli()), ID: string(e.Room) + "#" + e.Message.String(),
	}
}

// parsePosition returns the entry of a position. ok is false if the position is not an entry's.
func parsePosition(p chat.ListPosition) (e Entry, ok bool) {
	room, id, _ := strings.Cut(p.ID, "#")
	ms, err := strconv.ParseInt(p.Sort, 10, 64)
	if err != nil {
		return Entry{}, false
	}
	if e.Room, err = chat.ParseRoomID(room); err != nil {
		return Entry{}, false
	}
	if e.Message, err = chat.ParseMessageID(id); err != nil {
		return Entry{}, false
	}
	e.At = time.UnixMilli(ms).UTC()
	return e, e.position() == p
}
