package stack_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/parley/infra/config"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/requests"
)

const (
	typeMapping     = "AWS::Lambda::EventSourceMapping"
	typeQueue       = "AWS::SQS::Queue"
	typeQueuePolicy = "AWS::SQS::QueuePolicy"
)

// The limits that AWS sets.
const (
	untilExpired = -1                // a record is retried as long as the stream has it
	longest      = 14 * 24 * 60 * 60 // the longest retention of SQS, in seconds
)

// checkMappings checks that the feed function, and the outbox function if there are hooks, receive
// the whole stream from its beginning, with retries until a record is processed or expires.
func checkMappings(i *inspection) {
	mappings := map[string]string{"FeedMapping": "FeedFunction"}
	if i.config.API.Hooks != config.Off {
		mappings["OutboxMapping"] = "OutboxFunction"
	}
	all := slices.Collect(maps.Keys(mappings))
	if i.config.API.Hooks != config.Off {
		all = append(all, "DeliverMapping") // of a queue
	}
	i.sameSet("mapping", i.ids(typeMapping), all)
	for id, function := range mappings {
		checkMapping(i, id, function)
	}
}

// checkOutboxFilters checks that the outbox receives new segments, and changed rooms and hooks, and
// nothing else.
func checkOutboxFilters(i *inspection) {
	if i.config.API.Hooks == config.Off {
		return
	}
	wanted := []table.Kind{table.FeedKind, table.RoomKind, table.HookKind, table.RoomHookKind}
	for _, k := range table.Kinds() {
		record := map[string]any{"eventName": "INSERT", "dynamodb": map[string]any{"NewImage": map[string]any{"type": map[string]any{"S": string(k.Kind)}}}}
		passes := slices.ContainsFunc(i.filtersOf("OutboxMapping"), func(f any) bool { return matches(f, record) })
		i.expect(passes == slices.Contains(wanted, k.Kind), "a new %s: passes %v", k.Kind, passes)
	}
}

func checkMapping(i *inspection, id, function string) {
	m := i.Resources[id]
	i.expect(render(m.get("FunctionName")) == "${"+function+"}", "%s: the stream goes to %q", id, render(m.get("FunctionName")))
	i.expect(render(m.get("EventSourceArn")) == i.at("${Table.StreamArn}"), "%s reads %q", id, render(m.get("EventSourceArn")))
	i.expect(m.get("Enabled") == true, "the mapping is off")
	i.expect(m.text("StartingPosition") == "TRIM_HORIZON", "the mapping begins at %q", m.text("StartingPosition"))
	i.sameSet("response type", texts(m.get("FunctionResponseTypes")), []string{"ReportBatchItemFailures"})
	for property, want := range map[string]any{
		"BatchSize":                      float64(feed.MaxSegmentChanges),
		"MaximumBatchingWindowInSeconds": 0.0,
		"ParallelizationFactor":          1.0,
		"BisectBatchOnFunctionError":     true,
		"MaximumRetryAttempts":           float64(untilExpired),
		"MaximumRecordAgeInSeconds":      float64(untilExpired),
	} {
		i.expect(m.get(property) == want, "%s is %v, not %v", property, m.get(property), want)
	}
	to := render(m.get("DestinationConfig", "OnFailure", "Destination"))
	i.expect(to == "${FailureQueue.Arn}", "what Lambda gives up goes to %q", to)
	i.expect(m.get("TumblingWindowInSeconds") == nil, "batches are held back for a window")
}

// checkFilters checks that the function receives the changes that feeds report, and nothing else:
// never its own items.
func checkFilters(i *inspection) {
	filters := i.filters()
	i.expect(len(filters) > 0, "the function receives every record")
	for _, s := range recordedSamples() {
		passes := slices.ContainsFunc(filters, func(f any) bool { return matches(f, s.record) })
		i.expect(passes == s.passes, "%s: passes %v", s.what, passes)
	}
}

// filters returns the patterns of the feed's mapping.
func (i *inspection) filters() []any { return i.filtersOf("FeedMapping") }

// filtersOf returns the patterns of a mapping.
func (i *inspection) filtersOf(mapping string) []any {
	var patterns []any
	for _, f := range list(i.Resources[mapping].get("FilterCriteria", "Filters")) {
		text, _ := get(f, "Pattern").(string)
		var pattern any
		err := json.Unmarshal([]byte(text), &pattern)
		i.expect(err == nil, "filter %q is no JSON", text)
		patterns = append(patterns, pattern)
	}
	return patterns
}

