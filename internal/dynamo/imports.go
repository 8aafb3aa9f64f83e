package dynamo

import (
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// ChannelRooms returns the public rooms that have a Channel, and the deleted rooms that had one:
// half a read unit for every 4 KB of the directory and of the tombstones of rooms that an import
// made. Changes within about the last second may be missing.
func (s *Store) ChannelRooms(ctx context.Context) ([]chat.Room, error) {
	var all []chat.Room
	for _, partition := range []string{table.DirectoryPK, table.DeletedChannelsPK} {
		q := Query{Operation: "list channels", Index: true, Partition: partition, Consistency: Eventual}
		err := s.table.EachPage(ctx, q, func(items []table.Item) error {
			rooms, err := ParseItems(q.Operation, items, table.ParseMetadata)
			all = append(all, rooms...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(all, func(r chat.Room) bool { return r.Channel == "" }), nil
}

// SetChannel sets the channel of a room that has none. Otherwise ok is false. It is one conditional
// update: 2 write units for a public room.
func (s *Store) SetChannel(ctx context.Context, room chat.RoomID, channel string) (bool, error) {
	return s.table.TryUpdate(ctx, "set channel", table.MetadataKey(room), table.ChannelUpdate(channel))
}

// RoomDeleted reports whether a room was deleted. It is one strong read: 1 read unit.
func (s *Store) RoomDeleted(ctx context.Context, room chat.RoomID) (bool, error) {
	_, deleted, err := s.RoomDeletedBy(ctx, room)
	return deleted, err
}

// ImportedMembers returns the people whom imports have made members of a room. It is one strong
// query: 1 read unit for every 4 KB.
func (s *Store) ImportedMembers(ctx context.Context, room chat.RoomID) (map[chat.UserID]bool, error) {
	partition, keys := table.ImportedMembers(room)
	all := map[chat.UserID]bool{}
	q := Query{Operation: "read imported members", Partition: partition, Keys: Between(keys.Low, keys.High), Consistency: Strong}
	err := s.table.EachPage(ctx, q, func(items []table.Item) error {
		lists, err := ParseItems(q.Operation, items, table.ParseImported)
		for _, user := range slices.Concat(lists...) {
			all[user] = true
		}
		return err
	})
	return all, err
}

// AddImportedMembers notes that an import has made people members of a room. It is one update for
// each of at most 16 lists: 1 write unit for each KB of a list.
func (s *Store) AddImportedMembers(ctx context.Context, room chat.RoomID, users []chat.UserID) error {
	lists := map[string][]chat.UserID{}
	for _, user := range users {
		sk := table.SortKeyOf(table.ImportedKey(chat.MemberOf{Room: room, User: user}))
		lists[sk] = append(lists[sk], user)
	}
	for _, list := range lists {
		key := table.ImportedKey(chat.MemberOf{Room: room, User: list[0]})
		if err := s.table.UpdateBlindly(ctx, "add imported members", key, table.ImportedUpdate(list)); err != nil {
			return err
		}
	}
	return nil
}

// ImportedReactions returns the marks of the reactions that imports have put to messages of a room
// in a month, such as 2018-08. It is one strong read: 1 read unit for every 4 KB, and a mark has
// some 10 bytes.
func (s *Store) ImportedReactions(ctx context.Context, room chat.RoomID, month string) ([][]byte, error) {
	marks, _, err := ReadStrong(ctx, s.table, "read imported reactions", table.ReactedKey(room, month), table.ParseReacted)
	return marks, err
}

// AddImportedReactions adds marks. It is one update: 1 write unit for each KB of the set.
func (s *Store) AddImportedReactions(ctx context.Context, room chat.RoomID, month string, marks [][]byte) error {
	return s.table.UpdateBlindly(ctx, "add imported reactions", table.ReactedKey(room, month), table.ReactedUpdate(marks))
}

// ImportKey returns the key from which the ids of private rooms derive, which is fresh if the table
// has none yet. It is one conditional put, and a strong read if the table has a key: 1 read and 1
// write unit.
func (s *Store) ImportKey(ctx context.Context, fresh []byte) ([]byte, error) {
	put, err := s.table.InsertItem(ctx, "put import key", table.ImportKeyItem(fresh))
	if err != nil || !put.Failed {
		return fresh, err
	}
	key, err := table.ParseImportKey(put.Existing)
	return key, translate("read import key", err)
}
