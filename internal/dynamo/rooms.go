package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/shard"
	"parley/internal/table"
)

// CreateRoom writes a room's three items and its first member's two in one
// transaction: 14 write units, since a transaction doubles them.
func (s *Store) CreateRoom(ctx context.Context, room chat.Room, owner chat.Membership) (bool, error) {
	metadata, permissions, shards := table.RoomItems(room, shard.Fixed(room.Shards))
	err := s.transact(ctx, "create room", []types.TransactWriteItem{
		{Put: &types.Put{
			TableName: &s.table, Item: metadata,
			ConditionExpression: aws.String("attribute_not_exists(PK)"),
		}},
		{Put: &types.Put{TableName: &s.table, Item: permissions}},
		{Put: &types.Put{TableName: &s.table, Item: shards}},
		{Put: &types.Put{TableName: &s.table, Item: table.StandingItem(owner)}},
		{Put: &types.Put{TableName: &s.table, Item: table.MemberItem(owner)}},
	})
	if firstRefused(err) {
		return false, nil
	}
	return err == nil, translate("create room", err)
}

// UpdateRoom replaces metadata and permissions in one transaction: 6 write units.
func (s *Store) UpdateRoom(ctx context.Context, before, after chat.Room) (bool, error) {
	err := s.transact(ctx, "update room", []types.TransactWriteItem{
		{Update: s.update(table.MetadataKey(after.ID), table.MetadataUpdate(before, after))},
		{Put: &types.Put{TableName: &s.table, Item: table.PermissionsItem(after)}},
	})
	if firstRefused(err) {
		return false, nil
	}
	return err == nil, translate("update room", err)
}

// RoomsAt reads the directory by the prefix of the place: half a read unit for every 4 KB.
func (s *Store) RoomsAt(ctx context.Context, place []string, after chat.Mark, limit int) ([]chat.Room, chat.Mark, error) {
	items, more, err := s.listItems(ctx, list{
		operation: "list rooms", index: true, pk: table.DirectoryPK, prefix: table.PlacePrefix(place), limit: limit,
		start: indexStart(table.DirectoryPK, after, table.RoomPK(chat.RoomID(after.ID)), table.MetadataSK),
	})
	if err != nil {
		return nil, chat.Mark{}, err
	}
	return marked(items, more, table.ParseMetadata, func(r chat.Room) chat.Mark {
		return chat.Mark{Sort: table.PlacePrefix(r.Place) + string(r.ID), ID: string(r.ID)}
	})
}

// Room reads a room's items with one consistent query: 1 read unit, whatever else there is of the
// room.
func (s *Store) Room(ctx context.Context, id chat.RoomID) (chat.Room, error) {
	asOf, keys := s.epochs.clock(), table.RoomRange()
	out, err := s.db.Query(ctx, &dynamodb.QueryInput{
		TableName:              &s.table,
		KeyConditionExpression: aws.String("PK = :pk AND SK BETWEEN :low AND :high"),
		ExpressionAttributeValues: table.Item{
			":pk":   &types.AttributeValueMemberS{Value: table.RoomPK(id)},
			":low":  &types.AttributeValueMemberS{Value: keys.Low},
			":high": &types.AttributeValueMemberS{Value: keys.High},
		},
		ConsistentRead:         aws.Bool(true),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return chat.Room{}, translate("read room", err)
	}
	s.used(ctx, Usage{Operation: "read room", Items: len(out.Items)}, out.ConsumedCapacity)
	if len(out.Items) == 0 {
		return chat.Room{}, chat.NoSuchRoom()
	}
	room, epochs, err := table.ParseRoom(id, out.Items)
	if err != nil {
		return chat.Room{}, translate("read room", err)
	}
	s.epochs.put(id, epochs, asOf)
	return room, nil
}

// epochsOf returns the epochs of a room, at most epochMaxAge old: a
// consistent read of 1 unit when the cache has none.
func (s *Store) epochsOf(ctx context.Context, room chat.RoomID) (shard.Epochs, error) {
	if epochs, ok := s.epochs.get(room); ok {
		return epochs, nil
	}
	asOf := s.epochs.clock()
	item, err := s.getItem(ctx, "read shards", table.ShardsKey(room))
	if err != nil {
		return nil, err
	}
	if item == nil {
		return nil, chat.NoSuchRoom()
	}
	epochs, err := table.ParseShards(item)
	if err != nil {
		return nil, translate("read shards", err)
	}
	s.epochs.put(room, epochs, asOf)
	return epochs, nil
}
