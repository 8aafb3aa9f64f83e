package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"parley/internal/table"
)

const (
	// alarmMinutes is the period that metrics are aggregated over.
	alarmMinutes = 5
	// anyCount raises an alarm at the first event: a crash or a lost record is always a fault.
	anyCount = 1
	// toleratedThrottles may pass in a period without an alarm, because retries hide them.
	toleratedThrottles = 20
	// lateMinutes is how far the feeds may fall behind. A few failures of DynamoDB are over by then,
	// and most of the stream's 24 hours are left to act.
	lateMinutes = 10
	msPerMinute = 60_000
	// errorPercent is the share of requests that may fail. A share works for a team of five and for
	// one of five thousand; a count works for one of them.
	errorPercent = 5
	// canaryMisses is how many of the runs in canaryWindow minutes must fail: one may, in a deploy.
	canaryMisses = 2
	canaryWindow = 3 * canaryMinutes
	// stoppedPeriods is how many periods without a poll mean that the mapping has stopped. Lambda
	// polls every second or so, and an update of the mapping interrupts it for a minute or two.
	stoppedPeriods = 3
)

// errorRatio is the percentage of requests that were answered with 5xx. One or two errors never
// count: at night they would be half of all requests.
const errorRatio = "IF(errors >= 3, 100 * errors / requests, 0)"

// watched is what the alarms and the dashboard look at.
type watched struct {
	tables    tables
	api       awsapigatewayv2.HttpApi
	functions []namedFunction
	feed      awslambda.Function
	mapping   awslambda.CfnEventSourceMapping
	failures  awssqs.Queue
	canary    awslambda.Function // nil where there is none
}

type namedFunction struct {
	name string
	awslambda.Function
}

// alarm is one alarm. It is raised when the metric reaches the threshold in one period.
type alarm struct {
	id, description string
	metric          awscloudwatch.IMetric
	threshold       float64
	silence         silence
}

// silence says what it means that a metric has no data.
type silence int

const (
	// quiet: nothing happened, and nothing is wrong.
	quiet silence = iota
	// suspicious: what should have happened did not.
	suspicious
	// onlySilence: the lack of data is what the alarm is about. It is raised when the metric stays
	// below the threshold, or without data, for stoppedPeriods.
	onlySilence
)

// alarms makes the alarms of an environment that has them, the dashboard and the budget. CloudWatch charges for each metric that
// an alarm reads, whether anybody talks or not: docs/alarms.md has the sum, and a test computes it.
func (b *builder) alarms(w watched) {
	if !b.Config.Alarms.Enabled {
		return
	}
	var all []alarm
	all = append(all, functionAlarms(w)...)
	all = append(all, requestAlarms(w)...)
	all = append(all, feedAlarms(w)...)
	if w.canary != nil {
		all = append(all, canaryAlarm(w.canary))
	}
	topic := b.alarmTopic()
	var made []awscloudwatch.Alarm
	for _, a := range all {
		alarm := b.alarm(a)
		if topic != nil {
			alarm.AddAlarmAction(awscloudwatchactions.NewSnsAction(topic))
		}
		made = append(made, alarm)
	}
	b.dashboard(w, made)
	b.budget()
}

// functionAlarms watch whether the functions run at all.
func functionAlarms(w watched) []alarm {
	var all []alarm
	for _, f := range w.functions {
		all = append(all,
			alarm{id: f.name + "Errors", description: "The function crashed or ran out of time", metric: f.MetricErrors(sum()), threshold: anyCount},
			alarm{id: f.name + "Throttles", description: "Lambda had no room to run the function: raise the account's concurrency", metric: f.MetricThrottles(sum()), threshold: anyCount},
		)
	}
	return all
}

