package stack_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"example.com/parley/internal/table"
)

// feedFaults are mistakes that would leave a gap in a feed, delay it, make the function process its
// own items, or lose or expose failures.
func feedFaults() []change {
	mapping := func(key string, value any) func(template) { return set("FeedMapping", key, value) }
	at := func(id, attribute string) map[string]any { return map[string]any{"Fn::GetAtt": []any{id, attribute}} }
	return []change{
		{"a mapping from the newest record", mapping("StartingPosition", "LATEST")},
		{"only three retries", mapping("MaximumRetryAttempts", 3.0)},
		{"only records of the last hour", mapping("MaximumRecordAgeInSeconds", 3600.0)},
		{"a disabled mapping", mapping("Enabled", false)},
		{"all or nothing of a batch", mapping("FunctionResponseTypes", []any{})},
		{"a batch that is never halved", mapping("BisectBatchOnFunctionError", false)},
		{"batches larger than a segment", mapping("BatchSize", 1001.0)},
		{"batches that wait for records", mapping("MaximumBatchingWindowInSeconds", 5.0)},
		{"a tumbling window", mapping("TumblingWindowInSeconds", 30.0)},
		{"ten concurrent batches of one shard", mapping("ParallelizationFactor", 10.0)},
		{"the stream to another function", mapping("FunctionName", map[string]any{"Ref": "WriteFunction"})},
		{"the stream of another table", mapping("EventSourceArn", at("LogTable", "StreamArn"))},
		{"failures to a log", mapping("DestinationConfig", map[string]any{"OnFailure": map[string]any{"Destination": at("FeedLogs", "Arn")}})},
		{"a second mapping", func(t template) { t.Resources["Another"] = t.Resources["FeedMapping"] }},
		{"no filter at all", mapping("FilterCriteria", nil)},
		{"a filter that matches everything", refilter(0, "{}")},
		{"a filter that is not JSON", refilter(0, "{")},
		{"a filter on the old image", inFilter(0, "NewImage", "OldImage")},
		{"a filter that passes segments", inFilter(0, `["message"`, `["feed","message"`)},
		{"a filter that passes reports", inFilter(0, `["message"`, `["report","message"`)},
		{"a filter without read markers", inFilter(0, `,"read"`, "")},
		{"a filter without lists of blocks", inFilter(0, `,"blocks"`, "")},
		{"a filter that passes versions", inFilter(0, `["message"`, `["message version","message"`)},
		{"a filter that passes the rate counter", inFilter(0, `["message"`, `["shards","message"`)},
		{"a filter without messages", inFilter(0, `"message",`, "")},
		{"a filter without members", inFilter(0, `"member",`, "")},
		{"a filter without rooms", inFilter(0, `,"room"`, "")},
		{"a filter by another attribute", inFilter(0, `"`+table.AttrType+`"`, `"kind"`)},
		{"a filter of removals that passes every change", inFilter(1, `"REMOVE"`, `"MODIFY"`)},
		{"a filter of removals that passes messages", inFilter(1, `["member"`, `["member","message"`)},
		{"a filter of removals without reactions", inFilter(1, `,"reaction"`, "")},
		{"a filter without reactions", inFilter(0, `,"reaction"`, "")},
		{"a filter of bans that passes every state", inFilter(2, `"role":{"S":["banned"]},`, "")},
		{"a filter of bans that passes members", inFilter(2, `["banned"]`, `["banned","member"]`)},
		{"a filter of bans by another type", inFilter(2, `["standing"]`, `["member"]`)},
		{"a filter of bans on removed items", inFilter(2, "NewImage", "OldImage")},
		{"a filter of later versions on the attribute instead of its leaf", refilter(3, `{"dynamodb":{"NewImage":{"feed":[{"exists":true}]}}}`)},
		{"a filter of later versions that passes items without the attribute", inFilter(3, "true", "false")},
		{"a filter of later versions on removed items", inFilter(3, "NewImage", "OldImage")},
		{"a filter of suspensions that passes every account", inFilter(4, `"suspendedBy":{"S":[{"exists":true}]},`, "")},
		{"a filter of suspensions by another type", inFilter(4, `["account"]`, `["person"]`)},
		{"a filter of suspensions that passes their ends", inFilter(4, "NewImage", "OldImage")},
		{"a queue with a retention of one day", set("FailureQueue", "MessageRetentionPeriod", 86_400.0)},
		{"an unencrypted queue", set("FailureQueue", "SqsManagedSseEnabled", false)},
		{"a queue that everyone may use", queuePolicy("Effect", "Allow")},
		{"a queue that refuses TLS", queuePolicy("Condition", map[string]any{"Bool": map[string]any{"aws:SecureTransport": "true"}})},
		{"a queue that refuses only reads", queuePolicy("Action", "sqs:ReceiveMessage")},
		{"a feed function with a short timeout", set("FeedFunction", "Timeout", 3.0)},
		{"a feed function that deletes", allowed("FeedRole", "dynamodb:DeleteItem")},
		{"a feed function that reads the queue", allowed("FeedRole", "sqs:ReceiveMessage")},
		{"streams of every table", func(t template) {
			all := statements(t, "FeedRole")
			all[len(all)-1].(map[string]any)["Resource"] = "*"
		}},
		{"failures of the feed to a queue of another name", func(t template) { variables(t, "FeedFunction")["PARLEY_FAILURE_QUEUE"] = "failures" }},
		{"a feed with another retention", func(t template) { variables(t, "FeedFunction")["PARLEY_FEED_DAYS"] = "9" }},
		{"the write function in the feed's role", set("WriteFunction", "Role", at("FeedRole", "Arn"))},
	}
}

// refilter replaces one of the mapping's patterns.
func refilter(n int, pattern string) func(template) {
	return func(t template) { filterAt(t, n)["Pattern"] = pattern }
}

// inFilter replaces a part of a pattern, which must have it.
func inFilter(n int, old, with string) func(template) {
	return func(t template) {
		f := filterAt(t, n)
		changed := strings.Replace(f["Pattern"].(string), old, with, 1)
		if changed == f["Pattern"] {
			panic(fmt.Sprintf("filter %d has no %s: %s", n, old, changed))
		}
		if !json.Valid([]byte(changed)) {
			panic("the fault leaves no JSON: " + changed)
		}
		f["Pattern"] = changed
	}
}

func filterAt(t template, n int) map[string]any {
	return list(t.Resources["FeedMapping"].get("FilterCriteria", "Filters"))[n].(map[string]any)
}

// queuePolicy changes the refusal in the queue's policy.
func queuePolicy(key string, value any) func(template) {
	return func(t template) {
		policy := t.Resources[t.ids(typeQueuePolicy)[0]]
		get(policy.get("PolicyDocument", "Statement"), "0").(map[string]any)[key] = value
	}
}
