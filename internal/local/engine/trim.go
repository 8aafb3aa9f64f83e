package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const (
	// deliveredTag is the tag of a table that the template's trigger reacts to.
	deliveredTag = "delivered"
	// storedDigits is the length of the part of a sequence number that the file stores. From
	// version 1.5 on, the engine prefixes it with constant digits. The trigger would read such a
	// number as the largest integer, and delete records that are not delivered.
	storedDigits = 18
)

// Trim deletes the records of a table's stream before a sequence number, and the contents of the
// record with that number. The record itself stays, because the engine continues counting from the
// newest. Only a data file made from the template is trimmed; other engines just store a tag.
func Trim(ctx context.Context, db *dynamodb.Client, stream, sequence string) error {
	table, _, _ := strings.Cut(stream, "/stream/")
	key := deliveredTag
	sequence = sequence[max(0, len(sequence)-storedDigits):]
	_, err := db.TagResource(ctx, &dynamodb.TagResourceInput{
		ResourceArn: &table, Tags: []types.Tag{{Key: &key, Value: &sequence}},
	})
	if err != nil {
		return fmt.Errorf("trim the stream of %s: %w", table, err)
	}
	return nil
}

// DeleteTable deletes a table and the records of its stream, if the table exists. The engine
// stores records by the name of their table, and would deliver them to the next table with that
// name.
func DeleteTable(ctx context.Context, db *dynamodb.Client, name string) error {
	out, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err == nil && out.Table.LatestStreamArn != nil {
		err = Trim(ctx, db, *out.Table.LatestStreamArn, strings.Repeat("9", storedDigits))
	}
	if err == nil {
		_, err = db.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name})
	}
	var missing *types.ResourceNotFoundException
	if err != nil && !errors.As(err, &missing) {
		return fmt.Errorf("delete table %s: %w", name, err)
	}
	return nil
}
