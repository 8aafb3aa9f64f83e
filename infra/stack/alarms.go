package stack

import (
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/internal/table"
)

const (
	// alarmMinutes is the period over which metrics are aggregated.
	alarmMinutes = 5
	// anyCount raises an alarm at the first event, because a crash or a lost record is always a
	// fault.
	anyCount = 1
	// toleratedThrottles is the number of throttles in a period without an alarm. Retries hide
	// them.
	toleratedThrottles = 20
	// lateMinutes is the tolerated delay of feeds. A few failures of DynamoDB are over by then, and
	// most of the stream's 24 hours are left to act.
	lateMinutes = 10
	msPerMinute = 60_000
	// errorPercent is the share of requests that may fail. A share suits a team of five and one of
	// five thousand; a count suits only one of them.
	errorPercent = 5
	// refusedPercent is the share of requests that may be answered with 401 or 403. Clients renew
	// their tokens before they expire, and request only what their users may read.
	refusedPercent = 20
	// slowMs is the time in which 95 % of requests must be answered. A function needs some 15 ms
	// for one, and a search 600 ms. Longer than a second, and people notice that they wait.
	slowMs = msPerMinute / 60
	// canaryMisses is the number of runs in canaryWindow minutes that must fail. One may fail in a
	// deploy.
	canaryMisses = 2
	canaryWindow = 3 * canaryMinutes
	// stoppedPeriods is the number of periods without a poll after which the mapping has stopped.
	// Lambda polls every second or so, and an update of the mapping interrupts it for a minute or
	// two.
	stoppedPeriods = 3
)

// errorRatio is the percentage of requests answered with 5xx. One or two errors never count: at
// night they would be half of all requests.
const errorRatio = "IF(errors >= 3, 100 * errors / requests, 0)"

// refusedRatio is the percentage of requests answered with 401 or 403. A stranger's tool that
// tries some addresses at night would be all of the requests, so fewer than 50 never count.
const refusedRatio = "IF(refused >= 50, 100 * refused / requests, 0)"

// watched are the resources that the alarms and the dashboard show.
type watched struct {
	tables    tables
	api       awsapigatewayv2.HttpApi
	sockets   awsapigatewayv2.WebSocketApi
	functions []namedFunction
	feed      awslambda.Function
	mapping   awslambda.CfnEventSourceMapping
	failures  awssqs.Queue
	canary    awslambda.Function // nil if there is none
	// outbox and outboxMapping are nil without hooks. The dashboard, which shows fifty metrics for
	// free, has none of theirs.
	outbox        awslambda.Function
	outboxMapping awslambda.CfnEventSourceMapping
	// deliver and wakes are nil without hooks, too.
	deliver awslambda.Function
	wakes   wakes
}

type namedFunction struct {
	name string
	awslambda.Function
}

// alarm describes an alarm that is raised when the metric reaches the threshold in one period.
type alarm struct {
	id, description string
	metric          awscloudwatch.IMetric
	threshold       float64
	silence         silence
	// percentile marks a metric whose statistic is a percentile. The alarm keeps its state while
	// there are too few requests for it: 200 in a period for p95.
	percentile bool
}

// silence is the meaning of a metric's missing data.
type silence int

const (
	// quiet: nothing happened, and nothing is wrong.
	quiet silence = iota
	// suspicious: an expected event is missing.
	suspicious
	// onlySilence: the alarm is about missing data. It is raised when the metric is below the
	// threshold, or missing, for stoppedPeriods.
	onlySilence
)

// alarms creates the alarms of an environment that has them, the dashboard and the budget.
// CloudWatch charges for each metric that an alarm reads, even at rest. docs/runbooks.md has the
// sum, and a test computes it.
func (b *builder) alarms(w watched) {
	if !b.Config.Alarms.Enabled {
		return
	}
	var all []alarm
	all = append(all, b.functionAlarms(w)...)
	all = append(all, requestAlarms(w)...)
	all = append(all, b.answerAlarms(w.api)...)
	all = append(all, feedAlarms(w)...)
	all = append(all, outboxAlarms(w)...)
	all = append(all, deliverAlarms(w)...)
	all = append(all, b.deliveryAlarms()...)
	all = append(all, b.filesAlarm())
	all = append(all, b.bucketAlarms()...)
	if w.canary != nil {
		all = append(all, canaryAlarm(w.canary))
	}
	topic := b.alarmTopic()
	var made []awscloudwatch.Alarm
	for _, a := range all {
		alarm := b.alarm(a)
		if topic != nil {
			alarm.AddAlarmAction(awscloudwatchactions.NewSnsAction(topic))
			alarm.AddOkAction(awscloudwatchactions.NewSnsAction(topic))
		}
		made = append(made, alarm)
	}
	b.dashboard(w, made)
	b.budget(topic)
}

