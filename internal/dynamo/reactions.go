package dynamo

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/table"
)

// PutReaction is one conditional put: 2 write units, one for the table and one for the index. A
// repeated put consumes 1.
func (s *Store) PutReaction(ctx context.Context, r reaction.Reaction) (stored bool, err error) {
	item := table.ReactionItem(r)
	return s.table.PutItem(ctx, "put reaction", item, table.Absent(item))
}

// DeleteReaction is one deletion: 2 write units, and 1 if there was no reaction.
func (s *Store) DeleteReaction(ctx context.Context, r reaction.Reaction) (existed bool, err error) {
	return s.table.DeleteItem(ctx, "delete reaction", table.ReactionKey(r))
}

// Reactors is one eventual query: half a read unit for every 4 KB, which is about 16 people.
func (s *Store) Reactors(ctx context.Context, q reaction.ReactorQuery) ([]chat.UserID, bool, error) {
	keys := table.ReactionsRange(q.Emoji)
	query := Query{
		Operation: "list reactors", Partition: table.MessageVersionsPK(q.Room, q.Message), Keys: Between(keys.Low, keys.High),
		Consistency: Eventual, Limit: q.Limit + 1, Projection: "#sk",
	}
	if q.After != "" {
		query.Start = table.ReactionKey(reaction.Reaction{Room: q.Room, Message: q.Message, Emoji: q.Emoji, User: q.After})
	}
	items, next, err := s.table.Query(ctx, query)
	if err != nil {
		return nil, false, err
	}
	var users []chat.UserID
	for _, item := range items[:min(len(items), q.Limit)] {
		_, user, err := table.ParseReactionSK(item)
		if err != nil {
			return nil, false, err
		}
		users = append(users, user)
	}
	return users, len(items) > q.Limit || next != nil && len(users) > 0, nil
}

// OwnReactions makes eventual queries of the index: half a read unit for every 4 KB.
func (s *Store) OwnReactions(ctx context.Context, q reaction.OwnQuery) ([]reaction.Reaction, error) {
	const op = "list own reactions"
	keys := table.OwnReactionsRange(q.Room, q.First, q.Last)
	query := Query{Operation: op, Index: true, Partition: table.ReactionsIndex(q.User), Keys: Between(keys.Low, keys.High), Consistency: Eventual}
	return QueryAll(ctx, s.table, query, table.ParseReaction)
}
