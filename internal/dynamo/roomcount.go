package dynamo

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// RoomCount is one strong query: 1 read unit for every 4 KB of memberships. It reads only their
// keys.
func (s *Store) RoomCount(ctx context.Context, user chat.UserID, limit int) (int, error) {
	q := Query{
		Operation: "count own rooms", Partition: table.PersonPK(user), Keys: WithPrefix(table.MemberSK("")), Consistency: Strong,
		Projection: table.PK,
	}
	for n := 0; ; {
		q.Limit = limit - n
		items, next, err := s.table.Query(ctx, q)
		if n += len(items); err != nil || next == nil || n >= limit {
			return n, err
		}
		q.Start = next
	}
}
