package dynamo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	smithytime "github.com/aws/smithy-go/time"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// batchSize is the maximum number of keys in one BatchGetItem.
const batchSize = 100

// batchesAtOnce bounds the concurrent batches of one read, and so its memory.
const batchesAtOnce = 8

// BatchGet reads items by their keys and returns them in the order of the keys, with nil for a
// missing one. It reads batches concurrently. A strong read costs 1 read unit for every 4 KB of
// each, an eventual read half of that. A confined table must read items of one kind in one call.
func (t *Table) BatchGet(ctx context.Context, op string, keys []table.Item, c Consistency) ([]table.Item, error) {
	var mu sync.Mutex
	found := make(map[string]table.Item, len(keys))
	batches, inner := errgroup.WithContext(ctx)
	batches.SetLimit(batchesAtOnce)
	for batch := range slices.Chunk(keys, batchSize) {
		request := types.KeysAndAttributes{Keys: batch}
		request.ProjectionExpression, request.ExpressionAttributeNames = t.projection(
			table.PartitionOf(batch[0]), table.SortKeyOf(batch[0]),
		)
		if c == Strong {
			request.ConsistentRead = aws.Bool(true)
		}
		batches.Go(func() error {
			part := map[string]table.Item{}
			err := t.batchGetInto(inner, op, part, request)
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(found, part)
			return err
		})
	}
	if err := batches.Wait(); err != nil {
		return nil, err
	}
	items := make([]table.Item, len(keys))
	for i, key := range keys {
		items[i] = found[keyText(key)]
	}
	return items, nil
}

// batchGetInto reads one batch into found. It retries the keys that the service leaves out when it
// is busy or the response grows too large. Only responses without any item count as attempts.
func (t *Table) batchGetInto(
	ctx context.Context, op string, found map[string]table.Item, request types.KeysAndAttributes,
) error {
	for attempt := 0; ; {
		out, err := t.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems:           map[string]types.KeysAndAttributes{t.name: request},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		if err != nil {
			return translate(op, err)
		}
		items := out.Responses[t.name]
		for i := range out.ConsumedCapacity {
			t.used(ctx, Usage{Operation: op, Items: len(items)}, &out.ConsumedCapacity[i])
		}
		left := out.UnprocessedKeys[t.name].Keys
		if err := checkBatch(op, request.Keys, items, left); err != nil {
			return err
		}
		for _, item := range items {
			found[keyText(item)] = item
		}
		if len(left) == 0 {
			return nil
		}
		if len(left) == len(request.Keys) {
			attempt++
		}
		if attempt == maxAttempts {
			return errUnprocessed(op)
		}
		if err := smithytime.SleepWithContext(ctx, backoff(attempt, t.jitter())); err != nil {
			return translate(op, err)
		}
		request.Keys = left
	}
}

func errUnprocessed(op string) error {
	return &chat.Error{Kind: chat.Unavailable, RetryAfter: RetryAfter,
		Cause: fmt.Errorf("%s: %w", op, errors.New("keys stay unprocessed"))}
}

// keyText returns an item's primary key as one text. No key contains a zero byte.
func keyText(item table.Item) string {
	pk, _ := item[table.PK].(*types.AttributeValueMemberS)
	sk, _ := item[table.SK].(*types.AttributeValueMemberS)
	if pk == nil || sk == nil {
		return ""
	}
	return pk.Value + "\x00" + sk.Value
}
