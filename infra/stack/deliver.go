package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awseventstargets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/timer"
)

const (
	// deliverTimeout is in seconds. A call sends one request after another, each for up to 5
	// seconds, and leaves the rest in rows before its time ends.
	deliverTimeout = 60
	// wakeVisibility is in seconds. It covers a whole call that Lambda began late because it was
	// throttled, so that two calls never send to one receiver concurrently. It is also the pause
	// after an error of the table, so it is not longer.
	wakeVisibility = 2 * deliverTimeout
	// wakeDays is the retention of wake-ups, the longest that SQS offers.
	wakeDays = 14
	// maxReceives is how often a wake-up is received before it is given up. A receiver that fails
	// is paused in the queue twice, and then in rows. Errors of the table repeat a wake-up after
	// wakeVisibility, so an outage of more than an hour is survived.
	maxReceives = 50
	// wakeBatch is the number of wake-ups in a batch, the most that a FIFO queue allows.
	wakeBatch = 10
	// timerMinutes is the interval between two looks for due timers: 43,200 a month.
	timerMinutes = 1
)

// timersKey is the partition of all timers.
var timersKey = timer.Keys()[0]

// wakes are the queues of hooks with an address. Both are nil without hooks.
type wakes struct{ queue, dead awssqs.Queue }

// wakeQueues creates the queue of wake-ups, and the queue of those that are given up. A wake-up
// names rooms and positions of their feeds, never people's texts. Both cost nothing at rest. Lambda
// polls the first one.
//
// Wake-ups of one hook are a group: they are received in their order, and one call at a time has
// them. With high throughput, each group may have 300 requests a second.
func (b *builder) wakeQueues() wakes {
	if b.Config.API.Hooks == config.Off {
		return wakes{}
	}
	props := func() *awssqs.QueueProps {
		return &awssqs.QueueProps{
			Fifo: jsii.Bool(true), RetentionPeriod: awscdk.Duration_Days(jsii.Number(wakeDays)),
			Encryption: awssqs.QueueEncryption_SQS_MANAGED, EnforceSSL: jsii.Bool(true),
			// Rows of the table say what waits for hooks, so a removed stack loses wake-ups only.
			RemovalPolicy: awscdk.RemovalPolicy_DESTROY,
		}
	}
	dead := awssqs.NewQueue(b.scope, jsii.String("HookDeadLetters"), props())
	fixID(dead, "HookDeadLetters")
	except(dead, aFailureQueue)
	of := props()
	of.VisibilityTimeout = awscdk.Duration_Seconds(jsii.Number(wakeVisibility))
	of.DeduplicationScope = awssqs.DeduplicationScope_MESSAGE_GROUP
	of.FifoThroughputLimit = awssqs.FifoThroughputLimit_PER_MESSAGE_GROUP_ID
	of.DeadLetterQueue = &awssqs.DeadLetterQueue{Queue: dead, MaxReceiveCount: jsii.Number(maxReceives)}
	queue := awssqs.NewQueue(b.scope, jsii.String("HookQueue"), of)
	fixID(queue, "HookQueue")
	return wakes{queue, dead}
}

// deliver creates the function that sends changes to the addresses of hooks, and its mapping. It is
// nil without hooks.
func (b *builder) deliver(t tables, w wakes) awslambda.Function {
	if w.queue == nil {
		return nil
	}
	fn := b.function(deliverFunction(b.Config, t, w))
	m := awslambda.NewCfnEventSourceMapping(b.scope, jsii.String("DeliverMapping"),
		&awslambda.CfnEventSourceMappingProps{
			FunctionName:          fn.FunctionName(),
			EventSourceArn:        w.queue.QueueArn(),
			Enabled:               jsii.Bool(true),
			BatchSize:             jsii.Number(wakeBatch),
			FunctionResponseTypes: jsii.Strings("ReportBatchItemFailures"),
			ScalingConfig: &awslambda.CfnEventSourceMapping_ScalingConfigProperty{
				MaximumConcurrency: jsii.Number(b.Config.API.HookConcurrency),
			},
		})
	m.OverrideLogicalId(jsii.String("DeliverMapping"))
	except(m, aQueueMapping)
	return fn
}

