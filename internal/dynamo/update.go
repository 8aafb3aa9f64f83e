package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/table"
)

// updateItem is one conditional update: a write unit for each KB. Where the condition does not hold it
// changes nothing, and brings the item that stands.
func (s *Store) updateItem(ctx context.Context, op string, key table.Item, u table.Update) (standing table.Item, conditionFailed bool, err error) {
	out, err := s.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: key,
		UpdateExpression:                    aws.String(u.Expression),
		ConditionExpression:                 aws.String(u.Condition),
		ExpressionAttributeNames:            u.Names,
		ExpressionAttributeValues:           u.Values,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if old, ok := refused(err); ok {
		return old, true, nil
	}
	if err != nil {
		return nil, false, translate(op, err)
	}
	s.used(ctx, Usage{Operation: op, Write: true}, out.ConsumedCapacity)
	return nil, false, nil
}
