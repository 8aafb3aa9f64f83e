package stack_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const typeAlarm = "AWS::CloudWatch::Alarm"

const (
	// alarmMinutes is the period over which metrics are aggregated.
	alarmMinutes = 5
	// mostLate is the tolerated delay of feeds, in milliseconds: 10 minutes of the 24 hours that
	// the stream retains.
	mostLate = 600_000
)

// alarm is the metric of an alarm, and its condition.
type alarm struct {
	metric    string // as metricOf writes it
	threshold float64
	// silent marks the one alarm that only missing data raises, after three periods.
	silent bool
	// minutes is the period, if it is not alarmMinutes. Missing data for a period raises the alarm
	// too.
	minutes float64
	// percentile marks an alarm that keeps its state while there are too few requests.
	percentile bool
}

// alarms are the expected alarms of a stack.
func alarms(stackName string) map[string]alarm {
	all := map[string]alarm{
		"ApiErrors": {metric: "IF(errors >= 3, 100 * errors / requests, 0)" +
			" errors=AWS/ApiGateway 5xx ApiId=${Api} Sum requests=AWS/ApiGateway Count ApiId=${Api} SampleCount", threshold: 5},
		"ApiRefusals": {metric: "IF(refused >= 50, 100 * refused / requests, 0)" +
			" refused=" + stackName + " Refusals Sum requests=AWS/ApiGateway Count ApiId=${Api} SampleCount", threshold: 20},
		"ApiLatency":        {metric: "AWS/ApiGateway Latency ApiId=${Api} p95", threshold: 1000, percentile: true},
		"FeedAge":           {metric: "AWS/Lambda IteratorAge FunctionName=${FeedFunction} Maximum", threshold: mostLate},
		"FeedStopped":       {metric: ofMapping("PolledEventCount", "SampleCount"), threshold: 1, silent: true},
		"FeedDropped":       {metric: ofMapping("DroppedEventCount", "Sum"), threshold: 1},
		"FeedGivenUp":       {metric: ofMapping("OnFailureDestinationDeliveredEventCount", "Sum"), threshold: 1},
		"FailureQueueHolds": {metric: "AWS/SQS ApproximateNumberOfMessagesVisible QueueName=${FailureQueue.QueueName} Maximum", threshold: 1},
	}
	for _, kind := range []string{"Read", "Write"} {
		name := "AWS/DynamoDB " + kind + "ThrottleEvents "
		all["Table"+kind+"Throttles"] = alarm{metric: name + "TableName=${Table} Sum", threshold: 20}
		all["Index"+kind+"Throttles"] = alarm{metric: name + "GlobalSecondaryIndexName=GSI1 TableName=${Table} Sum", threshold: 20}
		all["LiveTable"+kind+"Throttles"] = alarm{metric: name + "TableName=${LiveTable} Sum", threshold: 20}
		all["LogTable"+kind+"Throttles"] = alarm{metric: name + "TableName=${LogTable} Sum", threshold: 20}
	}
	for _, name := range functions {
		all[name+"Errors"] = alarm{metric: "AWS/Lambda Errors FunctionName=${" + name + "Function} Sum", threshold: 1}
		all[name+"Throttles"] = alarm{metric: "AWS/Lambda Throttles FunctionName=${" + name + "Function} Sum", threshold: 1}
	}
	all["DeliveryDropped"] = alarm{metric: stackName + " Dropped Sum", threshold: 20}
	all["DeliveryCut"] = alarm{metric: stackName + " Cut Sum", threshold: 2_000}
	all["DeliveryThrottled"] = alarm{metric: stackName + " Throttled Sum", threshold: 10}
	all["FilesRemain"] = alarm{metric: stackName + " FileFailures Sum", threshold: 3}
	all["FilesRefused"] = alarm{metric: stackName + " FileRefusals Sum", threshold: 1}
	all["IndexNotStored"] = alarm{metric: stackName + " IndexFailures Sum", threshold: 3}
	all["DeliveryPaced"] = alarm{metric: stackName + " PacedMilliseconds Sum", threshold: 30_000}
	all["AuthorizerErrors"] = alarm{metric: stackName + " AuthorizerFailures Sum", threshold: 1}
	return all
}

// ofMapping is a metric that exists because of the mapping's MetricsConfig.
func ofMapping(name, statistic string) string {
	return "AWS/Lambda " + name + " EventSourceMappingUUID=${FeedMapping} " + statistic
}

