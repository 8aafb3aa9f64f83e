package dynamo

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/table"
)

// CreateTable creates the table on a local engine, as the stack does in an account: keys, index
// and billing. EnableStream adds the stream. It does not change an existing table.
func CreateTable(ctx context.Context, db *dynamodb.Client, name string) error {
	_, err := db.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			text(table.PK), text(table.SK), text(table.IndexPK), text(table.IndexSK),
		},
		KeySchema: keys(table.PK, table.SK),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName:  aws.String(table.Index),
			KeySchema:  keys(table.IndexPK, table.IndexSK),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
	})
	var exists *types.ResourceInUseException
	if err != nil && !errors.As(err, &exists) {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	return nil
}

// EnableStream enables the table's stream, with both images, and returns its ARN. On every write
// the engine searches all stream records, unless its file has an index for that. So tests without
// a feed do not enable the stream.
func EnableStream(ctx context.Context, db *dynamodb.Client, name string) (arn string, err error) {
	if arn, err = StreamOf(ctx, db, name); err != nil || arn != "" {
		return arn, err
	}
	out, err := db.UpdateTable(ctx,
		&dynamodb.UpdateTableInput{TableName: &name, StreamSpecification: &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages,
		}})
	if err != nil {
		return "", fmt.Errorf("enable the stream of table %s: %w", name, err)
	}
	return aws.ToString(out.TableDescription.LatestStreamArn), nil
}

// StreamOf returns the ARN of the table's stream, or "" if it is disabled.
func StreamOf(ctx context.Context, db *dynamodb.Client, name string) (arn string, err error) {
	out, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return "", fmt.Errorf("find the stream of table %s: %w", name, err)
	}
	if spec := out.Table.StreamSpecification; spec == nil || !aws.ToBool(spec.StreamEnabled) {
		return "", nil
	}
	return aws.ToString(out.Table.LatestStreamArn), nil
}

func text(name string) types.AttributeDefinition {
	return types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeS}
}

func keys(partition, sort string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: &partition, KeyType: types.KeyTypeHash},
		{AttributeName: &sort, KeyType: types.KeyTypeRange},
	}
}

// CreateLogTable creates the activity log's table on a local engine, as the stack does in an
// account. It does not change an existing table.
func CreateLogTable(ctx context.Context, db *dynamodb.Client, name string) error {
	_, err := db.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			text(table.LogPK),
			{AttributeName: aws.String(table.LogSK), AttributeType: types.ScalarAttributeTypeN},
		},
		KeySchema: keys(table.LogPK, table.LogSK),
	})
	var exists *types.ResourceInUseException
	if errors.As(err, &exists) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	return enableTTL(ctx, db, name, table.LogTTL)
}

// CreateLiveTable creates the table of live connections on a local engine, as the stack does in an
// account. It does not change an existing table.
func CreateLiveTable(ctx context.Context, db *dynamodb.Client, name string) error {
	_, err := db.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            &name,
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{text(table.PK), text(table.SK)},
		KeySchema:            keys(table.PK, table.SK),
	})
	var exists *types.ResourceInUseException
	if errors.As(err, &exists) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	return enableTTL(ctx, db, name, table.TTL)
}

// enableTTL makes a table remove items some time after the Unix time in an attribute.
func enableTTL(ctx context.Context, db *dynamodb.Client, name, attribute string) error {
	_, err := db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               &name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &attribute, Enabled: aws.Bool(true)},
	})
	if err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	return nil
}
