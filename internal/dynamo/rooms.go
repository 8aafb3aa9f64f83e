package dynamo

import (
	"context"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/privateroom"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
)

// CreateRoom puts a room's three items and its first member's two in one transaction: 11 write
// units, and one more for a public room. A transaction doubles the table's units. A service's room
// has no first member.
func (s *Store) CreateRoom(ctx context.Context, room chat.Room, owner chat.Membership) (bool, error) {
	return s.table.transactIf(ctx, "create room", firstConditionFailed, s.newRoom(room, owner)...)
}

// newRoom puts the three items of a room, of which the first must be new, and two for each member.
// A zero membership stands for none.
func (s *Store) newRoom(room chat.Room, members ...chat.Membership) []Write {
	metadata, permissions, shards := table.RoomItems(room, shard.Fixed(room.Shards))
	writes := []Write{s.table.PutNew(metadata), s.table.PutAny(permissions), s.table.PutAny(shards)}
	for _, m := range members {
		if m.Room != "" {
			writes = append(writes, s.table.PutAny(table.RoleItem(m)), s.table.PutAny(table.MemberItem(m)))
		}
	}
	return writes
}

// UpdateRoom replaces metadata and permissions in one transaction: 6 write units, and 3 for each
// system message.
func (s *Store) UpdateRoom(ctx context.Context, before, after chat.Room, about ...chat.Message) (bool, error) {
	writes := []Write{
		s.table.Update(table.MetadataKey(after.ID), table.MetadataUpdate(before, after)),
		s.table.PutAny(table.PermissionsItem(after)),
	}
	said, err := s.systemWrites(ctx, about)
	if err != nil {
		return false, err
	}
	return s.table.transactIf(ctx, "update room", anyConditionFailed, append(writes, said...)...)
}

// DeleteRoom replaces the metadata by a tombstone, closes the feed and checks the owner's
// membership state, in one transaction: 7 write units.
func (s *Store) DeleteRoom(ctx context.Context, d chat.RoomDeletion) (bool, error) {
	writes := []Write{
		s.table.Put(table.RoomTombstone(d), table.RoomIs(d.Room.Revision)),
		s.table.Update(table.FeedHeadKey(d.Room.ID), table.FeedClosure(d.At)),
	}
	if !d.Service { // the room's revision changes with its service
		writes = append(writes, s.table.Check(table.RoleKey(d.Room.ID, d.By.User), table.RoleCondition(d.By)))
	}
	return s.table.transactIf(ctx, "delete room", anyConditionFailed, writes...)
}

// RoomDeletedBy is one strong read: 1 read unit.
func (s *Store) RoomDeletedBy(ctx context.Context, room chat.RoomID) (chat.UserID, bool, error) {
	item, err := s.table.GetItem(ctx, "read deletion", table.MetadataKey(room), Strong)
	if err != nil || item == nil {
		return "", false, err
	}
	d, err := table.ParseRoomTombstone(item)
	return d.By.User, err == nil, nil // otherwise the room exists
}

// RoomsAt reads the directory by the prefix of the place: half a read unit for every 4 KB.
func (s *Store) RoomsAt(
	ctx context.Context, place []string, after chat.ListPosition, limit int,
) ([]chat.Room, chat.ListPosition, error) {
	q := Query{
		Operation: "list rooms", Index: true, Partition: table.DirectoryPK, Keys: WithPrefix(table.PlacePrefix(place)),
		Consistency: Eventual, Limit: limit,
		Start: IndexStart(table.DirectoryPK, after, table.Key(table.RoomPK(chat.RoomID(after.ID)), table.MetadataSK)),
	}
	return ListPage(ctx, s.table, q, table.ParseMetadata, func(r chat.Room) chat.ListPosition {
		return chat.ListPosition{Sort: table.PlacePrefix(r.Place) + string(r.ID), ID: string(r.ID)}
	})
}

// Room reads a room's own items with one strong query: 1 read unit.
func (s *Store) Room(ctx context.Context, id chat.RoomID) (chat.Room, error) {
	const op = "read room"
	asOf, keys := s.epochs.clock(), table.RoomRange()
	items, _, err := s.table.Query(ctx, Query{
		Operation: op, Partition: table.RoomPK(id), Keys: Between(keys.Low, keys.High), Consistency: Strong,
	})
	if err != nil {
		return chat.Room{}, err
	}
	if len(items) == 0 {
		return chat.Room{}, chat.NoSuchRoom()
	}
	room, epochs, err := table.ParseRoom(id, items)
	if err != nil {
		return chat.Room{}, translate(op, err)
	}
	if room.Deleted {
		return chat.Room{}, chat.NoSuchRoom()
	}
	s.epochs.put(id, epochs, asOf)
	return room, nil
}

// epochsOf returns the epochs of a room, at most chat.EpochMaxAge old: a strong read of 1 unit if
// the cache does not have them.
func (s *Store) epochsOf(ctx context.Context, room chat.RoomID) (shard.Epochs, error) {
	return s.epochs.of(room, func() (shard.Epochs, error) {
		epochs, found, err := ReadStrong(ctx, s.table, "read shards", table.ShardsKey(room), table.ParseShards)
		if err == nil && !found {
			err = chat.NoSuchRoom()
		}
		return epochs, err
	})
}

// CreateRequestedRoom puts the request, the room's three items and its first member's two in one
// transaction: 13 write units. It also reports false if another transaction on the request
// interfered.
func (s *Store) CreateRequestedRoom(
	ctx context.Context, r privateroom.Request, room chat.Room, owner chat.Membership,
) (bool, error) {
	writes := []Write{s.table.Put(table.RoomRequestItem(r), table.RoomRequestCondition(r.At))}
	return s.table.transactIf(
		ctx, "create requested room", firstContended, append(writes, s.newRoom(room, owner)...)...,
	)
}

// RoomRequest is one strong read: 1 read unit.
func (s *Store) RoomRequest(ctx context.Context, caller chat.UserID, id uuid.UUID) (privateroom.Request, bool, error) {
	return ReadStrong(ctx, s.table, "read request", table.RoomRequestKey(caller, id), table.ParseRoomRequest)
}
