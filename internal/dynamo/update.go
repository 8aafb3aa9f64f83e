package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/table"
)

// updateItem changes an item where the update's condition holds: 1 write unit for each KB.
// Otherwise it changes nothing and returns the existing item.
func (t *Table) updateItem(ctx context.Context, op string, key table.Item, u table.Update) (existing table.Item, failed bool, err error) {
	out, err := t.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &t.name, Key: key,
		UpdateExpression:                    expression(u.Expression),
		ConditionExpression:                 expression(u.Condition),
		ExpressionAttributeNames:            u.Names,
		ExpressionAttributeValues:           u.Values,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if existing, failed = conditionFailed(err); failed {
		return existing, true, nil
	}
	if err != nil {
		return nil, false, translate(op, err)
	}
	t.used(ctx, Usage{Operation: op, Write: true}, out.ConsumedCapacity)
	return nil, false, nil
}
