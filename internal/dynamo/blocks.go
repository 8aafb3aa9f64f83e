package dynamo

import (
	"context"

	"parley/internal/chat"
	"parley/internal/table"
)

// Blocks is one eventual read: half a read unit for every 4 KB.
func (s *Store) Blocks(ctx context.Context, user chat.UserID) ([]chat.UserID, error) {
	users, _, err := getEventual(ctx, s.table, "read blocks", table.BlocksKey(user), table.ParseBlocks)
	return users, err
}

// Block is one conditional update: 1 write unit for each KB of the list.
func (s *Store) Block(ctx context.Context, user, blocked chat.UserID, limit int) (bool, error) {
	_, failed, err := s.table.updateItem(ctx, "block", table.BlocksKey(user), table.BlockUpdate(blocked, limit))
	return err == nil && !failed, err
}

// Unblock is one conditional update: 1 write unit for each KB of the list.
func (s *Store) Unblock(ctx context.Context, user, blocked chat.UserID) error {
	_, _, err := s.table.updateItem(ctx, "unblock", table.BlocksKey(user), table.UnblockUpdate(blocked))
	return err
}
