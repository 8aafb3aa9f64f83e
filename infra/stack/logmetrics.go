package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/internal/live"
	"example.com/parley/internal/search"
)

// authorizerFailed matches the lines of failures in the authorizer's log. An invalid token is not
// a failure, although Lambda counts it among the errors: API Gateway answers 401 only to an
// error. The other conditions match Lambda's own lines, about calls that took too long and
// processes that ended.
const authorizerFailed = `{ $.level = "ERROR" || $.record.status = "timeout" || $.record.errorType = "Runtime.ExitError" }`

// refusals matches the lines of requests in the API's log that were answered with 401 or 403. The
// log has the status as a text.
const refusals = `{ $.status = "401" || $.status = "403" }`

// filesRemain matches the lines of failures to remove the files of deleted messages.
const filesRemain = `{ $.msg = "projection failed" && $.projection = "*attachment.Projection" }`

// indexNotStored matches the lines of searches that could not store their index.
const indexNotStored = `{ $.msg = "` + search.NotStoredLine + `" }`

// filesRefused matches the lines of requests that failed because the write function lacks a right
// on the bucket of files.
const filesRefused = `{ $.cause = "*a file: status 403" }`

const (
	// toleratedFailures is the number of such failures in a period without an alarm. The stream
	// retries, and so does the next search, so one of them is soon over. A lasting one repeats.
	toleratedFailures = 3
	// toleratedDrops is the number of connections that may miss a change in a period. A client on
	// a train occasionally misses one, and requests it at its next sync.
	toleratedDrops = 20
	// toleratedCuts is the number of connections that may wait for the next batch in a period,
	// in which some hundred batches are delivered. Two bursts in a large room leave that many.
	toleratedCuts = 2000
	// toleratedThrottling is how often processes may lower their pace in a period. A lasting
	// overload makes one process do so every seven seconds, 40 times. Two people with more than
	// ten connections that read nothing could at most once a minute.
	toleratedThrottling = 10
	// toleratedPacing is the time, in milliseconds, that frames may wait for their turn in a
	// period: a tenth of the period. More means that the rate limits live delivery.
	toleratedPacing = alarmMinutes * msPerMinute / 10
)

// deliveryAlarms watch, by the feed function's log lines, whether connections receive changes in
// time.
func (b *builder) deliveryAlarms() []alarm {
	count := func(name, field string) awscloudwatch.IMetric {
		return b.logMetric(logMetric{
			name: name, log: "FeedLogs", value: "$." + field,
			pattern: `{ $.msg = "` + live.DeliveryLine + `" && $.` + field + ` > 0 }`,
		})
	}
	return []alarm{
		{
			id: "DeliveryDropped",
			description: "Single clients do not read their live changes: the account is not throttled unless " +
				"DeliveryThrottled is raised too",
			metric: count("Dropped", live.LogDropped), threshold: toleratedDrops,
		},
		{
			id:          "DeliveryCut",
			description: "Live changes wait for the next batch: a room has more listeners than a batch reaches",
			metric:      count("Cut", live.LogCut), threshold: toleratedCuts,
		},
		{
			id: "DeliveryThrottled",
			description: "API Gateway refuses frames to many connections within a second: the account sends too many " +
				"requests",
			metric: count("Throttled", live.LogThrottled), threshold: toleratedThrottling,
		},
		{
			id: "DeliveryPaced", description: "Live changes wait for the account's rate of requests",
			metric: count("PacedMilliseconds", live.LogPaced), threshold: toleratedPacing,
		},
	}
}

// filesAlarm watches whether deleted files are removed. Until they are, the feed function
// receives the same changes again, so feeds are late too.
func (b *builder) filesAlarm() alarm {
	failures := b.logMetric(logMetric{name: "FileFailures", log: "FeedLogs", pattern: filesRemain, value: "1"})
	return alarm{
		id: "FilesRemain", description: "Files of deleted messages cannot be removed, and feeds wait for it",
		metric: failures, threshold: toleratedFailures,
	}
}

// bucketAlarms watch whether messages with files are accepted, and whether searches store what
// they have read. Until they can, each reads a room's messages again, slowly and at the cost of the
// reads.
func (b *builder) bucketAlarms() []alarm {
	refusals := b.logMetric(logMetric{name: "FileRefusals", log: "WriteLogs", pattern: filesRefused, value: "1"})
	failures := b.logMetric(logMetric{name: "IndexFailures", log: "SearchLogs", pattern: indexNotStored, value: "1"})
	return []alarm{
		{
			id:          "FilesRefused",
			description: "The write function lacks a right on the bucket of files: messages with files are refused",
			metric:      refusals, threshold: 1,
		},
		{
			id:          "IndexNotStored",
			description: "Searches cannot store their index, and read all messages of a room each time",
			metric:      failures, threshold: toleratedFailures,
		},
	}
}

// logMetric counts lines of a function's log.
type logMetric struct {
	name    string // of the metric, and the filter's logical id
	log     string // the log's logical id
	pattern string
	value   string // a field of the line, or a number
}

// logMetric creates a metric. It costs $0.30 in a month in which a line matches, and nothing in
// others.
func (b *builder) logMetric(m logMetric) awscloudwatch.IMetric {
	filter := awslogs.NewCfnMetricFilter(b.scope, jsii.String(m.name+"Filter"), &awslogs.CfnMetricFilterProps{
		LogGroupName:  b.scope.Node().FindChild(jsii.String(m.log)).(awslogs.LogGroup).LogGroupName(),
		FilterPattern: jsii.String(m.pattern),
		MetricTransformations: []any{&awslogs.CfnMetricFilter_MetricTransformationProperty{
			MetricNamespace: jsii.String(Name(b.Config)), MetricName: jsii.String(m.name),
			MetricValue: jsii.String(m.value),
		}},
	})
	filter.OverrideLogicalId(jsii.String(m.name + "Filter"))
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String(Name(b.Config)), MetricName: jsii.String(m.name), Statistic: jsii.String("Sum"),
		Period: window(),
	})
}
