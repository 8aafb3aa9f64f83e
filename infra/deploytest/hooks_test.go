//go:build deploy

package deploytest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// testHookIsTried posts a message for a hook whose receiver does not exist, since the function sends
// to public addresses only. The hook's state shows the failure. So the change went by the stream,
// the outbox, the queue and the deliver function, with their rights. So does the challenge of a
// room's hook, for which the function reads whose it is.
func testHookIsTried(t *testing.T, d *deployment, person *caller) {
	const text = "for-the-receiver-only"
	service := &caller{deployment: d, user: "helpdesk", token: d.issuer().Service(t)}
	hook, room := map[string]string{"hook": "deployed"}, map[string]string{"room": "own"}
	body := `{"url":"https://receiver.invalid/","rooms":["own"]}`
	if _, err := service.do(t.Context(), call{route: "PUT /hooks/{hook}", path: hook, body: body, status: 201, holds: `"secret":"whsec_`}); err != nil {
		t.Fatal(err)
	}
	if _, err := person.do(t.Context(), call{route: "POST /rooms/{room}/messages", path: room, body: `{"text":"` + text + `"}`, status: 201}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the state of the hook shows a failure", func() error {
		_, err := service.do(t.Context(), call{route: "GET /hooks/{hook}", path: hook, status: 200, holds: `"failures":[{"at":"`})
		return err
	})
	ours := map[string]string{"room": "own", "hook": "ours"}
	body = `{"url":"https://receiver.invalid/"}`
	if _, err := person.do(t.Context(), call{route: "PUT /rooms/{room}/hooks/{hook}", path: ours, body: body, status: 201, holds: `"putBy":"`}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the challenge of the room's hook is tried", func() error {
		_, err := person.do(t.Context(), call{route: "GET /rooms/{room}/hooks/{hook}", path: ours, status: 200, holds: `"state":"unverified","testedAt":"`})
		return err
	})
	ids := d.resources(t)
	for _, group := range []string{"OutboxLogs", "DeliverLogs"} {
		lines := strings.Join(d.logs(t, ids[group]), "\n")
		for _, forbidden := range []string{text, "whsec_", "receiver.invalid", "not authorized", "AccessDenied"} {
			if strings.Contains(lines, forbidden) {
				t.Errorf("%s contains %q:\n%s", group, forbidden, lines)
			}
		}
	}
	var queue struct{ Attributes map[string]string }
	d.aws(t, &queue, "sqs", "get-queue-attributes", "--queue-url", ids["HookDeadLetters"], "--attribute-names", "All")
	if got := fmt.Sprint(queue.Attributes["FifoQueue"], " ", queue.Attributes["ApproximateNumberOfMessages"]); got != "true 0" {
		t.Errorf("the queue of dead letters is %s", got)
	}
}

// testWakeIsGivenUp sends a wake-up that nobody can read, and shortens the queue's patience. The
// wake-up reaches the queue of dead letters, whose size is the metric of an alarm.
func testWakeIsGivenUp(t *testing.T, d *deployment) {
	const poison = `{"service":7`
	ids := d.resources(t)
	attributes := func(queue string) map[string]string {
		var answer struct{ Attributes map[string]string }
		d.aws(t, &answer, "sqs", "get-queue-attributes", "--queue-url", ids[queue], "--attribute-names", "All")
		return answer.Attributes
	}
	dead := attributes("HookDeadLetters")["QueueArn"]
	var redrive map[string]any
	if err := json.Unmarshal([]byte(attributes("HookQueue")["RedrivePolicy"]), &redrive); err != nil {
		t.Fatal(err)
	}
	if redrive["deadLetterTargetArn"] != dead {
		t.Errorf("wake-ups are given up to %v, not to %s", redrive["deadLetterTargetArn"], dead)
	}
	redrive["maxReceiveCount"] = "2"
	text, err := json.Marshal(redrive)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := json.Marshal(map[string]string{"RedrivePolicy": string(text), "VisibilityTimeout": "1"})
	if err != nil {
		t.Fatal(err)
	}
	d.aws(t, nil, "sqs", "set-queue-attributes", "--queue-url", ids["HookQueue"], "--attributes", string(changed))
	d.aws(t, nil, "sqs", "send-message", "--queue-url", ids["HookQueue"], "--message-body", poison, "--message-group-id", "poison", "--message-deduplication-id", "1")
	const visible = "ApproximateNumberOfMessages"
	eventually(t, "the queue of dead letters has the wake-up", func() error {
		if got := attributes("HookDeadLetters")[visible]; got != "1" {
			return fmt.Errorf("it has %s", got)
		}
		return nil
	})
	if got := attributes("HookQueue")[visible]; got != "0" {
		t.Errorf("the queue keeps %s wake-ups", got)
	}
	var answer struct{ Messages []struct{ Body string } }
	d.aws(t, &answer, "sqs", "receive-message", "--queue-url", ids["HookDeadLetters"])
	if len(answer.Messages) != 1 || answer.Messages[0].Body != poison {
		t.Errorf("the dead letters are %v", answer.Messages)
	}
	if lines := strings.Join(d.logs(t, ids["DeliverLogs"]), "\n"); !strings.Contains(lines, "a wake-up cannot be read") || strings.Contains(lines, poison) {
		t.Errorf("the log is\n%s", lines)
	}
	all := d.alarms(t)
	i := slices.IndexFunc(all, func(a alarm) bool { return a.isOneOf([]string{"HookDeadLettersHold"}) })
	if i < 0 {
		t.Fatal("there is no alarm for dead letters")
	}
	a := all[i]
	name := dead[strings.LastIndexByte(dead, ':')+1:]
	if a.Namespace != "AWS/SQS" || a.MetricName != visible+"Visible" || a.Statistic != "Maximum" || a.Threshold > 1 || len(a.Dimensions) != 1 || a.Dimensions[0].Value != name {
		t.Errorf("the alarm does not count the messages of %s: %+v", name, a)
	}
}
