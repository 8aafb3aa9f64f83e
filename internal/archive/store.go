package archive

import (
	"context"
	"slices"
	"strings"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// ChannelRooms returns the public rooms that have a Channel, and the deleted rooms that had one:
// half a read unit for every 4 KB of the directory and of the tombstones of rooms that an import
// made. Changes within about the last second may be missing.
func ChannelRooms(ctx context.Context, t *dynamo.Table) ([]chat.Room, error) {
	var all []chat.Room
	for _, partition := range []string{table.DirectoryPK, table.DeletedChannelsPK} {
		q := dynamo.Query{Operation: "list channels", Index: true, Partition: partition, Consistency: dynamo.Eventual}
		err := t.EachPage(ctx, q, func(items []table.Item) error {
			rooms, err := dynamo.ParseItems(q.Operation, items, table.ParseMetadata)
			all = append(all, rooms...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(all, func(r chat.Room) bool { return r.Channel == "" }), nil
}

// setChannel sets the channel of a room that has none. Otherwise ok is false. It is one conditional
// update: 2 write units for a public room.
func setChannel(ctx context.Context, t *dynamo.Table, room chat.RoomID, channel string) (bool, error) {
	return t.TryUpdate(ctx, "set channel", table.MetadataKey(room), table.ChannelUpdate(channel))
}

// importedMembers returns the people whom imports have made members of a room. It is one strong
// query: 1 read unit for every 4 KB.
func importedMembers(ctx context.Context, t *dynamo.Table, room chat.RoomID) (map[chat.UserID]bool, error) {
	partition, keys := table.ImportedMembers(room)
	all := map[chat.UserID]bool{}
	q := dynamo.Query{
		Operation: "read imported members", Partition: partition, Keys: dynamo.Between(keys.Low, keys.High),
		Consistency: dynamo.Strong,
	}
	err := t.EachPage(ctx, q, func(items []table.Item) error {
		lists, err := dynamo.ParseItems(q.Operation, items, ParseImported)
		for _, user := range slices.Concat(lists...) {
			all[user] = true
		}
		return err
	})
	return all, err
}

// addImportedMembers notes that an import has made people members of a room. It is one update for
// each of at most 16 lists: 1 write unit for each KB of a list.
func addImportedMembers(ctx context.Context, t *dynamo.Table, room chat.RoomID, users []chat.UserID) error {
	lists := map[string][]chat.UserID{}
	for _, user := range users {
		sk := table.SortKeyOf(table.ImportedKey(chat.MemberOf{Room: room, User: user}))
		lists[sk] = append(lists[sk], user)
	}
	for _, list := range lists {
		key := table.ImportedKey(chat.MemberOf{Room: room, User: list[0]})
		if err := t.UpdateBlindly(ctx, "add imported members", key, importedUpdate(list)); err != nil {
			return err
		}
	}
	return nil
}

// importedReactions returns the marks of the reactions that imports have put to messages of a room
// in a month, such as 2018-08. It is one strong read: 1 read unit for every 4 KB, and a mark has
// some 10 bytes.
func importedReactions(ctx context.Context, t *dynamo.Table, room chat.RoomID, month string) ([][]byte, error) {
	marks, _, err := dynamo.ReadStrong(ctx, t, "read imported reactions", table.ReactedKey(room, month), ParseReacted)
	return marks, err
}

// addImportedReactions adds marks. It is one update: 1 write unit for each KB of the set.
func addImportedReactions(ctx context.Context, t *dynamo.Table, room chat.RoomID, month string, marks [][]byte) error {
	return t.UpdateBlindly(ctx, "add imported reactions", table.ReactedKey(room, month), reactedUpdate(marks))
}

// importKey returns the key from which the ids of private rooms derive, which is fresh if the table
// has none yet. It is one conditional put, and a strong read if the table has a key: 1 read and 1
// write unit.
func importKey(ctx context.Context, t *dynamo.Table, fresh []byte) ([]byte, error) {
	put, err := t.InsertItem(ctx, "put import key", importKeyItem(fresh))
	if err != nil || !put.Failed {
		return fresh, err
	}
	key, _, err := dynamo.ParseItem("read import key", put.Existing, nil, parseImportKey)
	return key, err
}

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
