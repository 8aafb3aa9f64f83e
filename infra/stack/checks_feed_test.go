package stack_test

import (
	"encoding/json"
	"slices"

	"example.com/parley/internal/feed"
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

// checkMapping checks that the feed function receives the whole stream from its beginning, with
// retries until a record is processed or expires.
func checkMapping(i *inspection) {
	i.sameSet("mapping", i.ids(typeMapping), []string{"FeedMapping"})
	m := i.Resources["FeedMapping"]
	i.expect(render(m.get("FunctionName")) == "${FeedFunction}", "the stream goes to %q", render(m.get("FunctionName")))
	i.expect(render(m.get("EventSourceArn")) == i.at("${Table.StreamArn}"), "the feed is made from %q", render(m.get("EventSourceArn")))
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

// filters returns the patterns of the mapping.
func (i *inspection) filters() []any {
	var patterns []any
	for _, f := range list(i.Resources["FeedMapping"].get("FilterCriteria", "Filters")) {
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
	i.sameSet("queue", i.ids(typeQueue), []string{"FailureQueue"})
	q := i.Resources["FailureQueue"]
	i.expect(q.number("MessageRetentionPeriod") == longest, "failures are kept for %v s", q.number("MessageRetentionPeriod"))
	i.expect(q.get("SqsManagedSseEnabled") == true, "failures are not encrypted")
	i.expect(q.get("FifoQueue") == nil, "Lambda gives up to no queue that is first in, first out")
	i.expect(q.get("RedrivePolicy") == nil && q.get("DelaySeconds") == nil, "failures are moved or held back")
	i.expect(q.DeletionPolicy == "Delete", "the queue stays when the stack goes")
	policies := i.ids(typeQueuePolicy)
	i.expect(len(policies) == 1, "there are %d policies of queues", len(policies))
	for _, id := range policies {
		p := i.Resources[id]
		s := get(p.get("PolicyDocument", "Statement"), "0")
		i.expect(ref(p.get("Queues")) == "FailureQueue" && ref(get(s, "Resource")) == "FailureQueue", "%s is of another queue", id)
		i.expect(get(s, "Effect") == "Deny" && get(s, "Action") == "sqs:*" && get(s, "Principal", "AWS") == "*", "%s refuses less than everything to everyone", id)
		i.expect(get(s, "Condition", "Bool", "aws:SecureTransport") == "false", "%s does not ask for TLS", id)
	}
}
