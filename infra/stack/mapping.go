package stack

import (
	"encoding/json"
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	shared "example.com/parley/internal/config"
	"example.com/parley/internal/table"
)

const (
	// untilExpired retries a record for as long as the stream has it, 24 hours. Any other bound on
	// retries or age would leave a gap in a feed.
	untilExpired = -1
	// oneAtOnce processes the batches of one stream shard one after another. Concurrent batches
	// would write the same feeds, and all but one would be refused.
	oneAtOnce = 1
)

// mapping sends the table's stream to the feed function, from the oldest record on. Starting with
// the newest would lose changes made while the stack is created.
//
// It is a low-level resource, because the CDK's own constructs cannot set "until they expire" and
// leave it to the service's default.
func (b *builder) mapping(
	t awsdynamodb.ITableV2, feed awslambda.Function, failures awssqs.Queue,
) awslambda.CfnEventSourceMapping {
	m := awslambda.NewCfnEventSourceMapping(b.scope, jsii.String("FeedMapping"), &awslambda.CfnEventSourceMappingProps{
		FunctionName:     feed.FunctionName(),
		EventSourceArn:   t.TableStreamArn(),
		Enabled:          jsii.Bool(true),
		StartingPosition: jsii.String("TRIM_HORIZON"),
		FilterCriteria:   &awslambda.CfnEventSourceMapping_FilterCriteriaProperty{Filters: filters()},
		BatchSize:        jsii.Number(shared.StreamBatch),
		// Clients wait for the change, so a batch must not wait for more records.
		MaximumBatchingWindowInSeconds: jsii.Number(0),
		ParallelizationFactor:          jsii.Number(oneAtOnce),
		// The function returns the first record of a batch to retry. If it fails without a
		// response, Lambda halves the batch until it finds the record that causes the failure.
		FunctionResponseTypes:      jsii.Strings("ReportBatchItemFailures"),
		BisectBatchOnFunctionError: jsii.Bool(true),
		MaximumRetryAttempts:       jsii.Number(untilExpired),
		MaximumRecordAgeInSeconds:  jsii.Number(untilExpired),
		DestinationConfig: &awslambda.CfnEventSourceMapping_DestinationConfigProperty{
			OnFailure: &awslambda.CfnEventSourceMapping_OnFailureProperty{Destination: failures.QueueArn()},
		},
		// Without this, the mapping has no metrics, and an alarm that waits for them is always
		// raised. They are free.
		MetricsConfig: &awslambda.CfnEventSourceMapping_MetricsConfigProperty{Metrics: jsii.Strings("EventCount")},
	})
	m.OverrideLogicalId(jsii.String("FeedMapping"))
	return m
}

// filters returns the patterns of records that change feeds. Lambda passes a record that one of
// them matches, and does not bill the others. The function's own items must never pass, or it would
// process its own segments for ever.
func filters() []any {
	// New and changed items. The record of a removal has no such image.
	present := map[string]any{"dynamodb": image("NewImage", table.StreamTypes())}
	gone := map[string]any{"eventName": []string{"REMOVE"}, "dynamodb": image("OldImage", table.StreamRemovedTypes())}
	banned := map[string]any{"dynamodb": map[string]any{"NewImage": map[string]any{
		table.AttrType: map[string]any{"S": []string{string(table.RoleKind)}},
		table.AttrRole: map[string]any{"S": []string{table.RoleBanned}},
	}}}
	// Items of a version that is not deployed yet, or was rolled back. A pattern can match leaves
	// only. The attribute is a string, so its leaf is "S".
	exists := map[string]any{"S": []any{map[string]any{"exists": true}}}
	later := map[string]any{"dynamodb": map[string]any{"NewImage": map[string]any{table.AttrFeed: exists}}}
	var filters []any
	suspended := map[string]any{"dynamodb": map[string]any{"NewImage": map[string]any{
		table.AttrType: map[string]any{"S": []string{string(table.AccountKind)}}, table.AttrSuspended: exists,
	}}}
	for _, pattern := range []map[string]any{present, gone, banned, later, suspended} {
		text, err := json.Marshal(pattern)
		if err != nil {
			panic(fmt.Errorf("encode a filter: %w", err))
		}
		filters = append(filters, &awslambda.CfnEventSourceMapping_FilterProperty{Pattern: jsii.String(string(text))})
	}
	return filters
}

// image returns a pattern of records whose image has one of the types.
func image(name string, types []string) map[string]any {
	return map[string]any{name: map[string]any{table.AttrType: map[string]any{"S": types}}}
}

// streamsARN returns the ARN of all streams of the table, past and present. The right to list them
// cannot be limited to one.
func streamsARN(t awsdynamodb.ITableV2) *string {
	return jsii.String(*t.TableArn() + "/stream/*")
}
