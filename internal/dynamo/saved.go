package dynamo

import (
	"context"

	"parley/internal/chat"
	"parley/internal/saved"
	"parley/internal/table"
)

// Save is one conditional put: 2 write units, one for the table and one for the index.
func (s *Store) Save(ctx context.Context, user chat.UserID, e saved.Entry) error {
	_, err := s.table.InsertItem(ctx, "save message", table.SavedItem(user, e))
	return err
}

// Unsave is one delete: 2 write units, and 1 if there is nothing to delete.
func (s *Store) Unsave(ctx context.Context, user chat.UserID, e saved.Entry) error {
	_, err := s.table.DeleteItem(ctx, "unsave message", table.SavedKey(user, e))
	return err
}

// SavedBy reads one partition of the index: half a read unit for every 4 KB, which hold some 20
// entries.
func (s *Store) SavedBy(ctx context.Context, user chat.UserID, after chat.ListPosition, limit int) ([]saved.Entry, chat.ListPosition, error) {
	q := Query{
		Operation: "list saved messages", Index: true, Partition: table.SavedIndex(user),
		Consistency: Eventual, NewestFirst: true, Limit: limit,
	}
	if e, ok := saved.ParsePosition(after); ok {
		q.Start = IndexStart(q.Partition, chat.ListPosition{Sort: table.SavedIndexSK(e)}, table.SavedKey(user, e))
	}
	return ListPage(ctx, s.table, q, table.ParseSaved, saved.Entry.Position)
}
