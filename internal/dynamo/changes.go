package dynamo

import (
	"context"

	"parley/internal/chat"
	"parley/internal/table"
)

// MessagesByID is one strong batch read: 1 read unit for every 4 KB of each.
func (s *Store) MessagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	return s.messagesByID(ctx, room, ids, Strong)
}

// MessagesSoon is one batch read for every 100 messages: half a read unit for every 4 KB of each.
func (s *Store) MessagesSoon(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	return s.messagesByID(ctx, room, ids, Eventual)
}

func (s *Store) messagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID, consistency Consistency) (map[chat.MessageID]chat.Message, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	epochs, err := s.epochsOf(ctx, room)
	if err != nil {
		return nil, err
	}
	keys := make([]table.Item, len(ids))
	for i, id := range ids {
		keys[i] = table.MessageKey(room, shardOf(epochs, id), id)
	}
	items, err := s.table.batchGet(ctx, "read messages by id", keys, consistency)
	if err != nil {
		return nil, err
	}
	found := make(map[chat.MessageID]chat.Message, len(ids))
	for i, item := range items {
		if item == nil {
			continue
		}
		if found[ids[i]], err = table.ParseMessage(item); err != nil {
			return nil, translate("read messages by id", err)
		}
	}
	return found, nil
}

// MembersByUser is one strong batch read for every 100 people: 1 read unit each, also for those
// who are not in the room.
func (s *Store) MembersByUser(ctx context.Context, room chat.RoomID, users []chat.UserID) (map[chat.UserID]chat.Membership, error) {
	keys := make([]table.Item, len(users))
	for i, user := range users {
		keys[i] = table.MemberKey(room, user)
	}
	items, err := s.table.batchGet(ctx, "read members by user", keys, Strong)
	if err != nil {
		return nil, err
	}
	found := make(map[chat.UserID]chat.Membership, len(users))
	for i, item := range items {
		if item == nil {
			continue
		}
		if found[users[i]], err = table.ParseMember(item); err != nil {
			return nil, translate("read members by user", err)
		}
	}
	return found, nil
}
