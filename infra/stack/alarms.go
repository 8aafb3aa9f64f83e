package stack

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssnssubscriptions"
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
)

// watched is what alarms look at.
type watched struct {
	tables    tables
	api       awsapigatewayv2.HttpApi
	functions []namedFunction
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
	add("TableThrottles", "DynamoDB throttles: a room needs more shards", throttled(w.tables), tolerated)
	add("TableErrors", "DynamoDB fails by itself: see the AWS Health Dashboard", failed(w.tables), tolerated)
}

// throttled watches what posts, what changes rooms, members, people and documents, and what reads
// lists. It leaves out the main table's GetItem: more metrics than are free, when a read
// that is throttled is a 5xx of the API. So is a throttled report to the activity log, and nobody
// reports faster than their token bucket fills.
func throttled(t tables) awscloudwatch.IMetric {
	return operations("ThrottledRequests", t.chat, "PutItem", "TransactWriteItems", "Query")
}

// failed leaves out all reads, and the activity log, for the same reason: when DynamoDB
// fails by itself, it fails for both tables.
func failed(t tables) awscloudwatch.IMetric {
	return operations("SystemErrors", t.chat, "PutItem", "TransactWriteItems")
}

// operations sums a metric over operations on a table.
func operations(name string, t awsdynamodb.TableV2, ops ...string) awscloudwatch.IMetric {
	metrics, terms := map[string]awscloudwatch.IMetric{}, []string{}
	for _, op := range ops {
		id := strings.ToLower(op)
		metrics[id], terms = operation(name, t, op), append(terms, id)
	}
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: jsii.String(strings.Join(terms, " + ")), UsingMetrics: &metrics,
		Label: jsii.String(name), Period: window(),
	})
}

func operation(name string, t awsdynamodb.TableV2, op string) awscloudwatch.IMetric {
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String("AWS/DynamoDB"), MetricName: jsii.String(name),
		DimensionsMap: &map[string]*string{"TableName": t.TableName(), "Operation": jsii.String(op)},
		Statistic:     jsii.String("Sum"), Period: window(),
	})
}

func sum() *awscloudwatch.MetricOptions {
	return &awscloudwatch.MetricOptions{Statistic: jsii.String("Sum"), Period: window()}
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