// functionAlarms watch whether the functions run.
func (b *builder) functionAlarms(w watched) []alarm {
	var all []alarm
	functions := w.functions
	if w.outbox != nil {
		functions = append(
			slices.Clone(functions), namedFunction{"Outbox", w.outbox}, namedFunction{"Deliver", w.deliver},
		)
	}
	for _, f := range functions {
		var errors awscloudwatch.IMetric = f.MetricErrors(sum())
		if f.name == "Authorizer" {
			errors = b.logMetric(logMetric{
				name: "AuthorizerFailures", log: "AuthorizerLogs", pattern: authorizerFailed, value: "1",
			})
		}
		all = append(all,
			alarm{
				id: f.name + "Errors", description: "The function crashed or timed out", metric: errors,
				threshold: anyCount,
			},
			alarm{
				id:          f.name + "Throttles",
				description: "Lambda refused to run the function: raise the account's concurrency",
				metric:      f.MetricThrottles(sum()), threshold: anyCount,
			},
		)
	}
	return all
}

// requestAlarms watch the API's responses, and the tables.
func requestAlarms(w watched) []alarm {
	return []alarm{
		{
			id: "ApiErrors", description: "5 % or more of the API's responses are 5xx", metric: failedShare(w.api),
			threshold: errorPercent,
		},
		{
			id: "TableWriteThrottles", description: "DynamoDB refuses writes to the table",
			metric: throttles(w.tables.chat, "Write"), threshold: toleratedThrottles,
		},
		{
			id: "TableReadThrottles", description: "DynamoDB refuses reads of the table",
			metric: throttles(w.tables.chat, "Read"), threshold: toleratedThrottles,
		},
		{
			id: "IndexWriteThrottles", description: "DynamoDB refuses writes to the index: a room needs more shards",
			metric: indexThrottles(w.tables.chat, "Write"), threshold: toleratedThrottles,
		},
		{
			id:          "IndexReadThrottles",
			description: "DynamoDB refuses reads of the index: a room has more readers than its shards allow",
			metric:      indexThrottles(w.tables.chat, "Read"), threshold: toleratedThrottles,
		},
		{
			id: "LogTableWriteThrottles", description: "DynamoDB refuses writes to the activity log",
			metric: throttles(w.tables.log, "Write"), threshold: toleratedThrottles,
		},
		{
			id: "LogTableReadThrottles", description: "DynamoDB refuses reads of the activity log",
			metric: throttles(w.tables.log, "Read"), threshold: toleratedThrottles,
		},
		{
			id: "LiveTableWriteThrottles", description: "DynamoDB refuses rows of connections",
			metric: throttles(w.tables.live, "Write"), threshold: toleratedThrottles,
		},
		{
			id: "LiveTableReadThrottles", description: "DynamoDB refuses to list the connections of a room",
			metric: throttles(w.tables.live, "Read"), threshold: toleratedThrottles,
		},
	}
}

// answerAlarms watch whether callers are refused, and whether they wait.
func (b *builder) answerAlarms(api awsapigatewayv2.HttpApi) []alarm {
	refused := awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: jsii.String(refusedRatio),
		UsingMetrics: &map[string]awscloudwatch.IMetric{
			"refused":  b.logMetric(logMetric{name: "Refusals", log: "AccessLogs", pattern: refusals, value: "1"}),
			"requests": requestCount(api),
		},
		Label: jsii.String("401 and 403 in percent"), Period: window(),
	})
	latency := api.MetricLatency(&awscloudwatch.MetricOptions{Statistic: jsii.String("p95"), Period: window()})
	return []alarm{
		{
			id: "ApiRefusals", description: "20 % or more of the API's responses are 401 or 403", metric: refused,
			threshold: refusedPercent,
		},
		{
			id: "ApiLatency", description: "5 % or more of the API's responses take a second or longer",
			metric: latency, threshold: slowMs, percentile: true,
		},
	}
}

// requestCount returns the number of requests to the API.
func requestCount(api awsapigatewayv2.HttpApi) awscloudwatch.IMetric {
	return api.MetricCount(&awscloudwatch.MetricOptions{Statistic: jsii.String("SampleCount"), Period: window()})
}

