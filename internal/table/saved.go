package table

import (
	"fmt"
	"strings"

	"parley/internal/chat"
	"parley/internal/saved"
)

// savedPrefix is the prefix of the sort keys of saved messages.
const savedPrefix = "saved#"

// SavedPrefix returns the prefix of the sort keys of a person's saved messages of a room.
func SavedPrefix(room chat.RoomID) string { return savedPrefix + string(room) + "#" }

// SavedIndex returns the index partition of a person's saved messages.
func SavedIndex(user chat.UserID) string { return savedPrefix + string(user) }

// SavedKey returns the primary key of a message that a person has saved.
func SavedKey(user chat.UserID, e saved.Entry) Item {
	return Key(PersonPK(user), SavedPrefix(e.Room)+e.Message.String())
}

// SavedItem returns the item of a saved message.
func SavedItem(user chat.UserID, e saved.Entry) Item {
	item := SavedKey(user, e)
	Stamp(item, SavedKind)
	item[attrSavedAt] = Number(e.At.UnixMilli())
	item[IndexPK], item[IndexSK] = Text(SavedIndex(user)), Text(TimeText(e.At))
	return item
}

// SavedIndexSK returns the index key of a saved message.
func SavedIndexSK(e saved.Entry) string { return TimeText(e.At) }

// ParseSaved reads an item that SavedItem wrote.
func ParseSaved(item Item) (saved.Entry, error) {
	r := Reader{Item: item}
	r.Expect(SavedKind)
	room, id, _ := strings.Cut(strings.TrimPrefix(r.Text(SK), savedPrefix), "#")
	e := saved.Entry{At: r.OptionalTime(attrSavedAt)}
	var err error
	e.Room, err = chat.ParseRoomID(room)
	r.Keep(err)
	e.Message, err = chat.ParseMessageID(id)
	r.Keep(err)
	if r.Err != nil {
		return saved.Entry{}, fmt.Errorf("saved message: %w", r.Err)
	}
	return e, nil
}
