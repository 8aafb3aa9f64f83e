package stack

import (
	"encoding/json"
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	shared "parley/internal/config"
	"parley/internal/table"
)

const (
	// untilExpired: the stream keeps a record for 24 hours, and so long it is tried. Any bound on
	// tries or age would leave a hole in a feed.
	untilExpired = -1
	// oneAtOnce: batches of one shard of the stream come one after another. More would write
	// the same feeds at once, and all but one be refused.
	oneAtOnce = 1
)

// mapping hands the table's stream to the feed function, from the oldest record there is: the
// newest would leave out what is written while the stack is made.
//
// It is the bare resource, since the CDK's own kinds cannot say "until they expire" and
// would rather leave it to the service's default.
func (b *builder) mapping(t awsdynamodb.ITableV2, feed awslambda.Function, failures awssqs.Queue) awslambda.CfnEventSourceMapping {
	m := awslambda.NewCfnEventSourceMapping(b.scope, jsii.String("FeedMapping"), &awslambda.CfnEventSourceMappingProps{
		FunctionName:     feed.FunctionName(),
		EventSourceArn:   t.TableStreamArn(),
		Enabled:          jsii.Bool(true),
		StartingPosition: jsii.String("TRIM_HORIZON"),
		FilterCriteria:   &awslambda.CfnEventSourceMapping_FilterCriteriaProperty{Filters: filters()},
		BatchSize:        jsii.Number(shared.StreamBatch),
		// A reader waits for nothing but the stream.
		MaximumBatchingWindowInSeconds: jsii.Number(0),
		ParallelizationFactor:          jsii.Number(oneAtOnce),
		// The function says from which record on a batch is to come again; where it cannot
		// even say that, halves find the record that it dies of.
		FunctionResponseTypes:      jsii.Strings("ReportBatchItemFailures"),
		BisectBatchOnFunctionError: jsii.Bool(true),
		MaximumRetryAttempts:       jsii.Number(untilExpired),
		MaximumRecordAgeInSeconds:  jsii.Number(untilExpired),
		DestinationConfig: &awslambda.CfnEventSourceMapping_DestinationConfigProperty{
			OnFailure: &awslambda.CfnEventSourceMapping_OnFailureProperty{Destination: failures.QueueArn()},
		},
		// Without it there are no metrics of the mapping, and an alarm that waits for them is always
		// raised. They are free.
		MetricsConfig: &awslambda.CfnEventSourceMapping_MetricsConfigProperty{Metrics: jsii.Strings("EventCount")},
	})
	m.OverrideLogicalId(jsii.String("FeedMapping"))
	return m
}

// filters let through what feeds tell of. Lambda takes a record that one of them matches, and is not
// billed for those that none does. What the function writes itself must never pass: it would
// feed on its own segments for ever.
func filters() []any {
	// Whatever is there now, new or changed. A record of a removal has no such image.
	present := map[string]any{"dynamodb": image("NewImage", table.FeedTypes())}
	gone := map[string]any{"eventName": []string{"REMOVE"}, "dynamodb": image("OldImage", table.FeedRemovedTypes())}
	// An item of a version that is not deployed yet, or was rolled back. The operator sees leaves
	// alone: the attribute is a string, so its leaf is "S".
	exists := map[string]any{"S": []any{map[string]any{"exists": true}}}
	later := map[string]any{"dynamodb": map[string]any{"NewImage": map[string]any{table.AttrFeed: exists}}}
	var filters []any
	for _, pattern := range []map[string]any{present, gone, later} {
		text, err := json.Marshal(pattern)
		if err != nil {
			panic(fmt.Errorf("write a filter: %w", err))
		}
		filters = append(filters, &awslambda.CfnEventSourceMapping_FilterProperty{Pattern: jsii.String(string(text))})
	}
	return filters
}

// image matches a record whose image is an item of one of the types.
func image(name string, types []string) map[string]any {
	return map[string]any{name: map[string]any{table.AttrType: map[string]any{"S": types}}}
}

// streamsARN is every stream that the table has or had: to list them is a right on none of them alone.
func streamsARN(t awsdynamodb.ITableV2) *string {
	return jsii.String(*t.TableArn() + "/stream/*")
}
