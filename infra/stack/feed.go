package stack

import (
	"slices"
	"strconv"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/live"
	"example.com/parley/internal/table"
)

const (
	// feedTimeout is in seconds. No client waits for a batch, and a batch of a thousand throttled
	// rooms takes long. Changes that a batch has appended by then are not lost.
	feedTimeout = 60
	// failureDays is the retention of failures, the longest that SQS offers.
	failureDays = 14
)

// feed creates the function that maintains the feeds of rooms, and the mapping that calls it.
func (b *builder) feed(
	t tables, s sockets, failures awssqs.Queue, files awss3.IBucket,
) (awslambda.Function, awslambda.CfnEventSourceMapping) {
	fn := b.function(withFiles(
		files, []string{"s3:DeleteObject", "s3:PutObject"}, feedFunction(b.Config, t, s, failures),
	))
	except(fn.Role(), aConsumersRole)
	except(fn.Role(), aSendersRole)
	except(fn.Role(), aFilesRole)
	return fn, b.mapping(mapping{id: "FeedMapping", table: t.chat, function: fn, filters: filters()}, failures)
}

// readersFirst deploys a writing function after the feed function and its mapping. Then the code
// and the filter for a new type of item are in place before the first such item.
func readersFirst(writer, feed awslambda.Function, mapping awslambda.CfnEventSourceMapping) {
	resource := func(f awslambda.Function) awscdk.CfnResource { return f.Node().DefaultChild().(awscdk.CfnResource) }
	resource(writer).AddResourceDependency(resource(feed), nil)
	resource(writer).AddResourceDependency(mapping, nil)
}

// feedFunction describes the feed function. It may read feeds, append to them, and send failures;
// no other function writes feeds. It may count the rows of messages, and write the counts onto the
// messages, but no text or other attribute. It may write the rows of mentions and a room's number
// of shards. It erases deleted people: it may delete their items, of which it lists only the keys
// and kinds, and give a room without an owner to a service. It removes deleted messages' uploads
// and their files, or puts empty objects in their place, and puts back uploads that messages have.
// For live delivery it may read who is in a room, send frames to connections and end them; it sees
// only its batch's messages. With the same role, Lambda reads the stream.
func feedFunction(cfg config.Config, t tables, s sockets, failures awssqs.Queue) function {
	return function{
		name: "feed", id: "Feed", description: "Appends changes to the feeds of rooms", size: cfg.Feed,
		timeout: feedTimeout, endpoints: []string{shared.EnvDynamoDBEndpoint, shared.EnvSQSEndpoint},
		subject: aConsumer,
		variables: map[string]*string{
			shared.EnvTable:        t.chat.TableName(),
			shared.EnvLogLevel:     jsii.String(cfg.Logs.Level),
			shared.EnvFeedDays:     jsii.String(strconv.Itoa(cfg.Table.FeedDays)),
			shared.EnvFailureQueue: failures.QueueUrl(),

			shared.EnvLiveTable:      t.live.TableName(),
			shared.EnvSocketEndpoint: s.endpoint(),
			shared.EnvPostRate:       jsii.String(strconv.Itoa(cfg.API.PostRate)),
		},
		grants: slices.Concat(feedGrants(t, failures), rowGrants(t), liveGrants(t, s)),
	}
}

// feedGrants are the rights to read rooms and to write their feeds.
func feedGrants(t tables, failures awssqs.Queue) []grant {
	return []grant{
		{
			sid: "ReadFeeds", resource: t.chat.TableArn(), keys: onlyKeys(feedKeys),
			actions: []string{"dynamodb:GetItem", "dynamodb:Query"},
		},
		{
			sid: "AppendFeeds", resource: t.chat.TableArn(), keys: onlyKeys(feedKeys),
			actions: []string{"dynamodb:PutItem", "dynamodb:UpdateItem"},
		},
		{
			sid: "RemovePins", resource: t.chat.TableArn(), keys: onlyKeys(extraKeys),
			actions: []string{"dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:UpdateItem"},
		},
		// Lambda uses this grant, too, for the records that the mapping gives up.
		{sid: "KeepFailures", resource: failures.QueueArn(), actions: []string{"sqs:SendMessage"}},
		{
			sid: "ReadMemberships", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
			actions: []string{"dynamodb:GetItem"},
		},
		{
			sid: "ReadRooms", resource: t.chat.TableArn(), keys: onlyKeys(roomKeys),
			actions: []string{"dynamodb:GetItem", "dynamodb:Query"},
		},
		{
			sid: "GrowRooms", resource: t.chat.TableArn(), keys: onlyKeys(roomKeys),
			attributes: slices.Concat(table.ShardPlanAttributes(), table.ServiceAttributes()),
			actions:    []string{"dynamodb:UpdateItem"},
		},
		{
			sid: "CountRows", resource: t.chat.TableArn(), keys: onlyKeys(rowKeys),
			attributes: table.RowAttributes(), actions: []string{"dynamodb:Query"},
		},
		{
			sid: "ReadTallies", resource: t.chat.TableArn(), keys: notKeys(separated),
			attributes: append(table.CountedAttributes(), table.SystemEvent()...),
			actions:    []string{"dynamodb:GetItem"},
		},
	}
}

