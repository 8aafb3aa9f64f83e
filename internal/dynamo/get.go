package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/table"
)

// getItem reads one item as last written; nil when there is none. 1 read unit for every 4 KB.
func (s *Store) getItem(ctx context.Context, op string, key table.Item) (table.Item, error) {
	return s.get(ctx, op, &dynamodb.GetItemInput{Key: key, ConsistentRead: aws.Bool(true)})
}

// getItemEventually is getItem at half the price: what was written within the last second or so
// may be missing.
func (s *Store) getItemEventually(ctx context.Context, op string, key table.Item) (table.Item, error) {
	return s.get(ctx, op, &dynamodb.GetItemInput{Key: key})
}

func (s *Store) get(ctx context.Context, op string, in *dynamodb.GetItemInput) (table.Item, error) {
	in.TableName, in.ReturnConsumedCapacity = &s.table, types.ReturnConsumedCapacityTotal
	out, err := s.db.GetItem(ctx, in)
	if err != nil {
		return nil, translate(op, err)
	}
	s.used(ctx, Usage{Operation: op, Items: min(1, len(out.Item))}, out.ConsumedCapacity)
	return out.Item, nil
}
