//go:build deploy

package deploytest

import (
	"fmt"
	"strings"
	"testing"
)

// testHookIsTried posts a message for a hook whose receiver does not exist, since the function sends
// to public addresses only. The hook's state shows the failure. So the change went by the stream,
// the outbox, the queue and the deliver function, with their rights.
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
