package stack

import (
	"strconv"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"parley/infra/config"
	shared "parley/internal/config"
)

const (
	// feedTimeout in seconds: nobody waits for a batch, and one of a thousand rooms whose
	// feeds are throttled takes long. What a batch had appended by then is not lost.
	feedTimeout = 60
	// failureDays is how long a failure waits to be looked at: as long as SQS keeps anything.
	failureDays = 14
)

// feed makes what keeps the feeds of rooms: the function, and the mapping that calls it.
func (b *builder) feed(t awsdynamodb.ITableV2, failures awssqs.Queue) (awslambda.Function, awslambda.CfnEventSourceMapping) {
	fn := b.function(feedFunction(b.Config, t, failures))
	except(fn.Role(), aConsumersRole)
	return fn, b.mapping(t, fn, failures)
}

// readersFirst has a function that writes deployed after what reads the stream: code that knows a
// new type of item is there before the first such item, and its filter too.
func readersFirst(writer, feed awslambda.Function, mapping awslambda.CfnEventSourceMapping) {
	resource := func(f awslambda.Function) awscdk.CfnResource { return f.Node().DefaultChild().(awscdk.CfnResource) }
	resource(writer).AddDependency(resource(feed))
	resource(writer).AddDependency(mapping)
}

// feedFunction may read feeds, append to them, and keep failures; it sees no other item. With the
// same role Lambda reads the stream on its behalf. It is the only one that writes feeds.
func feedFunction(cfg config.Config, t awsdynamodb.ITableV2, failures awssqs.Queue) function {
	return function{
		name: "feed", id: "Feed", description: "Appends what changed to the feeds of rooms", size: cfg.Feed,
		timeout: feedTimeout, endpoints: []string{shared.EnvDynamoDBEndpoint, shared.EnvSQSEndpoint}, subject: aConsumer,
		variables: map[string]*string{
			shared.EnvTable:        t.TableName(),
			shared.EnvLogLevel:     jsii.String(cfg.Logs.Level),
			shared.EnvFeedDays:     jsii.String(strconv.Itoa(cfg.Table.FeedDays)),
			shared.EnvFailureQueue: failures.QueueUrl(),
		},
		grants: []grant{
			{sid: "ReadFeeds", resource: t.TableArn(), keys: onlyKeys(feedKeys), actions: []string{"dynamodb:GetItem", "dynamodb:Query"}},
			{sid: "AppendFeeds", resource: t.TableArn(), keys: onlyKeys(feedKeys), actions: []string{"dynamodb:PutItem", "dynamodb:UpdateItem"}},
			{sid: "KeepFailures", resource: failures.QueueArn(), actions: []string{"sqs:SendMessage"}},
			{sid: "PollStream", resource: t.TableStreamArn(), actions: []string{"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"}},
			{sid: "ListStreams", resource: streamsARN(t), actions: []string{"dynamodb:ListStreams"}},
			// The function may send to the same queue; this is for what Lambda itself gives up.
			{sid: "SendDropped", resource: failures.QueueArn(), actions: []string{"sqs:SendMessage"}},
		},
	}
}

// failureQueue keeps what could not be entered into a feed, and what Lambda gives up. It
// holds keys and reasons, never what somebody wrote. It costs nothing at rest, and the first million
// requests of a month are free.
func (b *builder) failureQueue() awssqs.Queue {
	q := awssqs.NewQueue(b.scope, jsii.String("FailureQueue"), &awssqs.QueueProps{
		RetentionPeriod: awscdk.Duration_Days(jsii.Number(failureDays)),
		Encryption:      awssqs.QueueEncryption_SQS_MANAGED,
		EnforceSSL:      jsii.Bool(true),
		// It goes with the stack, in prod too: what it names is in the table.
		RemovalPolicy: awscdk.RemovalPolicy_DESTROY,
	})
	fixID(q, "FailureQueue")
	except(q, aFailureQueue)
	return q
}
