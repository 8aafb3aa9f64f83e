package stack

import (
	"encoding/json"

	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/table"
)

// outboxTimeout is in seconds. A batch of a thousand rooms that 200 hooks have is 200,000 writes,
// 16 at a time; Lambda halves a batch that takes longer.
const outboxTimeout = 60

// hooksKey is the partition of all hooks, and hookRowKeys matches the partitions of their rows.
var hooksKey, hookRowKeys = hook.Keys()[0], hook.Keys()[1]

// outbox creates the function that notes news for hooks, the mapping that calls it, and the
// schedule of its timers. All are nil without hooks.
func (b *builder) outbox(
	t tables, failures awssqs.Queue, w wakes,
) (awslambda.Function, awslambda.CfnEventSourceMapping) {
	if b.Config.API.Hooks == config.Off {
		return nil, nil
	}
	fn := b.function(outboxFunction(b.Config, t, failures, w))
	except(fn.Role(), aConsumersRole)
	b.timers(fn)
	return fn, b.mapping(mapping{id: "OutboxMapping", table: t.chat, function: fn, filters: newsFilters()}, failures)
}

// outboxFunction describes the outbox function. It may read which hooks there are, note in their
// rows that rooms have changed, wake the deliver function, and end timers: it sees no change, only
// the stream's images of segments, which name messages. With the same role, Lambda reads the
// stream.
func outboxFunction(cfg config.Config, t tables, failures awssqs.Queue, w wakes) function {
	return function{
		name: "outbox", id: "Outbox", description: "Notes news for hooks", size: cfg.Outbox,
		timeout: outboxTimeout, endpoints: []string{shared.EnvDynamoDBEndpoint, shared.EnvSQSEndpoint},
		subject: aConsumer,
		variables: map[string]*string{
			shared.EnvTable: t.chat.TableName(), shared.EnvLogLevel: jsii.String(cfg.Logs.Level),
			shared.EnvHooks: jsii.String(cfg.API.Hooks), shared.EnvHookQueue: w.queue.QueueUrl(),
		},
		grants: append([]grant{
			{
				sid: "ReadHooks", resource: t.chat.TableArn(), keys: onlyKeys(hooksKey),
				actions: []string{"dynamodb:Query"},
			},
			{
				sid: "WakeHooks", resource: t.chat.TableArn(), keys: onlyKeys(hookRowKeys),
				actions: []string{"dynamodb:UpdateItem"},
			},
			{
				sid: "EndTimers", resource: t.chat.TableArn(), keys: onlyKeys(timersKey),
				actions: []string{"dynamodb:DeleteItem", "dynamodb:Query"},
			},
			{sid: "SendWakes", resource: w.queue.QueueArn(), actions: []string{"sqs:SendMessage"}},
			// Lambda uses this grant for the records that the mapping gives up.
			{sid: "GiveUp", resource: failures.QueueArn(), actions: []string{"sqs:SendMessage"}},
		}, streamGrants(t)...),
	}
}

// newsFilters returns the patterns of records that the outbox receives: new segments, changed
// rooms, which may be deleted, and changed hooks.
func newsFilters() []any {
	return patterns(map[string]any{"dynamodb": image("NewImage", table.OutboxTypes())})
}

// patterns encodes patterns of records.
func patterns(all ...map[string]any) (filters []any) {
	for _, pattern := range all {
		text, err := json.Marshal(pattern)
		if err != nil {
			panic("encode a filter: " + err.Error())
		}
		filters = append(filters, &awslambda.CfnEventSourceMapping_FilterProperty{Pattern: jsii.String(string(text))})
	}
	return filters
}

// outboxAlarms watch the way from the table's stream to hooks.
func outboxAlarms(w watched) []alarm {
	if w.outbox == nil {
		return nil
	}
	return []alarm{
		{
			id: "OutboxAge", description: "Hooks are told late of changes; the stream drops changes after 24 hours",
			metric: w.outbox.Metric(jsii.String("IteratorAge"), largest()), threshold: lateMinutes * msPerMinute,
		},
		{
			id:          "OutboxStopped",
			description: "Lambda does not read the table's stream for hooks: the mapping is disabled or deleted",
			metric:      events(w.outboxMapping, "PolledEventCount", "SampleCount"), threshold: 1, silence: onlySilence,
		},
		{
			id: "OutboxGivenUp", description: "Lambda gave up on changes for hooks: the failure queue names them",
			metric:    events(w.outboxMapping, "OnFailureDestinationDeliveredEventCount", "Sum"),
			threshold: anyCount,
		},
	}
}