// rowGrants are the rights to write the rows that follow from changes, and to erase people.
func rowGrants(t tables) []grant {
	return []grant{
		{
			sid: "WriteReplies", resource: t.chat.TableArn(), keys: onlyKeys(rowKeys),
			attributes: table.ThreadAttributes(), actions: []string{"dynamodb:UpdateItem"},
		},
		{
			sid: "WriteFollows", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
			attributes: table.FollowAttributes(), actions: []string{"dynamodb:UpdateItem"},
		},
		{
			sid: "WriteTallies", resource: t.chat.TableArn(), keys: notKeys(separated),
			attributes: append(table.TallyAttributes(), table.SystemAttributes()...),
			actions:    []string{"dynamodb:UpdateItem"},
		},
		{
			sid: "DecideMentions", resource: t.chat.TableArn(), keys: onlyKeys(rowKeys),
			attributes: table.LedgerAttributes(), actions: []string{"dynamodb:Query", "dynamodb:UpdateItem"},
		},
		{
			sid: "WriteMentions", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
			attributes: append(table.MentionAttributes(), table.AttrEraseStep),
			actions:    []string{"dynamodb:UpdateItem"},
		},
		{
			sid: "FindItems", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
			attributes: table.KindAttributes(), actions: []string{"dynamodb:Query"},
		},
		{
			sid: "EraseItems", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
			actions: []string{"dynamodb:ConditionCheckItem", "dynamodb:DeleteItem"},
		},
		{
			sid: "FindOwners", resource: indexARN(t.chat), keys: onlyKeys(memberKeys),
			actions: []string{"dynamodb:Query"},
		},
		{
			sid: "LeaveDirectRooms", resource: t.chat.TableArn(), keys: onlyKeys(table.DirectPK("*")...),
			attributes: table.DirectAttributes(), actions: []string{"dynamodb:UpdateItem"},
		},
	}
}

// liveGrants are the rights to deliver changes, and to read the stream.
func liveGrants(t tables, s sockets) []grant {
	return append([]grant{
		{
			sid: "KeepConnections", resource: t.live.TableArn(),
			actions: []string{"dynamodb:BatchGetItem", "dynamodb:DeleteItem", "dynamodb:Query"},
		},
		{
			sid: "RememberMissed", resource: t.live.TableArn(), keys: onlyKeys(live.MissedKeys),
			actions: []string{"dynamodb:PutItem"},
		},
		{sid: "SendFrames", resource: s.posts, actions: []string{"execute-api:ManageConnections"}},
		{sid: "EndConnections", resource: s.closes, actions: []string{"execute-api:ManageConnections"}},
	}, streamGrants(t)...)
}

// streamGrants are the rights with which Lambda reads the table's stream.
func streamGrants(t tables) []grant {
	return []grant{
		{
			sid: "PollStream", resource: t.chat.TableStreamArn(),
			actions: []string{"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"},
		},
		{sid: "ListStreams", resource: streamsARN(t.chat), actions: []string{"dynamodb:ListStreams"}},
	}
}

// failureQueue creates the queue of changes that could not be appended to a feed, and of changes
// that Lambda gave up. It contains keys and reasons, never users' text. It costs nothing at rest,
// and the first million requests of a month are free.
func (b *builder) failureQueue() awssqs.Queue {
	q := awssqs.NewQueue(b.scope, jsii.String("FailureQueue"), &awssqs.QueueProps{
		RetentionPeriod: awscdk.Duration_Days(jsii.Number(failureDays)),
		Encryption:      awssqs.QueueEncryption_SQS_MANAGED,
		EnforceSSL:      jsii.Bool(true),
		// The queue is removed with the stack, even in prod: the items that it names are in the
		// table.
		RemovalPolicy: awscdk.RemovalPolicy_DESTROY,
	})
	fixID(q, "FailureQueue")
	except(q, aFailureQueue)
	return q
}

const (
	// untilExpired retries a record for as long as the stream has it, 24 hours. Any other bound on
	// retries or age would leave a gap in a feed.
	untilExpired = -1
	// oneAtOnce processes the batches of one stream shard one after another. Concurrent batches
	// would write the same feeds, and all but one would be refused.
	oneAtOnce = 1
)

// mapping describes how Lambda sends a table's stream to a function.
type mapping struct {
	id       string
	table    awsdynamodb.ITableV2
	function awslambda.Function
	filters  []any // the patterns of records that are sent
}

// mapping sends a table's stream to a function, from the oldest record on. Starting with
// the newest would lose changes made while the stack is created.
//
// It is a low-level resource, because the CDK's own constructs cannot set "until they expire" and
// leave it to the service's default.
func (b *builder) mapping(to mapping, failures awssqs.Queue) awslambda.CfnEventSourceMapping {
	m := awslambda.NewCfnEventSourceMapping(b.scope, jsii.String(to.id), &awslambda.CfnEventSourceMappingProps{
		FunctionName:     to.function.FunctionName(),
		EventSourceArn:   to.table.TableStreamArn(),
		Enabled:          jsii.Bool(true),
		StartingPosition: jsii.String("TRIM_HORIZON"),
		FilterCriteria:   &awslambda.CfnEventSourceMapping_FilterCriteriaProperty{Filters: to.filters},
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
	m.OverrideLogicalId(jsii.String(to.id))
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
	suspended := map[string]any{"dynamodb": map[string]any{"NewImage": map[string]any{
		table.AttrType: map[string]any{"S": []string{string(table.AccountKind)}}, table.AttrSuspended: exists,
	}}}
	return patterns(present, gone, banned, later, suspended)
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
