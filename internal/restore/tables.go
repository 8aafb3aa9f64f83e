package restore

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/table"
)

// source is a table that is read and written at a limiter.
type source struct {
	*dynamo.Table
	name string
}

func newSource(db *dynamodb.Client, name string, reads, writes *scan.RateLimiter) source {
	return source{name: name, Table: dynamo.NewTable(db, name, func(ctx context.Context, u dynamo.Usage) {
		limiter := reads
		if u.Write {
			limiter = writes
		}
		_ = limiter.Take(ctx, u.Units) // a context that has ended fails the next call
	})}
}

// get reads an item strongly; it returns nil when there is none.
func (s *source) get(ctx context.Context, key table.Item) (table.Item, error) {
	return s.GetItem(ctx, "read table "+s.name, key, dynamo.Strong)
}

// partition reads all items of a partition key.
func (s *source) partition(ctx context.Context, pk string) ([]table.Item, error) {
	var items []table.Item
	q := dynamo.Query{Operation: "read table " + s.name, Partition: pk, Consistency: dynamo.Strong}
	err := s.EachPage(ctx, q, func(page []table.Item) error {
		items = append(items, page...)
		return nil
	})
	return items, err
}

// versions returns the versions of a message, without the other rows in its partition.
func (s *source) versions(ctx context.Context, room chat.RoomID, id chat.MessageID) ([]table.Item, error) {
	keys := table.PartsRange()
	q := dynamo.Query{
		Operation: "read table " + s.name, Partition: table.MessageVersionsPK(room, id), Consistency: dynamo.Strong,
		Keys: dynamo.KeyRange{
			Low: &types.AttributeValueMemberS{Value: keys.Low}, High: &types.AttributeValueMemberS{Value: keys.High},
		},
	}
	var items []table.Item
	err := s.EachPage(ctx, q, func(page []table.Item) error {
		items = append(items, page...)
		return nil
	})
	return items, err
}

// write performs all writes of a change or none. It reports false if a condition does not hold.
func (s *source) write(ctx context.Context, change []dynamo.Write) (bool, error) {
	op := "write table " + s.name
	if len(change) == 1 && change[0].Put != nil { // at half the price of a transaction
		p := change[0].Put
		return s.PutItem(ctx, op, p.Item, table.Update{
			Condition: aws.ToString(p.ConditionExpression), Names: p.ExpressionAttributeNames,
			Values: p.ExpressionAttributeValues,
		})
	}
	err := s.Transact(ctx, op, change)
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) {
		for _, r := range cancelled.CancellationReasons {
			if aws.ToString(r.Code) == dynamo.ConditionFailed {
				return false, nil
			}
		}
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", op, err)
	}
	return true, nil
}
