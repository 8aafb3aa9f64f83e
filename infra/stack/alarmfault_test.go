package stack_test

import "slices"

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
