package stack_test

import (
	"encoding/json"
	"strings"

	"parley/internal/table"
)

// feedFaults are mistakes that would leave a hole in a feed, hold it up, let the function feed on itself, or let
// failures be lost or seen.
func feedFaults() []change {
	mapping := func(key string, value any) func(template) { return set("FeedMapping", key, value) }
	at := func(id, attribute string) map[string]any { return map[string]any{"Fn::GetAtt": []any{id, attribute}} }
	return []change{
		{"a mapping from the newest record", mapping("StartingPosition", "LATEST")},
		{"three tries and no more", mapping("MaximumRetryAttempts", 3.0)},
		{"an hour and no more", mapping("MaximumRecordAgeInSeconds", 3600.0)},
		{"a mapping that is off", mapping("Enabled", false)},
		{"all or nothing of a batch", mapping("FunctionResponseTypes", []any{})},
		{"a batch that is never halved", mapping("BisectBatchOnFunctionError", false)},
		{"batches larger than a segment", mapping("BatchSize", 1001.0)},
		{"batches that are waited for", mapping("MaximumBatchingWindowInSeconds", 5.0)},
		{"a tumbling window", mapping("TumblingWindowInSeconds", 30.0)},
		{"ten batches of one shard at once", mapping("ParallelizationFactor", 10.0)},
		{"the stream to another function", mapping("FunctionName", map[string]any{"Ref": "WriteFunction"})},
		{"the stream of another table", mapping("EventSourceArn", at("LogTable", "StreamArn"))},
		{"failures to a log", mapping("DestinationConfig", map[string]any{"OnFailure": map[string]any{"Destination": at("FeedLogs", "Arn")}})},
		{"a second mapping", func(t template) { t.Resources["Another"] = t.Resources["FeedMapping"] }},
		{"no filter at all", mapping("FilterCriteria", nil)},
		{"a filter that matches everything", refilter(0, "{}")},
		{"a filter that is no JSON", refilter(0, "{")},
		{"a filter on the old image", inFilter(0, "NewImage", "OldImage")},
		{"a filter that lets segments through", inFilter(0, `["message"`, `["feed","message"`)},
		{"a filter that lets read markers through", inFilter(0, `["message"`, `["read","message"`)},
		{"a filter that lets versions through", inFilter(0, `["message"`, `["message version","message"`)},
		{"a filter that lets the rate counter through", inFilter(0, `["message"`, `["shards","message"`)},
		{"a filter without messages", inFilter(0, `"message",`, "")},
		{"a filter without members", inFilter(0, `"member",`, "")},
		{"a filter without rooms", inFilter(0, `,"room"`, "")},
		{"a filter by another attribute", inFilter(0, `"`+table.AttrType+`"`, `"kind"`)},
		{"a filter of removals that takes every change", inFilter(1, `"REMOVE"`, `"MODIFY"`)},
		{"a filter of removals that takes messages", inFilter(1, `["member"]`, `["member","message"]`)},
		{"a filter of what a later version marks that is asked of the attribute", refilter(2, `{"dynamodb":{"NewImage":{"feed":[{"exists":true}]}}}`)},
		{"a filter of what a later version marks that takes all without it", inFilter(2, "true", "false")},
		{"a filter of what a later version removes", inFilter(2, "NewImage", "OldImage")},
		{"a queue that forgets after a day", set("FailureQueue", "MessageRetentionPeriod", 86_400.0)},
		{"a queue in the clear", set("FailureQueue", "SqsManagedSseEnabled", false)},
		{"a queue that everyone may use", queuePolicy("Effect", "Allow")},
		{"a queue that refuses TLS", queuePolicy("Condition", map[string]any{"Bool": map[string]any{"aws:SecureTransport": "true"}})},
		{"a queue that refuses to be read alone", queuePolicy("Action", "sqs:ReceiveMessage")},
		{"a feed function that is ended early", set("FeedFunction", "Timeout", 3.0)},
		{"a feed function that deletes", allowed("FeedRole", "dynamodb:DeleteItem")},
		{"a feed function that reads the queue", allowed("FeedRole", "sqs:ReceiveMessage")},
		{"streams of every table", func(t template) {
			all := statements(t, "FeedRole")
			all[len(all)-1].(map[string]any)["Resource"] = "*"
		}},
		{"failures of the feed to a queue of another name", func(t template) { variables(t, "FeedFunction")["PARLEY_FAILURE_QUEUE"] = "failures" }},
		{"a feed that is kept for another time", func(t template) { variables(t, "FeedFunction")["PARLEY_FEED_DAYS"] = "9" }},
		{"the write function in the feed's role", set("WriteFunction", "Role", at("FeedRole", "Arn"))},
	}
}

// refilter puts another pattern in the place of one of the mapping's.
func refilter(n int, pattern string) func(template) {
	return func(t template) { filterAt(t, n)["Pattern"] = pattern }
}

// inFilter replaces a part of a pattern; nothing replaced leaves a template that nothing notices.
func inFilter(n int, old, with string) func(template) {
	return func(t template) {
		f := filterAt(t, n)
		changed := strings.Replace(f["Pattern"].(string), old, with, 1)
		if !json.Valid([]byte(changed)) {
			panic("the fault leaves no JSON: " + changed)
		}
		f["Pattern"] = changed
	}
}

func filterAt(t template, n int) map[string]any {
	return list(t.Resources["FeedMapping"].get("FilterCriteria", "Filters"))[n].(map[string]any)
}

// queuePolicy changes what is refused.
func queuePolicy(key string, value any) func(template) {
	return func(t template) {
		policy := t.Resources[t.ids(typeQueuePolicy)[0]]
		get(policy.get("PolicyDocument", "Statement"), "0").(map[string]any)[key] = value
	}
}