// feedAlarms watch the way from the table's stream into the feeds. FeedAge has no data while the
// function is not called, so FeedStopped watches whether Lambda polls the stream.
func feedAlarms(w watched) []alarm {
	return []alarm{
		{
			id: "FeedAge", description: "The feeds of rooms are late; the stream drops changes after 24 hours",
			metric: w.feed.Metric(jsii.String("IteratorAge"), largest()), threshold: lateMinutes * msPerMinute,
		},
		{
			id:          "FeedStopped",
			description: "Lambda does not read the table's stream: the mapping is disabled, deleted or lacks the right",
			metric:      events(w.mapping, "PolledEventCount", "SampleCount"), threshold: 1, silence: onlySilence,
		},
		{
			id:          "FeedDropped",
			description: "Changes are lost: Lambda gave up and could not send them to the failure queue",
			metric:      events(w.mapping, "DroppedEventCount", "Sum"), threshold: anyCount,
		},
		{
			id: "FeedGivenUp", description: "Lambda gave up on changes: the failure queue names them",
			metric: events(w.mapping, "OnFailureDestinationDeliveredEventCount", "Sum"), threshold: anyCount,
		},
		{
			id: "FailureQueueHolds", description: "A change could not be appended to a feed: look at the failure queue",
			metric: w.failures.MetricApproximateNumberOfMessagesVisible(largest()), threshold: anyCount,
		},
	}
}

// canaryAlarm watches the results of the canary, and whether it runs.
func canaryAlarm(canary awslambda.Function) alarm {
	errors := canary.MetricErrors(&awscloudwatch.MetricOptions{
		Statistic: jsii.String("Sum"), Period: awscdk.Duration_Minutes(jsii.Number(canaryWindow)),
	})
	return alarm{
		id: "CanaryFails", description: "The canary cannot post a message and see its change, or does not run",
		metric: errors, threshold: canaryMisses, silence: suspicious,
	}
}

// alarm creates one alarm. Its name consists of the stack's name and its id, so commands can refer
// to it.
func (b *builder) alarm(a alarm) awscloudwatch.Alarm {
	props := &awscloudwatch.AlarmProps{
		AlarmName:          jsii.String(Name(b.Config) + "-" + a.id),
		AlarmDescription:   jsii.String(a.description),
		Metric:             a.metric,
		Threshold:          jsii.Number(a.threshold),
		EvaluationPeriods:  jsii.Number(1),
		ComparisonOperator: awscloudwatch.ComparisonOperator_GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
		TreatMissingData:   awscloudwatch.TreatMissingData_NOT_BREACHING,
	}
	if a.silence != quiet {
		props.TreatMissingData = awscloudwatch.TreatMissingData_BREACHING
	}
	if a.percentile {
		props.EvaluateLowSampleCountPercentile = jsii.String("ignore")
	}
	if a.silence == onlySilence {
		props.EvaluationPeriods = jsii.Number(stoppedPeriods)
		props.ComparisonOperator = awscloudwatch.ComparisonOperator_LESS_THAN_THRESHOLD
	}
	made := awscloudwatch.NewAlarm(b.scope, jsii.String(a.id), props)
	fixID(made, a.id)
	return made
}

// failedShare returns errorRatio of the API.
func failedShare(api awsapigatewayv2.HttpApi) awscloudwatch.IMetric {
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: jsii.String(errorRatio),
		UsingMetrics: &map[string]awscloudwatch.IMetric{
			"errors":   api.MetricServerError(sum()),
			"requests": requestCount(api),
		},
		Label: jsii.String("5xx in percent"), Period: window(),
	})
}

// throttles returns the requests to a table that DynamoDB refuses, without its index. The kind is
// Write or Read.
func throttles(t awsdynamodb.ITableV2, kind string) awscloudwatch.IMetric {
	return tableMetric(t, kind+"ThrottleEvents", "")
}

// indexThrottles returns the refused requests to the index, which DynamoDB counts only under the
// index's name.
func indexThrottles(t awsdynamodb.ITableV2, kind string) awscloudwatch.IMetric {
	return tableMetric(t, kind+"ThrottleEvents", table.Index)
}

// tableMetric returns the sum of a metric of a table, or of its index if one is named.
func tableMetric(t awsdynamodb.ITableV2, name, index string) awscloudwatch.IMetric {
	dimensions := map[string]*string{"TableName": t.TableName()}
	if index != "" {
		dimensions["GlobalSecondaryIndexName"] = jsii.String(index)
	}
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String("AWS/DynamoDB"), MetricName: jsii.String(name), DimensionsMap: &dimensions,
		Statistic: jsii.String("Sum"), Period: window(),
	})
}

// events returns a metric that the mapping's MetricsConfig turns on.
func events(mapping awslambda.CfnEventSourceMapping, name, statistic string) awscloudwatch.IMetric {
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String("AWS/Lambda"), MetricName: jsii.String(name),
		DimensionsMap: &map[string]*string{"EventSourceMappingUUID": mapping.Ref()},
		Statistic:     jsii.String(statistic), Period: window(),
	})
}

func sum() *awscloudwatch.MetricOptions {
	return &awscloudwatch.MetricOptions{Statistic: jsii.String("Sum"), Period: window()}
}

func largest() *awscloudwatch.MetricOptions {
	return &awscloudwatch.MetricOptions{Statistic: jsii.String("Maximum"), Period: window()}
}

func window() awscdk.Duration { return awscdk.Duration_Minutes(jsii.Number(alarmMinutes)) }
