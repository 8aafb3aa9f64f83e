package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// deliveredTag is the tag of a table that the template's trigger reacts to.
const deliveredTag = "delivered"

// Trim deletes the records of a table's stream before a sequence number, and the contents of the
// record with that number. The record itself stays, because the engine continues counting from the
// newest. Only a data file made from the template is trimmed; other engines just store a tag.
func Trim(ctx context.Context, db *dynamodb.Client, stream, sequence string) error {
	table, _, _ := strings.Cut(stream, "/stream/")
	key := deliveredTag
	_, err := db.TagResource(ctx, &dynamodb.TagResourceInput{
		ResourceArn: &table, Tags: []types.Tag{{Key: &key, Value: &sequence}},
	})
	if err != nil {
		return fmt.Errorf("trim the stream of %s: %w", table, err)
	}
	return nil
}
