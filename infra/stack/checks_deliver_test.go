package stack_test

import (
	"example.com/parley/infra/config"
)

// maxBatch is the largest batch of a FIFO queue that Lambda accepts.
const maxBatch = 10

// checkDeliveries checks that wake-ups wait in a queue that keeps the order of each hook, longer
// than a call has them, and go to the deliver function. Those that it cannot read end in a queue of
// their own.
func checkDeliveries(i *inspection) {
	if i.config.API.Hooks == config.Off {
		return
	}
	for _, id := range []string{"HookQueue", "HookDeadLetters"} {
		q := i.Resources[id]
		i.expect(q.get("FifoQueue") == true, "%s: wake-ups of a hook change their order", id)
		i.expect(q.number("MessageRetentionPeriod") == longest, "%s: wake-ups are kept for %v s", id, q.number("MessageRetentionPeriod"))
		i.expect(q.get("SqsManagedSseEnabled") == true, "%s: wake-ups are not encrypted", id)
		i.expect(q.get("DelaySeconds") == nil && q.get("QueueName") == nil, "%s: wake-ups are held back, or the name is fixed", id)
		i.expect(q.DeletionPolicy == "Delete", "%s stays when the stack goes", id)
	}
	q, timeout := i.Resources["HookQueue"], i.Resources["DeliverFunction"].number("Timeout")
	i.expect(q.text("DeduplicationScope") == "messageGroup" && q.text("FifoThroughputLimit") == "perMessageGroupId", "all hooks share one throughput")
	i.expect(q.number("VisibilityTimeout") > timeout, "a wake-up is received again after %v s, while a call of %v s has it", q.number("VisibilityTimeout"), timeout)
	dead := q.get("RedrivePolicy")
	i.expect(render(get(dead, "deadLetterTargetArn")) == "${HookDeadLetters.Arn}", "given up wake-ups go to %q", render(get(dead, "deadLetterTargetArn")))
	i.expect(get(dead, "maxReceiveCount") == 50.0, "wake-ups are given up after %v tries", get(dead, "maxReceiveCount"))
	i.expect(i.Resources["HookDeadLetters"].get("RedrivePolicy") == nil, "given up wake-ups are moved on")
	m := i.Resources["DeliverMapping"]
	i.expect(render(m.get("FunctionName")) == "${DeliverFunction}", "wake-ups go to %q", render(m.get("FunctionName")))
	i.expect(render(m.get("EventSourceArn")) == "${HookQueue.Arn}", "the mapping reads %q", render(m.get("EventSourceArn")))
	i.expect(m.get("Enabled") == true, "the mapping is off")
	i.expect(m.number("BatchSize") == maxBatch, "batches of %v wake-ups", m.number("BatchSize"))
	i.expect(m.get("MaximumBatchingWindowInSeconds") == nil && m.get("FilterCriteria") == nil, "wake-ups wait, or are dropped")
	i.sameSet("response type", texts(m.get("FunctionResponseTypes")), []string{"ReportBatchItemFailures"})
	most := m.get("ScalingConfig", "MaximumConcurrency")
	i.expect(most == float64(i.config.API.HookConcurrency), "%v executions at most", most)
}

// checkTimers checks that due timers are looked for each minute.
func checkTimers(i *inspection) {
	if i.config.API.Hooks == config.Off {
		return
	}
	rule := i.Resources["TimerSchedule"]
	i.expect(rule.text("ScheduleExpression") == "rate(1 minute)" && rule.text("State") == "ENABLED", "the timers run %q, %q", rule.text("ScheduleExpression"), rule.text("State"))
	i.expect(len(list(rule.get("Targets"))) == 1, "the schedule has %d targets", len(list(rule.get("Targets"))))
	target := rule.get("Targets", "0")
	i.expect(render(get(target, "Arn")) == "${OutboxFunction.Arn}", "the schedule calls %q", render(get(target, "Arn")))
	i.expect(get(target, "Input") == `{"sweep":true}`, "the schedule's event is %v, which the function does not know", get(target, "Input"))
	i.expect(get(target, "RetryPolicy", "MaximumRetryAttempts") == 0.0, "a run that was not started is started late")
	i.expect(rule.text("Description") != "", "the schedule has no description")
}

// deliverFaults are mistakes that would lose wake-ups, send them twice, or open the queue.
func deliverFaults() []change {
	mapping := func(key string, value any) func(template) { return set("DeliverMapping", key, value) }
	queue := func(key string, value any) func(template) { return set("HookQueue", key, value) }
	statement := func(role, sid string, change func(statement map[string]any)) func(template) {
		return func(t template) {
			for _, s := range statements(t, role) {
				if get(s, "Sid") == sid {
					change(s.(map[string]any))
				}
			}
		}
	}
	open := func(s map[string]any) { delete(s, "Condition") }
	return []change{
		{"a queue that is received again during a call", queue("VisibilityTimeout", 30.0)},
		{"a queue with a retention of four days", queue("MessageRetentionPeriod", 345_600.0)},
		{"a queue without order", queue("FifoQueue", nil)},
		{"one throughput for all hooks", queue("FifoThroughputLimit", "perQueue")},
		{"an unencrypted queue of wake-ups", queue("SqsManagedSseEnabled", false)},
		{"wake-ups without dead letters", queue("RedrivePolicy", nil)},
		{"wake-ups that are given up during a pause", func(t template) {
			t.Resources["HookQueue"].get("RedrivePolicy").(map[string]any)["maxReceiveCount"] = 3.0
		}},
		{"dead letters of one day", set("HookDeadLetters", "MessageRetentionPeriod", 86_400.0)},
		{"a disabled mapping of the queue", mapping("Enabled", false)},
		{"all or nothing of a batch of wake-ups", mapping("FunctionResponseTypes", []any{})},
		{"wake-ups to the outbox", mapping("FunctionName", map[string]any{"Ref": "OutboxFunction"})},
		{"deliveries that take all executions", mapping("ScalingConfig", nil)},
		{"a deliver function that is ended during a request", set("DeliverFunction", "Timeout", 5.0)},
		{"a deliver function that writes messages", allowed("DeliverRole", "dynamodb:PutItem")},
		{"a deliver function that writes timers of any key", statement("DeliverRole", "SetTimers", open)},
		{"a deliver function that reads all people", statement("DeliverRole", "ReadMembers", open)},
		{"an outbox that ends any item", statement("OutboxRole", "EndTimers", open)},
		{"an outbox that receives wake-ups", statement("OutboxRole", "SendWakes", func(s map[string]any) {
			s["Action"] = []any{"sqs:SendMessage", "sqs:ReceiveMessage"}
		})},
		{"wake-ups to the queue of failures", func(t template) {
			variables(t, "OutboxFunction")["PARLEY_HOOK_QUEUE"] = map[string]any{"Ref": "FailureQueue"}
		}},
		{"timers once an hour", set("TimerSchedule", "ScheduleExpression", "rate(1 hour)")},
		{"timers that are off", set("TimerSchedule", "State", "DISABLED")},
		{"timers without their event", func(t template) {
			t.Resources["TimerSchedule"].get("Targets", "0").(map[string]any)["Input"] = "{}"
		}},
	}
}