// checkAlarms checks that every part is watched, and that its alarm is raised for the right reason.
func checkAlarms(i *inspection) {
	var want []string
	all := alarms(i.stackName())
	if i.config.Alarms.Canary {
		all["CanaryFails"] = alarm{metric: "AWS/Lambda Errors FunctionName=${CanaryFunction} Sum", threshold: 2, minutes: 15}
	}
	for id, w := range all {
		if !i.config.Alarms.Enabled {
			break
		}
		want = append(want, id)
		a := i.Resources[id]
		looks := metricOf(a, cmp.Or(w.minutes, alarmMinutes)*60)
		i.expect(looks == i.at(w.metric), "%s looks at %q", id, looks)
		i.expect(a.get("Threshold") == w.threshold, "%s: threshold %v", id, a.get("Threshold"))
		periods, missing, operator := 1.0, "notBreaching", "GreaterThanOrEqualToThreshold"
		if w.silent {
			periods, missing, operator = 3, "breaching", "LessThanThreshold"
		}
		if w.minutes > 0 {
			missing = "breaching"
		}
		i.expect(a.number("EvaluationPeriods") == periods && a.get("DatapointsToAlarm") == nil, "%s: looks at another time", id)
		i.expect(a.text("TreatMissingData") == missing, "%s: takes silence for %q", id, a.text("TreatMissingData"))
		i.expect(a.text("ComparisonOperator") == operator, "%s: operator %q", id, a.text("ComparisonOperator"))
		fewRequests := map[bool]any{true: "ignore"}[w.percentile]
		i.expect(a.get("EvaluateLowSampleCountPercentile") == fewRequests, "%s: of few requests %v", id, a.get("EvaluateLowSampleCountPercentile"))
		i.expect(a.text("AlarmName") == i.stackName()+"-"+id, "%s is called %q", id, a.text("AlarmName"))
		i.expect(a.text("AlarmDescription") != "", "%s has no description", id)
		i.expect(a.get("ActionsEnabled") == nil, "%s: its actions may be off", id)
	}
	i.sameSet("alarm", i.ids(typeAlarm), want)
	// An alarm on a metric without data is always raised, or never.
	i.sameSet("metrics of the mapping", texts(i.Resources["FeedMapping"].get("MetricsConfig", "Metrics")), []string{"EventCount"})
}

// metricOf formats the metric of an alarm: namespace, name, dimensions and statistic. For metric
// math it formats the expression and each metric that it reads. Another period is an error.
func metricOf(a resource, seconds float64) string {
	if a.get("Metrics") == nil {
		if a.number("Period") != seconds {
			return fmt.Sprintf("a period of %v s", a.get("Period"))
		}
		return metricText(a.Properties, cmp.Or(a.text("Statistic"), a.text("ExtendedStatistic")))
	}
	var expression string
	var read []string
	for _, m := range list(a.get("Metrics")) {
		switch returned := get(m, "ReturnData"); {
		case get(m, "Expression") != nil && returned == true:
			expression += render(get(m, "Expression"))
		case returned != false || get(m, "MetricStat", "Period") != seconds:
			return fmt.Sprintf("another result or period: %v", m)
		default:
			read = append(read, render(get(m, "Id"))+"="+metricText(get(m, "MetricStat", "Metric"), get(m, "MetricStat", "Stat")))
		}
	}
	slices.Sort(read)
	return strings.Join(append([]string{expression}, read...), " ")
}

func metricText(metric, statistic any) string {
	var dimensions []string
	for _, d := range list(get(metric, "Dimensions")) {
		dimensions = append(dimensions, fmt.Sprintf("%v=%s", get(d, "Name"), render(get(d, "Value"))))
	}
	slices.Sort(dimensions)
	words := append([]string{render(get(metric, "Namespace")), render(get(metric, "MetricName"))}, dimensions...)
	return strings.Join(append(words, render(statistic)), " ")
}

// metricCount returns the number of metrics that an alarm reads, which CloudWatch charges for.
func metricCount(a resource) int {
	count := 1
	if metrics := list(a.get("Metrics")); len(metrics) > 0 {
		count = 0
		for _, m := range metrics {
			if get(m, "MetricStat") != nil {
				count++
			}
		}
	}
	return count
}