// requestAlarms watch what callers get, and the tables behind it.
func requestAlarms(w watched) []alarm {
	return []alarm{
		{id: "ApiErrors", description: "Of the API's answers, 5 % or more are 5xx", metric: failedShare(w.api), threshold: errorPercent},
		{id: "TableWriteThrottles", description: "DynamoDB refuses writes to the table", metric: throttles(w.tables.chat, "Write"), threshold: toleratedThrottles},
		{id: "TableReadThrottles", description: "DynamoDB refuses reads of the table", metric: throttles(w.tables.chat, "Read"), threshold: toleratedThrottles},
		{id: "IndexWriteThrottles", description: "DynamoDB refuses writes to the index: a room needs more shards", metric: indexThrottles(w.tables.chat, "Write"), threshold: toleratedThrottles},
		{id: "IndexReadThrottles", description: "DynamoDB refuses reads of the index: a room has more readers than its shards allow", metric: indexThrottles(w.tables.chat, "Read"), threshold: toleratedThrottles},
		{id: "LogTableWriteThrottles", description: "DynamoDB refuses writes to the activity log", metric: throttles(w.tables.log, "Write"), threshold: toleratedThrottles},
		{id: "LogTableReadThrottles", description: "DynamoDB refuses reads of the activity log", metric: throttles(w.tables.log, "Read"), threshold: toleratedThrottles},
	}
}

// feedAlarms watch the way from the table's stream into the feeds. FeedAge is silent while the
// function is not called, so FeedStopped watches whether the stream is polled.
func feedAlarms(w watched) []alarm {
	return []alarm{
		{id: "FeedAge", description: "The feeds of rooms are late: the stream drops changes after 24 hours", metric: w.feed.Metric(jsii.String("IteratorAge"), largest()), threshold: lateMinutes * msPerMinute},
		{id: "FeedStopped", description: "Nobody reads the table's stream: the mapping is disabled, deleted or may not read", metric: events(w.mapping, "PolledEventCount", "SampleCount"), threshold: 1, silence: onlySilence},
		{id: "FeedDropped", description: "Changes are lost: Lambda gave them up and could not tell the failure queue", metric: events(w.mapping, "DroppedEventCount", "Sum"), threshold: anyCount},
		{id: "FeedGivenUp", description: "Lambda gave up changes: the failure queue says which", metric: events(w.mapping, "OnFailureDestinationDeliveredEventCount", "Sum"), threshold: anyCount},
		{id: "FailureQueueHolds", description: "A change could not be entered into a feed: look at the failure queue", metric: w.failures.MetricApproximateNumberOfMessagesVisible(largest()), threshold: anyCount},
	}
}

// canaryAlarm watches the canary, and that it runs at all.
func canaryAlarm(canary awslambda.Function) alarm {
	errors := canary.MetricErrors(&awscloudwatch.MetricOptions{Statistic: jsii.String("Sum"), Period: awscdk.Duration_Minutes(jsii.Number(canaryWindow))})
	return alarm{id: "CanaryFails", description: "The canary cannot post a message and see its change, or does not run", metric: errors, threshold: canaryMisses, silence: suspicious}
}

// alarm makes one alarm. Its name is the stack's and its id, so that a command can name it.
func (b *builder) alarm(a alarm) awscloudwatch.Alarm {
	props := &awscloudwatch.AlarmProps{
		AlarmName:          jsii.String(Name(b.Config.Env) + "-" + a.id),
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
	if a.silence == onlySilence {
		props.EvaluationPeriods = jsii.Number(stoppedPeriods)
		props.ComparisonOperator = awscloudwatch.ComparisonOperator_LESS_THAN_THRESHOLD
	}
	made := awscloudwatch.NewAlarm(b.scope, jsii.String(a.id), props)
	fixID(made, a.id)
	return made
}

// failedShare is errorRatio of the API.
func failedShare(api awsapigatewayv2.HttpApi) awscloudwatch.IMetric {
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: jsii.String(errorRatio),
		UsingMetrics: &map[string]awscloudwatch.IMetric{
			"errors":   api.MetricServerError(sum()),
			"requests": api.MetricCount(&awscloudwatch.MetricOptions{Statistic: jsii.String("SampleCount"), Period: window()}),
		},
		Label: jsii.String("5xx in percent"), Period: window(),
	})
}

// throttles counts what DynamoDB refuses of a table, the index left out. The kind is Write or Read.
func throttles(t awsdynamodb.ITableV2, kind string) awscloudwatch.IMetric {
	return tableMetric(t, kind+"ThrottleEvents", "")
}

// indexThrottles counts what it refuses of the index, under whose name alone it counts that.
func indexThrottles(t awsdynamodb.ITableV2, kind string) awscloudwatch.IMetric {
	return tableMetric(t, kind+"ThrottleEvents", table.Index)
}

// tableMetric is the sum of a metric of a table, or of its index if one is named.
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

// events is one of the metrics that the mapping's MetricsConfig turns on.
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
