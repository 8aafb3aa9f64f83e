package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssnssubscriptions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"
)

const (
	// alarmMinutes is the window that is counted in.
	alarmMinutes = 5
	// anyCount: a function that crashes or is refused a place is a fault every time.
	anyCount = 1
	// tolerated is how many failures a window may have where
	// retries hide single ones.
	tolerated = 20
	// lateMinutes is how far behind the stream the feeds may be: a few failures of DynamoDB are over by
	// then, and it leaves most of the stream's 24 hours to act.
	lateMinutes = 10
	msOfMinute  = 60_000
)

// watched is what alarms look at.
type watched struct {
	table     awsdynamodb.TableV2
	api       awsapigatewayv2.HttpApi
	functions []namedFunction
	feed      awslambda.Function
	failures  awssqs.Queue
}

type namedFunction struct {
	name string
	awslambda.Function
}

// alarms read ten metrics in all: as many as an account has free. After those,
// each is $0.10 a month, whether anybody talks or not; so dev has none.
func (b *builder) alarms(w watched) {
	if !b.Config.Alarms.Enabled {
		return
	}
	topic := b.alarmTopic()
	add := func(id, description string, metric awscloudwatch.IMetric, threshold int) {
		alarm := awscloudwatch.NewAlarm(b.scope, jsii.String(id), &awscloudwatch.AlarmProps{
			AlarmDescription:   jsii.String(description),
			Metric:             metric,
			Threshold:          jsii.Number(threshold),
			EvaluationPeriods:  jsii.Number(1),
			ComparisonOperator: awscloudwatch.ComparisonOperator_GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
			TreatMissingData:   awscloudwatch.TreatMissingData_NOT_BREACHING,
		})
		fixID(alarm, id)
		if topic != nil {
			alarm.AddAlarmAction(awscloudwatchactions.NewSnsAction(topic))
		}
	}
	for _, f := range w.functions {
		add(f.name+"Errors", "The function crashed or ran out of time", f.MetricErrors(sum()), anyCount)
		add(f.name+"Throttles", "The function was refused a place to run: raise the account's concurrency", f.MetricThrottles(sum()), anyCount)
	}
	add("ApiErrors", "The API answered 5xx", w.api.MetricServerError(sum()), tolerated)
	add("TableThrottles", "DynamoDB throttles messages: a room needs more shards", throttled(w.table), tolerated)
	add("FeedAge", "The feeds of rooms are late: what the stream drops after 24 hours is missing from them", w.feed.Metric(jsii.String("IteratorAge"), largest()), lateMinutes*msOfMinute)
	add("FailureQueueHolds", "A change could not be entered into a feed: look at the failure queue", w.failures.MetricApproximateNumberOfMessagesVisible(largest()), anyCount)
}

// throttled counts refused writes alone, and the main table's: more metrics than are free, when whatever else
// DynamoDB refuses is a 5xx of the API, or makes the feed late.
func throttled(t awsdynamodb.TableV2) awscloudwatch.IMetric {
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String("AWS/DynamoDB"), MetricName: jsii.String("ThrottledRequests"),
		DimensionsMap: &map[string]*string{"TableName": t.TableName(), "Operation": jsii.String("PutItem")},
		Statistic:     jsii.String("Sum"), Period: window(),
	})
}

func sum() *awscloudwatch.MetricOptions {
	return &awscloudwatch.MetricOptions{Statistic: jsii.String("Sum"), Period: window()}
}

func largest() *awscloudwatch.MetricOptions {
	return &awscloudwatch.MetricOptions{Statistic: jsii.String("Maximum"), Period: window()}
}

func window() awscdk.Duration { return awscdk.Duration_Minutes(jsii.Number(alarmMinutes)) }

// alarmTopic mails the alarms, if an address is configured. A topic costs
// nothing at rest and the first 1,000 mails a month are free. It holds names of
// alarms only, and CloudWatch cannot write to one under the account's default key.
func (b *builder) alarmTopic() awssns.ITopic {
	if b.Config.Alarms.Email == "" {
		return nil
	}
	topic := awssns.NewTopic(b.scope, jsii.String("AlarmTopic"), &awssns.TopicProps{EnforceSSL: jsii.Bool(true)})
	fixID(topic, "AlarmTopic")
	topic.AddSubscription(awssnssubscriptions.NewEmailSubscription(jsii.String(b.Config.Alarms.Email), nil))
	except(topic, anAlarmMail)
	return topic
}
