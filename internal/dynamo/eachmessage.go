package dynamo

import (
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// walkPage is the number of items that one query of EachMessage reads, up to a megabyte. With
// typical messages that is some 40 read units, so a repair's limit of units per second holds
// within a second.
const walkPage = 1000

// EachMessage queries the table partition of every shard that the room ever had, one after
// another. It does not use the index, which holds only the messages that the room's pages show. It
// costs 1 read unit for every 8 KB and half a unit for an empty shard. It may miss writes from
// about the last second.
func (s *Store) EachMessage(ctx context.Context, room chat.RoomID, page func([]chat.Message) error) error {
	epochs, err := s.epochsOf(ctx, room)
	if err != nil {
		return err
	}
	everyShard := 0
	for _, epoch := range epochs {
		everyShard = max(everyShard, epoch.N)
	}
	for shard := range everyShard {
		if err := s.walkShard(ctx, table.ShardPK(room, shard), page); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) walkShard(ctx context.Context, pk string, page func([]chat.Message) error) error {
	const op = "walk messages"
	q := Query{Operation: op, Partition: pk, Consistency: Eventual, Limit: walkPage}
	return s.table.EachPage(ctx, q, func(items []table.Item) error {
		items = slices.DeleteFunc(items, func(item table.Item) bool {
			return table.KindOf(item) != table.MessageKind // written by a later version
		})
		messages, err := ParseItems(op, items, table.ParseMessage)
		if err != nil {
			return err
		}
		return page(messages)
	})
}
