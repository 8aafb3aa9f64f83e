package dynamo

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	smithytime "github.com/aws/smithy-go/time"

	"parley/internal/chat"
	"parley/internal/table"
)

// batchSize is the most keys that one BatchGetItem takes.
const batchSize = 100

// batchGet reads items by their keys, consistently and in the order of the keys; nil stands
// for one that is not there.
func (s *Store) batchGet(ctx context.Context, op string, keys []table.Item) ([]table.Item, error) {
	return s.batch(ctx, op, keys, types.KeysAndAttributes{ConsistentRead: aws.Bool(true)})
}

// batchGetEventually is batchGet at half the price: what was written within the last second or so
// may be missing.
func (s *Store) batchGetEventually(ctx context.Context, op string, keys []table.Item) ([]table.Item, error) {
	return s.batch(ctx, op, keys, types.KeysAndAttributes{})
}

// batch asks in the way of an example.
func (s *Store) batch(ctx context.Context, op string, keys []table.Item, how types.KeysAndAttributes) ([]table.Item, error) {
	found := map[string]table.Item{}
	for rest := keys; len(rest) > 0; {
		n := min(len(rest), batchSize)
		how.Keys = rest[:n]
		if err := s.batchGetInto(ctx, op, found, how); err != nil {
			return nil, err
		}
		rest = rest[n:]
	}
	items := make([]table.Item, len(keys))
	for i, key := range keys {
		items[i] = found[keyText(key)]
	}
	return items, nil
}

// batchGetInto asks again for what the service left out because it was busy or the
// answer grew too large. Only answers that bring nothing count as attempts.
func (s *Store) batchGetInto(ctx context.Context, op string, found map[string]table.Item, asked types.KeysAndAttributes) error {
	for attempt := 0; ; {
		out, err := s.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems:           map[string]types.KeysAndAttributes{s.table: asked},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		if err != nil {
			return translate(op, err)
		}
		items := out.Responses[s.table]
		for i := range out.ConsumedCapacity {
			s.used(ctx, Usage{Operation: op, Items: len(items)}, &out.ConsumedCapacity[i])
		}
		for _, item := range items {
			found[keyText(item)] = item
		}
		left := out.UnprocessedKeys[s.table].Keys
		if len(left) == 0 {
			return nil
		}
		if len(left) == len(asked.Keys) {
			attempt++
		}
		if attempt == maxAttempts {
			return errUnprocessed(op)
		}
		if err := smithytime.SleepWithContext(ctx, backoff(attempt, s.jitter())); err != nil {
			return translate(op, err)
		}
		asked.Keys = left
	}
}

func errUnprocessed(op string) error {
	return &chat.Error{Kind: chat.Unavailable, RetryAfter: retryAfter,
		Cause: fmt.Errorf("%s: %w", op, errors.New("keys stay unprocessed"))}
}

// keyText is an item's primary key as one text; no key holds a zero byte.
func keyText(item table.Item) string {
	pk, _ := item[table.PK].(*types.AttributeValueMemberS)
	sk, _ := item[table.SK].(*types.AttributeValueMemberS)
	if pk == nil || sk == nil {
		return ""
	}
	return pk.Value + "\x00" + sk.Value
}