// checkReadersFirst checks that every function that may put items into the table is deployed after
// the feed function and its mapping.
func checkReadersFirst(i *inspection) {
	writers := 0
	for _, name := range i.functions() {
		writes := slices.ContainsFunc(statements(i.template, name+"Role"), func(s any) bool {
			return slices.Contains(texts(get(s, "Action")), "dynamodb:PutItem") && render(get(s, "Resource")) == i.at("${Table.Arn}")
		})
		if name == "Feed" || !writes {
			continue
		}
		writers++
		for _, reader := range []string{"FeedFunction", "FeedMapping"} {
			waits := slices.Contains(list(i.Resources[name+"Function"].DependsOn), any(reader))
			i.expect(waits, "%sFunction may be deployed before %s: its new items would be unknown", name, reader)
		}
	}
	i.expect(writers > 0, "no function writes")
}

// matches compares a record with a pattern as Lambda does. Every key must exist and have one of the
// listed values, or any string if the pattern asks for existence. The operator matches no value
// with fields. The patterns here need no more of Lambda's language.
func matches(pattern, record any) bool {
	switch p := pattern.(type) {
	case map[string]any:
		fields, ok := record.(map[string]any)
		for key, inner := range p {
			ok = ok && matches(inner, fields[key])
		}
		return ok
	case []any:
		text, isText := record.(string)
		return isText && slices.ContainsFunc(p, func(e any) bool { return e == text || get(e, "exists") == true })
	}
	return false
}

// checkQueue checks that failures are retained as long as possible, hidden from others.
func checkQueue(i *inspection) {
	i.sameSet("queue", i.ids(typeQueue), i.queues())
	q := i.Resources["FailureQueue"]
	i.expect(q.number("MessageRetentionPeriod") == longest, "failures are kept for %v s", q.number("MessageRetentionPeriod"))
	i.expect(q.get("SqsManagedSseEnabled") == true, "failures are not encrypted")
	i.expect(q.get("FifoQueue") == nil, "Lambda gives up to no queue that is first in, first out")
	i.expect(q.get("RedrivePolicy") == nil && q.get("DelaySeconds") == nil, "failures are moved or held back")
	i.expect(q.DeletionPolicy == "Delete", "the queue stays when the stack goes")
	var of []string
	for _, id := range i.ids(typeQueuePolicy) {
		p := i.Resources[id]
		s := get(p.get("PolicyDocument", "Statement"), "0")
		of = append(of, ref(p.get("Queues")))
		i.expect(ref(p.get("Queues")) == ref(get(s, "Resource")), "%s is of another queue", id)
		i.expect(get(s, "Effect") == "Deny" && get(s, "Action") == "sqs:*" && get(s, "Principal", "AWS") == "*", "%s refuses less than everything to everyone", id)
		i.expect(get(s, "Condition", "Bool", "aws:SecureTransport") == "false", "%s does not ask for TLS", id)
	}
	i.sameSet("queue with a policy", of, i.queues())
	i.expect(len(of) == len(i.queues()), "there are %d policies of queues", len(of))
}

// queues returns the queues of a deployment.
func (i *inspection) queues() []string {
	if i.config.API.Hooks == config.Off {
		return []string{"FailureQueue"}
	}
	return []string{"FailureQueue", "HookQueue", "HookDeadLetters"}
}

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

// TestFilters_PassTheBatches: the batches are the function's input, except the one that shows how the
// function treats anything else.
func TestFilters_PassTheBatches(t *testing.T) {
	each(t, func(t *testing.T, d deployment) {
		i := &inspection{template: d.template}
		for _, b := range requests.Batches {
			var event struct{ Records []json.RawMessage }
			if err := json.Unmarshal([]byte(b.Event()), &event); err != nil {
				t.Fatal(b.Name, err)
			}
			irrelevant := strings.HasPrefix(b.Name, "irrelevant")
			for n, text := range event.Records {
				var record any
				if err := json.Unmarshal(text, &record); err != nil {
					t.Fatal(b.Name, err)
				}
				passes := false
				for _, f := range i.filters() {
					passes = passes || matches(f, record)
				}
				if passes == irrelevant {
					t.Errorf("%s: record %d passes: %v", b.Name, n, passes)
				}
			}
		}
	})
}
