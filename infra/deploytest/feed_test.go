//go:build deploy

package deploytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// poisonFile is an event file whose second record has an item that no reader understands.
const poisonFile = root + "/events/feed/poison.json"

// poison returns that item, moved to a room.
func poison(t *testing.T, room string) string {
	t.Helper()
	text, err := os.ReadFile(poisonFile)
	if err != nil {
		t.Fatal(err)
	}
	var event struct {
		Records []struct {
			Dynamodb struct{ NewImage map[string]any }
		}
	}
	if err := json.Unmarshal(text, &event); err != nil {
		t.Fatal(err)
	}
	item := event.Records[1].Dynamodb.NewImage
	shard := map[string]string{"S": room + "-1"}
	item["PK"], item["GSI1PK"], item["text"] = shard, shard, map[string]string{"S": secret}
	moved, err := json.Marshal(item)
	if err != nil {
		t.Fatal(err)
	}
	return string(moved)
}

// secret is a text that no log and no failure may contain.
const secret = "nobody-may-read-this"

// testFailureQueue writes an item that the feed function cannot read. It must be in the failure
// queue, and in the room's feed as unknown. It must not delay later changes.
func testFailureQueue(t *testing.T, d *deployment) {
	const room = "portland"
	c := d.signUp(t, "carol")
	in := map[string]string{"room": room}
	if _, err := c.do(t.Context(), call{route: "PUT /rooms/{room}", path: in, body: `{"name":"Portland"}`, status: 201}); err != nil {
		t.Fatal(err)
	}
	d.aws(t, nil, "dynamodb", "put-item", "--table-name", d.outputs["TableName"], "--item", poison(t, room))
	if _, err := c.do(t.Context(), call{route: "POST /rooms/{room}/messages", path: in, body: `{"text":"behind it"}`, status: 201}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the feed continues after a record that cannot be read", func() error {
		answer, err := c.do(t.Context(), call{route: "GET /rooms/{room}/changes", path: in, status: 200, holds: "behind it"})
		if err != nil {
			return err
		}
		for _, change := range answer["items"].([]any) {
			if change.(map[string]any)["type"] == "unknown" {
				return nil
			}
		}
		return errors.New("the feed holds no unknown change")
	})
	eventually(t, "the failure is on the queue", func() error {
		var got struct{ Messages []struct{ Body string } }
		if err := d.tryAWS(t.Context(), &got, "sqs", "receive-message", "--queue-url", d.outputs["FailureQueueUrl"]); err != nil {
			return err
		}
		if len(got.Messages) != 1 || !strings.Contains(got.Messages[0].Body, `"room":"`+room+`"`) {
			return fmt.Errorf("the queue contains %v", got.Messages)
		}
		if strings.Contains(got.Messages[0].Body, secret) {
			t.Errorf("the failure contains the message's text: %s", got.Messages[0].Body)
		}
		return nil
	})
}

// testLogs searches the log for text of users, and for tokens.
func testLogs(t *testing.T, d *deployment) {
	dave := d.signUp(t, "dave")
	in := map[string]string{"room": "logs"}
	calls := []call{
		{route: "PUT /rooms/{room}", path: in, body: `{"name":"Logs"}`, status: 201},
		{route: "POST /rooms/{room}/messages", path: in, body: `{"text":"` + secret + `"}`, status: 201},
		{route: "GET /rooms/{room}/messages", path: in, status: 200, holds: secret},
		{route: "GET /rooms/{room}/search", path: in, query: "q=" + secret, status: 200, holds: secret},
	}
	if _, err := dave.talk(t.Context(), calls); err != nil {
		t.Fatal(err)
	}
	ids := d.resources(t)
	for _, group := range []string{"WriteLogs", "ReadLogs", "SearchLogs", "IncomingLogs", "FeedLogs", "SocketLogs", "AuthorizerLogs"} {
		lines := d.logs(t, ids[group])
		if len(lines) == 0 {
			t.Errorf("%s is empty", group)
		}
		for _, line := range lines {
			if strings.Contains(line, secret) || strings.Contains(line, dave.token) {
				t.Errorf("%s contains a forbidden line: %s", group, line)
			}
		}
	}
}
