package stack_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/parley/infra/config"
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
	if i.config.API.Hooks != config.Off {
		of := func(name, statistic string) string {
			return strings.Replace(ofMapping(name, statistic), "FeedMapping", "OutboxMapping", 1)
		}
		all["DeliverErrors"] = alarm{metric: "AWS/Lambda Errors FunctionName=${DeliverFunction} Sum", threshold: 1}
		all["DeliverThrottles"] = alarm{metric: "AWS/Lambda Throttles FunctionName=${DeliverFunction} Sum", threshold: 1}
		all["DeliverAge"] = alarm{metric: "AWS/SQS ApproximateAgeOfOldestMessage QueueName=${HookQueue.QueueName} Maximum", threshold: 900}
		all["HookDeadLettersHold"] = alarm{metric: "AWS/SQS ApproximateNumberOfMessagesVisible QueueName=${HookDeadLetters.QueueName} Maximum", threshold: 1}
		all["OutboxErrors"] = alarm{metric: "AWS/Lambda Errors FunctionName=${OutboxFunction} Sum", threshold: 1}
		all["OutboxThrottles"] = alarm{metric: "AWS/Lambda Throttles FunctionName=${OutboxFunction} Sum", threshold: 1}
		all["OutboxAge"] = alarm{metric: "AWS/Lambda IteratorAge FunctionName=${OutboxFunction} Maximum", threshold: mostLate}
		all["OutboxStopped"] = alarm{metric: of("PolledEventCount", "SampleCount"), threshold: 1, silent: true}
		all["OutboxGivenUp"] = alarm{metric: of("OnFailureDestinationDeliveredEventCount", "Sum"), threshold: 1}
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

// alarmFaults are mistakes that keep an alarm silent, raise it without cause, or send it to no one.
// The template must have the alarm or the topic.
func alarmFaults(t template) []change {
	var all []change
	if len(t.ids(typeAlarm)) > 0 {
		all = append(all, alarmValueFaults()...)
		all = append(all, dashboardFaults(t)...)
	}
	if _, ok := t.Resources["CanaryFails"]; ok {
		all = append(all, change{"a canary that does not run without an alarm", set("CanaryFails", "TreatMissingData", "notBreaching")},
			change{"an alarm for every failed run", set("CanaryFails", "Threshold", 1.0)}, change{"a window of one run", set("CanaryFails", "Period", 300.0)})
	}
	if _, ok := t.Resources["CanaryFunction"]; ok {
		all = append(all, canaryFaults()...)
	}
	if len(t.ids(typeBudget)) > 0 {
		all = append(all, budgetFaults(t)...)
	}
	if len(t.ids(typeTopic)) > 0 {
		all = append(all, topicFaults(t.ids(typeTopicPolicy)[0])...)
	}
	return all
}

func alarmValueFaults() []change {
	metrics := func(change func(entry map[string]any)) func(template) {
		return func(t template) {
			for _, m := range list(t.Resources["ApiErrors"].get("Metrics")) {
				change(m.(map[string]any))
			}
		}
	}
	mapping := func(value any) func(template) { return set("FeedMapping", "MetricsConfig", value) }
	return []change{
		{"a mapping without metrics", mapping(map[string]any{"Metrics": []any{}})},
		{"a mapping with other metrics", mapping(map[string]any{"Metrics": []any{"ErrorCount"}})},
		{"a stopped mapping treated as a quiet one", set("FeedStopped", "TreatMissingData", "notBreaching")},
		{"a stopped mapping treated as missing data", set("FeedStopped", "TreatMissingData", "missing")},
		{"a quiet stream treated as a stopped mapping", set("FeedStopped", "Statistic", "Sum")},
		{"an alarm for every update of the mapping", set("FeedStopped", "EvaluationPeriods", 1.0)},
		{"polls of another function's mappings", set("FeedStopped", "Dimensions", []any{})},
		{"an age in seconds", set("FeedAge", "Threshold", 600.0)},
		{"a mean age", set("FeedAge", "Statistic", "Average")},
		{"an alarm on too few errors", set("WriteErrors", "ComparisonOperator", "LessThanThreshold")},
		{"an alarm on silence", set("WriteErrors", "TreatMissingData", "breaching")},
		{"an alarm with disabled actions", set("WriteErrors", "ActionsEnabled", false)},
		{"an alarm that may wait for a second error", set("ReadErrors", "Threshold", 2.0)},
		{"throttles of the table instead of the index", set("IndexWriteThrottles", "Dimensions", []any{
			map[string]any{"Name": "TableName", "Value": map[string]any{"Ref": "Table"}}})},
		{"throttles of the chat table instead of the log", set("LogTableReadThrottles", "Dimensions", []any{
			map[string]any{"Name": "TableName", "Value": map[string]any{"Ref": "Table"}}})},
		{"an error count instead of the ratio", metrics(func(m map[string]any) {
			if m["Expression"] != nil {
				m["Expression"] = "errors"
			}
		})},
		{"a ratio of errors by another statistic", metrics(func(m map[string]any) {
			if stat, ok := m["MetricStat"].(map[string]any); ok {
				stat["Stat"] = "Average"
			}
		})},
		{"a ratio that also returns its inputs", metrics(func(m map[string]any) { m["ReturnData"] = true })},
		{"dropped frames counted as lines", func(t template) {
			get(t.Resources["DroppedFilter"].get("MetricTransformations"), "0").(map[string]any)["MetricValue"] = "1"
		}},
		{"clients that do not read counted as an overload", set("ThrottledFilter", "FilterPattern", `{ $.msg = "delivery" && $.refused > 0 }`)},
		{"a missing alarm on an overload", func(t template) { delete(t.Resources, "DeliveryThrottled") }},
		{"cut frames of another log", set("CutFilter", "LogGroupName", map[string]any{"Ref": "ReadLogs"})},
		{"refused tokens counted as failures", set("AuthorizerFailuresFilter", "FilterPattern", `{ $.msg = "unauthorized" }`)},
		{"an alarm for every error of the authorizer", func(t template) {
			p := t.Resources["AuthorizerErrors"].Properties
			p["Namespace"], p["MetricName"] = "AWS/Lambda", "Errors"
		}},
		{"failures of every projection counted as files that remain", set("FileFailuresFilter", "FilterPattern", `{ $.msg = "projection failed" }`)},
		{"an alarm for a single file", set("FilesRemain", "Threshold", 1.0)},
		{"failures of the feed counted as searches'", set("IndexFailuresFilter", "LogGroupName", map[string]any{"Ref": "FeedLogs"})},
		{"files that do not exist counted as refused", set("FileRefusalsFilter", "FilterPattern", `{ $.cause = "*a file:*" }`)},
		{"an alarm for a second of pacing", set("DeliveryPaced", "Threshold", 1000.0)},
		{"only refusals by the functions", set("RefusalsFilter", "FilterPattern", `{ $.status = "403" }`)},
		{"refusals of another log", set("RefusalsFilter", "LogGroupName", map[string]any{"Ref": "ReadLogs"})},
		{"an alarm for a few refusals", set("ApiRefusals", "Threshold", 1.0)},
		{"a missing alarm on refusals", func(t template) { delete(t.Resources, "ApiRefusals") }},
		{"a mean latency, which hides the slow ones", func(t template) {
			p := t.Resources["ApiLatency"].Properties
			delete(p, "ExtendedStatistic")
			p["Statistic"] = "Average"
		}},
		{"an alarm for one slow request at night", set("ApiLatency", "EvaluateLowSampleCountPercentile", "evaluate")},
		{"a latency in seconds", set("ApiLatency", "Threshold", 1.0)},
		{"a missing alarm on dropped changes", func(t template) { delete(t.Resources, "FeedDropped") }},
	}
}

func topicFaults(policy string) []change {
	statement := func(effect, key string, value any) func(template) {
		return func(t template) {
			for _, s := range list(t.Resources[policy].get("PolicyDocument", "Statement")) {
				if s := s.(map[string]any); s["Effect"] == effect {
					s[key] = value
				}
			}
		}
	}
	return []change{
		{"a topic on which CloudWatch may not publish", func(t template) {
			document := t.Resources[policy].get("PolicyDocument").(map[string]any)
			document["Statement"] = slices.DeleteFunc(list(document["Statement"]), func(s any) bool { return get(s, "Effect") == "Allow" })
		}},
		{"a topic for the alarms of every account", statement("Allow", "Condition", map[string]any{})},
		{"a topic for another account", statement("Allow", "Condition", map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": "111122223333"}})},
		{"a topic for another service", statement("Allow", "Principal", map[string]any{"Service": "events.amazonaws.com"})},
		{"a topic on which everyone may publish", statement("Allow", "Principal", "*")},
		{"a topic to which CloudWatch may only subscribe", statement("Allow", "Action", "sns:Subscribe")},
		{"a right on another topic", statement("Allow", "Resource", map[string]any{"Ref": "FailureQueue"})},
		{"a topic that refuses everyone", statement("Deny", "Condition", map[string]any{})},
		{"an encrypted topic", func(t template) {
			t.Resources["AlarmTopic"] = resource{Type: typeTopic, Properties: map[string]any{"KmsMasterKeyId": "alias/aws/sns"}}
		}},
		{"an alarm that goes to the queue", set("FeedAge", "AlarmActions", []any{map[string]any{"Fn::GetAtt": []any{"FailureQueue", "Arn"}}})},
		{"an alarm that is sent only when it is over", func(t template) {
			p := t.Resources["FeedAge"].Properties
			delete(p, "AlarmActions")
		}},
		{"an alarm whose end is not sent", func(t template) { delete(t.Resources["FeedAge"].Properties, "OKActions") }},
		{"an alarm that is sent twice", func(t template) {
			p := t.Resources["FeedAge"].Properties
			p["AlarmActions"] = append(slices.Clone(list(p["AlarmActions"])), list(p["AlarmActions"])...)
		}},
		{"an alarm that is sent for missing data", func(t template) {
			p := t.Resources["FeedAge"].Properties
			p["InsufficientDataActions"] = p["AlarmActions"]
		}},
	}
}