// deliverFunction describes the deliver function. It reads hooks, the feeds of their rooms and the
// messages that these name, and keeps how far each receiver has come. It deletes a room's hook
// whose person no longer owns the room. It writes no message and no feed. With the same role,
// Lambda polls the queue.
func deliverFunction(cfg config.Config, t tables, w wakes) function {
	return function{
		name: "deliver", id: "Deliver", description: "Sends changes to the addresses of hooks", size: cfg.Deliver,
		timeout: deliverTimeout, endpoints: []string{shared.EnvDynamoDBEndpoint, shared.EnvSQSEndpoint},
		subject: aDeliverer,
		variables: map[string]*string{
			shared.EnvTable: t.chat.TableName(), shared.EnvLogLevel: jsii.String(cfg.Logs.Level),
			shared.EnvHooks: jsii.String(cfg.API.Hooks), shared.EnvHookQueue: w.queue.QueueUrl(),
		},
		grants: []grant{
			{
				sid: "EndHooks", resource: t.chat.TableArn(), keys: onlyKeys(hooksKey),
				actions: []string{"dynamodb:DeleteItem", "dynamodb:GetItem"},
			},
			{
				sid: "MoveHooks", resource: t.chat.TableArn(), keys: onlyKeys(hookRowKeys),
				actions: []string{"dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"},
			},
			{
				sid: "SetTimers", resource: t.chat.TableArn(), keys: onlyKeys(timersKey),
				actions: []string{"dynamodb:PutItem"},
			},
			{
				sid: "ReadFeeds", resource: t.chat.TableArn(), keys: onlyKeys(feedKeys),
				actions: []string{"dynamodb:GetItem", "dynamodb:Query"},
			},
			{
				sid: "ReadRooms", resource: t.chat.TableArn(), keys: onlyKeys(roomKeys),
				actions: []string{"dynamodb:GetItem", "dynamodb:Query"},
			},
			{
				sid: "FindMessages", resource: indexARN(t.chat), keys: notKeys(separated),
				actions: []string{"dynamodb:Query"},
			},
			{
				sid: "ReadMessages", resource: t.chat.TableArn(), keys: notKeys(separated),
				actions: []string{"dynamodb:BatchGetItem"},
			},
			{
				sid: "ReadMembers", resource: t.chat.TableArn(), keys: onlyKeys(personKeys),
				actions: []string{"dynamodb:BatchGetItem", "dynamodb:GetItem"},
			},
			{
				sid: "EndWakes", resource: w.queue.QueueArn(),
				actions: []string{"sqs:ChangeMessageVisibility", "sqs:DeleteMessage"},
			},
			{
				sid: "PollQueue", resource: w.queue.QueueArn(),
				actions: []string{"sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"},
			},
		},
	}
}

// timers creates the schedule by which the outbox looks for due timers. A month of it costs $0.01
// for the calls, and $0.04 for reads.
func (b *builder) timers(outbox awslambda.Function) {
	target := awseventstargets.NewLambdaFunction(outbox, &awseventstargets.LambdaFunctionProps{
		Event: awsevents.RuleTargetInput_FromObject(map[string]bool{"sweep": true}),
		// A late run is useless, because the next one is near.
		RetryAttempts: jsii.Number(0), MaxEventAge: awscdk.Duration_Minutes(jsii.Number(timerMinutes)),
	})
	rule := awsevents.NewRule(b.scope, jsii.String("TimerSchedule"), &awsevents.RuleProps{
		Description: jsii.String("Schedule of the timers of hooks"),
		Schedule:    awsevents.Schedule_Rate(awscdk.Duration_Minutes(jsii.Number(timerMinutes))),
		Targets:     &[]awsevents.IRuleTarget{target},
	})
	fixID(rule, "TimerSchedule")
	except(rule, aTimer)
}

const (
	// lateWakeMinutes is the age of a wake-up that raises an alarm. Pauses in the queue are shorter
	// than two minutes, and an error of the table costs wakeVisibility, a few times in a row.
	lateWakeMinutes  = 15
	secondsPerMinute = 60
)

// deliverAlarms watch the queue of hooks with an address.
func deliverAlarms(w watched) []alarm {
	if w.deliver == nil {
		return nil
	}
	return []alarm{
		{
			id: "DeliverAge", description: "Changes wait for the addresses of hooks: raise HookConcurrency",
			metric:    w.wakes.queue.MetricApproximateAgeOfOldestMessage(largest()),
			threshold: lateWakeMinutes * secondsPerMinute,
		},
		{
			id: "HookDeadLettersHold", description: "Wake-ups of hooks were given up: look at the dead-letter queue",
			metric: w.wakes.dead.MetricApproximateNumberOfMessagesVisible(largest()), threshold: anyCount,
		},
	}
}
