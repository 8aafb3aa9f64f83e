package stack_test

import (
	"fmt"
	"slices"
	"strings"
)

const typeAlarm = "AWS::CloudWatch::Alarm"

const (
	// freeMetrics is how many metrics an account's alarms may read for nothing.
	freeMetrics = 10
	// alarmSeconds is the window that an alarm looks at.
	alarmSeconds = 300
	// mostLate is how late feeds may be, in milliseconds: 10 minutes of the 24 hours that the stream has.
	mostLate = 600_000
)

// alarm is what an alarm looks at, and from which value on it is raised.
type alarm struct {
	metric    string // namespace, name, dimensions, statistic
	threshold float64
}

// alarms are what must be watched.
func alarms() map[string]alarm {
	all := map[string]alarm{
		"ApiErrors":         {"AWS/ApiGateway 5xx ApiId=${Api} Sum", 20},
		"TableThrottles":    {"AWS/DynamoDB ThrottledRequests Operation=PutItem TableName=${Table} Sum", 20},
		"FeedAge":           {"AWS/Lambda IteratorAge FunctionName=${FeedFunction} Maximum", mostLate},
		"FailureQueueHolds": {"AWS/SQS ApproximateNumberOfMessagesVisible QueueName=${FailureQueue.QueueName} Maximum", 1},
	}
	for _, name := range functions {
		all[name+"Errors"] = alarm{"AWS/Lambda Errors FunctionName=${" + name + "Function} Sum", 1}
		all[name+"Throttles"] = alarm{"AWS/Lambda Throttles FunctionName=${" + name + "Function} Sum", 1}
	}
	return all
}

// checkAlarms: trouble of every part is watched, within what is free.
func checkAlarms(i *inspection) {
	var want []string
	metrics := 0
	for id, w := range alarms() {
		if !i.config.Alarms.Enabled {
			break
		}
		want = append(want, id)
		a := i.Resources[id]
		i.expect(metricOf(a) == w.metric, "%s looks at %q", id, metricOf(a))
		i.expect(a.number("Threshold") == w.threshold, "%s: threshold %v", id, a.number("Threshold"))
	}
	for _, id := range i.ids(typeAlarm) {
		a := i.Resources[id]
		metrics += max(1, len(list(a.get("Metrics")))-1) // one entry is the sum
		i.expect((len(list(a.get("AlarmActions"))) > 0) == (i.config.Alarms.Email != ""), "%s: who is told is not as configured", id)
		i.expect(a.text("TreatMissingData") == "notBreaching", "%s: silence is alarming", id)
		i.expect(a.text("ComparisonOperator") == "GreaterThanOrEqualToThreshold", "%s: operator %q", id, a.text("ComparisonOperator"))
		i.expect(a.number("EvaluationPeriods") == 1 && a.number("Period") == alarmSeconds, "%s: looks at another time", id)
		i.expect(a.text("AlarmDescription") != "", "%s says nothing", id)
	}
	i.sameSet("alarm", i.ids(typeAlarm), want)
	i.expect(metrics <= freeMetrics, "the alarms read %d metrics", metrics)
	if i.config.Alarms.Email != "" {
		i.expect(len(i.ids("AWS::SNS::Subscription")) == 1, "nobody is told")
		i.expect(len(i.ids("AWS::SNS::TopicPolicy")) == 1, "the topic takes messages without TLS")
	}
}

// metricOf is what an alarm looks at.
func metricOf(a resource) string {
	words := []string{a.text("Namespace"), a.text("MetricName")}
	var dimensions []string
	for _, d := range list(a.get("Dimensions")) {
		dimensions = append(dimensions, fmt.Sprintf("%v=%s", get(d, "Name"), render(get(d, "Value"))))
	}
	slices.Sort(dimensions)
	return strings.Join(append(append(words, dimensions...), a.text("Statistic")), " ")
}
