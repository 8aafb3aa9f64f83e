package dynamo

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	smithytime "github.com/aws/smithy-go/time"

	"example.com/parley/internal/gate"
	"example.com/parley/internal/table"
)

// maxBatchWrites is the maximum number of items in one BatchWriteItem.
const maxBatchWrites = 25

// PutItems stores items, each at most once in the list, by a batch of puts for every 25: 1 write
// unit for each KB of an item, and as much for its index keys. It replaces stored items. If it
// fails, some of them may be stored.
func (t *Table) PutItems(ctx context.Context, op string, items []table.Item) error {
	puts := make([]types.WriteRequest, len(items))
	for i, item := range items {
		puts[i].PutRequest = &types.PutRequest{Item: item}
	}
	for batch := range slices.Chunk(puts, maxBatchWrites) {
		if err := t.batchWrite(ctx, op, batch); err != nil {
			return err
		}
	}
	return nil
}

// maxTogether is the maximum number of writes in one transaction.
const maxTogether = 100

// PutTogether is PutItems by transactions of 100 items, which cost 2 write units for each KB, and
// as many for index keys as PutItems.
func (t *Table) PutTogether(ctx context.Context, op string, items []table.Item) error {
	for some := range slices.Chunk(items, maxTogether) {
		var writes []Write
		for _, item := range some {
			writes = append(writes, t.PutAny(item))
		}
		if err := t.Transact(ctx, op, writes); err != nil {
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
