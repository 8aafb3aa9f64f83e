package restore

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/scan"
	"parley/internal/table"
)

// source is a table that is read or written at a pace.
type source struct {
	db     *dynamodb.Client
	name   string
	reads  *scan.Pace
	writes *scan.Pace
}

// get reads an item as last written; nil when there is none.
func (s *source) get(ctx context.Context, key table.Item) (table.Item, error) {
	out, err := s.db.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &s.name, Key: key, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", s.name, err)
	}
	return out.Item, s.reads.Take(ctx, units(out.ConsumedCapacity))
}

// partition reads all items of a partition key.
func (s *source) partition(ctx context.Context, pk string) ([]table.Item, error) {
	var items []table.Item
	in := &dynamodb.QueryInput{
		TableName: &s.name, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		KeyConditionExpression:    aws.String("PK = :pk"),
		ExpressionAttributeValues: table.Item{":pk": &types.AttributeValueMemberS{Value: pk}},
	}
	for {
		out, err := s.db.Query(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("read table %s: %w", s.name, err)
		}
		if err := s.reads.Take(ctx, units(out.ConsumedCapacity)); err != nil {
			return nil, err
		}
		items = append(items, out.Items...)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return items, nil
		}
	}
}

// write writes all of a change or nothing. It reports false where a condition does not hold.
func (s *source) write(ctx context.Context, change []types.TransactWriteItem) (bool, error) {
	if len(change) == 1 && change[0].Put != nil {
		return s.put(ctx, change[0].Put)
	}
	out, err := s.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: change, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) {
		for _, r := range cancelled.CancellationReasons {
			if aws.ToString(r.Code) == "ConditionalCheckFailed" {
				return false, nil
			}
		}
	}
	if err != nil {
		return false, fmt.Errorf("write table %s: %w", s.name, err)
	}
	var used float64
	for _, c := range out.ConsumedCapacity {
		used += units(&c)
	}
	return true, s.writes.Take(ctx, used)
}

// put is a write of one item, at half the price of a transaction.
func (s *source) put(ctx context.Context, p *types.Put) (bool, error) {
	out, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: p.TableName, Item: p.Item, ConditionExpression: p.ConditionExpression,
		ExpressionAttributeNames: p.ExpressionAttributeNames, ExpressionAttributeValues: p.ExpressionAttributeValues,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("write table %s: %w", s.name, err)
	}
	return true, s.writes.Take(ctx, units(out.ConsumedCapacity))
}

// absent puts an item where there is none.
func (s *source) absent(item table.Item) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{
		TableName: &s.name, Item: item, ConditionExpression: aws.String("attribute_not_exists(#k)"),
		ExpressionAttributeNames: map[string]string{"#k": partitionKey(item)},
	}}
}

// partitionKey is the name of the attribute: the activity log's table has another.
func partitionKey(item table.Item) string {
	if item[table.PK] != nil {
		return table.PK
	}
	return table.LogPK
}

// replace puts an item where a condition holds.
func (s *source) replace(item table.Item, where table.Update) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{
		TableName: &s.name, Item: item, ConditionExpression: aws.String(where.Condition),
		ExpressionAttributeNames: where.Names, ExpressionAttributeValues: where.Values,
	}}
}

func (s *source) update(key table.Item, u table.Update) types.TransactWriteItem {
	up := &types.Update{
		TableName: &s.name, Key: key, UpdateExpression: aws.String(u.Expression),
		ConditionExpression: aws.String(u.Condition), ExpressionAttributeNames: u.Names, ExpressionAttributeValues: u.Values,
	}
	return types.TransactWriteItem{Update: up}
}

func (s *source) remove(key table.Item, where table.Update) types.TransactWriteItem {
	d := &types.Delete{TableName: &s.name, Key: key}
	if where.Condition != "" {
		d.ConditionExpression = aws.String(where.Condition)
		d.ExpressionAttributeNames, d.ExpressionAttributeValues = where.Names, where.Values
	}
	return types.TransactWriteItem{Delete: d}
}

func units(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}

// check is part of a change that writes nothing: it only holds under a condition.
func (s *source) check(key table.Item, where table.Update) types.TransactWriteItem {
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: &s.name, Key: key, ConditionExpression: aws.String(where.Condition),
		ExpressionAttributeNames: where.Names, ExpressionAttributeValues: where.Values,
	}}
}

// replaceAny puts an item whatever is there: its condition is another item's, in the same change.
func (s *source) replaceAny(item table.Item) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{TableName: &s.name, Item: item}}
}
