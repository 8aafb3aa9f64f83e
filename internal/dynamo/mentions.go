package dynamo

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/table"
)

const opLedger = "read mention ledger"

// MentionLedger is one strong query: 1 read unit.
func (s *Store) MentionLedger(ctx context.Context, room chat.RoomID, id chat.MessageID) (mention.Ledger, error) {
	key := table.MentionLedgerKey(room, id)
	projection, names := table.Projection(table.LedgerAttributes()) // which the feed function may read
	items, _, err := s.table.Query(ctx, Query{
		Operation: opLedger, Partition: table.PartitionOf(key), Keys: Between(table.MentionLedgerSK, table.MentionLedgerSK),
		Consistency: Strong, Projection: projection, Names: names,
	})
	if err != nil || len(items) == 0 {
		return mention.Ledger{Room: room, Message: id}, err
	}
	l, _, err := ParseItem(opLedger, items[0], nil, table.ParseMentionLedger)
	return l, err
}

// PutMentionLedger is one conditional update: 1 write unit for each KB. After a lost race it reads
// the ledger for 1 more read unit.
func (s *Store) PutMentionLedger(ctx context.Context, before int, next mention.Ledger) (mention.Ledger, bool, error) {
	ok, err := s.table.tryUpdate(ctx, "put mention ledger", table.MentionLedgerKey(next.Room, next.Message), table.MentionLedgerUpdate(before, next))
	if err != nil || ok {
		return next, ok, err
	}
	stored, err := s.MentionLedger(ctx, next.Room, next.Message)
	return stored, false, err
}

// ForgetRemoved is one conditional update: 1 write unit for each KB.
func (s *Store) ForgetRemoved(ctx context.Context, l mention.Ledger) error {
	return s.table.updateBlindly(ctx, "forget removed mentions", table.MentionLedgerKey(l.Room, l.Message), table.MentionLedgerForget(l))
}

// PutMention is one update: 2 write units for a person, one for the table and one for the index,
// and 1 for the room.
func (s *Store) PutMention(ctx context.Context, r mention.Row) error {
	return s.table.updateBlindly(ctx, "put mention", table.MentionKey(r), table.MentionUpdate(r))
}

// RemoveMention is one conditional update: as many write units as PutMention, and 1 for a missing
// row.
func (s *Store) RemoveMention(ctx context.Context, r mention.Row) error {
	return s.table.updateBlindly(ctx, "remove mention", table.MentionKey(r), table.MentionRemoval(r))
}

// MentionsOf reads one partition of the index: half a read unit for every 4 KB.
func (s *Store) MentionsOf(ctx context.Context, user chat.UserID, after chat.ListPosition, limit int) ([]mention.Row, chat.ListPosition, error) {
	q := Query{
		Operation: "list mentions", Index: true, Partition: table.MentionsIndex(user),
		Consistency: Eventual, NewestFirst: true, Limit: limit,
	}
	if after != (chat.ListPosition{}) {
		key, err := mentionAt(user, after)
		if err != nil {
			return nil, chat.ListPosition{}, err
		}
		q.Start = IndexStart(q.Partition, after, key)
	}
	return ListPage(ctx, s.table, q, table.ParseMention, mention.Row.Position)
}

// mentionAt returns the primary key of the row at a position, which the service has checked.
func mentionAt(user chat.UserID, at chat.ListPosition) (table.Item, error) {
	place, err := mention.ParsePosition(at)
	if err != nil {
		return nil, err
	}
	return table.MentionKey(mention.Row{Room: place.Room, User: user, Seq: place.Seq}), nil
}

// MentionsAfter is one query: half a read unit for every 4 KB.
func (s *Store) MentionsAfter(ctx context.Context, of chat.MemberOf, after int64, limit int) ([]mention.Row, bool, error) {
	const op = "read mentions"
	items, next, err := s.table.Query(ctx, Query{
		Operation: op, Partition: table.MentionsPK(of), Keys: Between(table.MentionSK(of, after+1), table.MentionSK(of, chat.MaxSeq)),
		Consistency: Eventual, NewestFirst: true, Limit: limit,
	})
	if err != nil {
		return nil, false, err
	}
	rows, err := ParseItems(op, items, table.ParseMention)
	return rows, next != nil, err
}
