package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/table"
)

// DeleteItem deletes one item and reports whether it existed: 1 write unit for each KB, and 1 if
// there was none.
func (t *Table) DeleteItem(ctx context.Context, op string, key table.Item) (existed bool, err error) {
	out, err := t.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: &t.name, Key: key, ReturnValues: types.ReturnValueAllOld,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return false, translate(op, err)
	}
	t.used(ctx, Usage{Operation: op, Write: true}, out.ConsumedCapacity)
	return len(out.Attributes) > 0, nil
}
