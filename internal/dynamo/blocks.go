package dynamo

import (
	"context"
	"slices"

	"parley/internal/chat"
	"parley/internal/table"
)

// Blocks is one eventual read: half a read unit for every 4 KB.
func (s *Store) Blocks(ctx context.Context, user chat.UserID) ([]chat.UserID, error) {
	users, _, err := ReadEventual(ctx, s.table, "read blocks", table.BlocksKey(user), table.ParseBlocks)
	return users, err
}

// Blockers is one eventual batch read for every 100 people: half a read unit for every 4 KB of each
// list, and for each person without one.
func (s *Store) Blockers(ctx context.Context, user chat.UserID, among []chat.UserID) ([]chat.UserID, error) {
	const op = "read blockers"
	keys := make([]table.Item, len(among))
	for i, other := range among {
		keys[i] = table.BlocksKey(other)
	}
	items, err := s.table.BatchGet(ctx, op, keys, Eventual)
	if err != nil {
		return nil, err
	}
	var blockers []chat.UserID
	for i, item := range items {
		users, _, err := parseItem(op, item, nil, table.ParseBlocks)
		if err != nil {
			return nil, err
		}
		if slices.Contains(users, user) {
			blockers = append(blockers, among[i])
		}
	}
	return blockers, nil
}

// Block is one conditional update: 1 write unit for each KB of the list.
func (s *Store) Block(ctx context.Context, user, blocked chat.UserID, limit int) (bool, error) {
	_, failed, err := s.table.UpdateItem(ctx, "block", table.BlocksKey(user), table.BlockUpdate(blocked, limit))
	return err == nil && !failed, err
}

// Unblock is one conditional update: 1 write unit for each KB of the list.
func (s *Store) Unblock(ctx context.Context, user, blocked chat.UserID) error {
	_, _, err := s.table.UpdateItem(ctx, "unblock", table.BlocksKey(user), table.UnblockUpdate(blocked))
	return err
}
