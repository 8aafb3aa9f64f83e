package dynamo

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	smithytime "github.com/aws/smithy-go/time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/gate"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/table"
)

// maxBatchWrites is the maximum number of items in one BatchWriteItem.
const maxBatchWrites = 25

// ReactionsTo returns the reactions to a message. It is one consistent query: 1 read unit for every
// 4 KB, which is about 22 reactions.
func (s *Store) ReactionsTo(ctx context.Context, room chat.RoomID, id chat.MessageID) ([]reaction.Reaction, error) {
	const op = "read reactions"
	keys := table.ReactionsRange("")
	query := Query{Operation: op, Partition: table.MessageVersionsPK(room, id), Keys: Between(keys.Low, keys.High), Consistency: Strong}
	return QueryAll(ctx, s.table, query, table.ParseReaction)
}

// PutReactions stores reactions, each at most once in the list. Existing ones do not change, and
// the feed function counts the new ones. It is a batch of puts for every 25 reactions: 2 write
// units each, one for the table and one for the index. If it fails, some of them may be stored.
func (s *Store) PutReactions(ctx context.Context, reactions []reaction.Reaction) error {
	puts := make([]types.WriteRequest, len(reactions))
	for i, r := range reactions {
		puts[i].PutRequest = &types.PutRequest{Item: table.ReactionItem(r)}
	}
	for batch := range slices.Chunk(puts, maxBatchWrites) {
		if err := s.table.batchWrite(ctx, "put reactions", batch); err != nil {
			return err
		}
	}
	return nil
}

// maxTogether is the maximum number of writes in one transaction.
const maxTogether = 100

// PutReactionsTogether is PutReactions by transactions. It is a transaction for every 100
// reactions: 3 write units each, two for the table and one for the index. If it fails, some of them
// may be stored. The local engine writes a transaction much faster than batches.
func (s *Store) PutReactionsTogether(ctx context.Context, reactions []reaction.Reaction) error {
	const op = "put reactions together"
	for some := range slices.Chunk(reactions, maxTogether) {
		var writes []Write
		for _, r := range some {
			writes = append(writes, s.table.PutAny(table.ReactionItem(r)))
		}
		if err := s.table.Transact(ctx, op, writes); err != nil {
			return translate(op, err)
		}
	}
	return nil
}

// batchWrite writes one batch. It retries the items that the service leaves out when it is busy.
// Only responses that leave out all items count as attempts.
func (t *Table) batchWrite(ctx context.Context, op string, writes []types.WriteRequest) error {
	if err := gate.Wait(ctx); err != nil {
		return err
	}
	for attempt := 0; ; {
		out, err := t.db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems:           map[string][]types.WriteRequest{t.name: writes},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		if err != nil {
			return translate(op, err)
		}
		left := out.UnprocessedItems[t.name]
		for i := range out.ConsumedCapacity {
			t.used(ctx, Usage{Operation: op, Write: true, Items: len(writes) - len(left)}, &out.ConsumedCapacity[i])
		}
		if len(left) == 0 {
			return nil
		}
		if len(left) == len(writes) {
			attempt++
		}
		if attempt == maxAttempts {
			return errUnprocessed(op)
		}
		if err := smithytime.SleepWithContext(ctx, backoff(attempt, t.jitter())); err != nil {
			return translate(op, err)
		}
		writes = left
	}
}
