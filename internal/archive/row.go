package archive

import (
	"slices"
	"strings"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// The attributes of what imports note.
const (
	attrMarks = "marks"     // hashes of reactions
	attrKey   = "digestKey" // from which the ids of private rooms derive
)

// importedUpdate adds users to a list.
func importedUpdate(users []chat.UserID) table.Update {
	return table.Update{
		Expression: "ADD #users :users",
		Names:      map[string]string{"#users": table.AttrUsers},
		Values:     table.Item{":users": table.Set(users)},
	}.Stamped(table.ImportedKind)
}

// ParseImported reads the users of a list.
func ParseImported(item table.Item) ([]chat.UserID, error) {
	r := table.Reader{Item: item}
	r.Expect(table.ImportedKind)
	_, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(table.PK), table.RoomItemsPK("")))
	r.Keep(err)
	users := r.OptionalUsers(table.AttrUsers)
	return users, r.Err
}

// reactedUpdate adds marks to a set.
func reactedUpdate(marks [][]byte) table.Update {
	return table.Update{
		Expression: "ADD #marks :marks",
		Names:      map[string]string{"#marks": attrMarks},
		Values:     table.Item{":marks": table.BinarySet(marks)},
	}.Stamped(table.ReactedKind)
}

// ParseReacted reads the marks of a set.
func ParseReacted(item table.Item) ([][]byte, error) {
	r := table.Reader{Item: item}
	r.Expect(table.ReactedKind)
	_, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(table.PK), table.RoomItemsPK("")))
	r.Keep(err)
	marks := r.BinarySet(attrMarks)
	return marks, r.Err
}

// importKeyItem returns the item with the key from which imports derive the ids of private rooms.
func importKeyItem(key []byte) table.Item {
	item := table.ImportKeyKey()
	table.Stamp(item, table.ImportKeyKind)
	item[attrKey] = table.Binary(slices.Clone(key))
	return item
}

// parseImportKey reads an item that importKeyItem wrote.
func parseImportKey(item table.Item) ([]byte, error) {
	r := table.Reader{Item: item}
	r.Expect(table.ImportKeyKind)
	key := r.Bytes(attrKey)
	return key, r.Err
}
