package functions_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"strings"
	"testing"
)

// socketEvent is an event of a connection, with the response to it.
type socketEvent struct {
	name    string
	body    string         // the client's message, replacing the one in hello.json
	context map[string]any // of the request, overriding the file's; nil is absent
	status  int            // 0 means 200
	holds   string         // part of the response
}

// renewable is the authorizer's context for a connection that may be extended.
var renewable = map[string]any{"user": "amsg", "until": "4102444800", "renewable": "4102452000", "principalId": "amsg", "integrationLatency": 12}

// socketEvents are the life of a connection, in order. The response to a message is a frame. An
// expired connection is notified and ended, and gets no response.
var socketEvents = []socketEvent{
	{name: "connect"},
	{name: "connect-unauthorized", context: map[string]any{"authorizer": nil}, status: 401},
	{name: "hello", holds: `"id":"seattle","head":`},
	{name: "hello-recent-rooms", body: `{"type": "hello", "id": "2"}`, context: map[string]any{"connectionId": "L0SM9cOFvHcCIhx="}, holds: `"id":"seattle","head":`},
	{name: "hello-unknown-room", body: `{"type": "hello", "id": "3", "rooms": [{"id": "nowhere"}]}`, context: map[string]any{"connectionId": "L0SM9cOFvHcCIhy="}, holds: "/problems/not-found"},
	{name: "hello-invalid", body: `{"type": "hello", "id": "4", "rooms": [{"id": "Seattle"}]}`, context: map[string]any{"connectionId": "L0SM9cOFvHcCIhz="}, holds: `"location":"rooms[0].id"`},
	{name: "hello-expired", body: `{"type": "hello", "id": "5", "rooms": [{"id": "seattle"}]}`, context: map[string]any{"authorizer": map[string]any{"user": "amsg", "until": "1535544000", "principalId": "amsg", "integrationLatency": 12}, "connectionId": "L0SM9cOFvHcCIhA="}},
	{name: "subscribe", body: `{"type": "subscribe", "id": "6", "rooms": [{"id": "seattle", "mode": "counts"}]}`, holds: `"type":"ack"`},
	{name: "subscribe-unknown-room", body: `{"type": "subscribe", "id": "7", "rooms": [{"id": "nowhere"}]}`, holds: "/problems/not-found"},
	{name: "subscribe-invalid", body: `{"type": "subscribe", "id": "8", "rooms": [{"id": "seattle", "mode": "all"}]}`, holds: `"location":"rooms[0].mode"`},
	{name: "typing", body: `{"type": "typing", "id": "9", "room": "seattle"}`, holds: `"type":"ack"`},
	{name: "typing-again", body: `{"type": "typing", "id": "10", "room": "seattle"}`, holds: "/problems/rate-limited"},
	{name: "typing-elsewhere", body: `{"type": "typing", "id": "11", "room": "nowhere"}`, holds: "/problems/"},
	{name: "sync", body: `{"type": "sync", "id": "12"}`, holds: `"id":"seattle","head":`},
	{name: "renew", body: `{"type": "renew", "id": "13", "token": "{{token}}"}`, context: map[string]any{"authorizer": renewable}, holds: `"id":"seattle","head":`},
	{name: "renew-invalid", body: `{"type": "renew", "id": "13", "token": "x"}`, context: map[string]any{"authorizer": renewable}, holds: "/problems/unauthorized"},
	{name: "unsubscribe", body: `{"type": "unsubscribe", "id": "13", "rooms": [{"id": "seattle"}]}`, holds: `"type":"ack"`},
	{name: "unsubscribe-invalid", body: `{"type": "unsubscribe", "id": "14", "rooms": []}`, holds: `"location":"rooms"`},
	{name: "unknown-type", body: `{"type": "shout", "id": "15"}`, holds: `"location":"type"`},
	{name: "malformed", body: `{"type":"hello",`, holds: "/problems/malformed"},
	{name: "too-large", body: `{"type": "sync", "id": "16", "padding": "` + strings.Repeat("x", 4096) + `"}`, holds: "/problems/"},
	{name: "disconnect"},
}

// sample returns the event. Its file is hello.json for a message, otherwise the one with which its
// name begins.
func (e socketEvent) sample(t *testing.T) sample {
	t.Helper()
	file, _, _ := strings.Cut(e.name, "-")
	var event struct {
		Headers           map[string]any `json:"headers,omitempty"`
		MultiValueHeaders map[string]any `json:"multiValueHeaders,omitempty"`
		RequestContext    map[string]any `json:"requestContext"`
		Body              string         `json:"body,omitempty"`
		IsBase64Encoded   bool           `json:"isBase64Encoded"`
	}
	if e.body != "" {
		file = "hello"
	}
	if err := json.Unmarshal([]byte(readEvent(t, "socket", file)), &event); err != nil {
		t.Fatal(err)
	}
	event.Body = cmp.Or(e.body, event.Body)
	maps.Copy(event.RequestContext, e.context)
	maps.DeleteFunc(event.RequestContext, func(_ string, v any) bool { return v == nil })
	text, err := json.MarshalIndent(event, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return sample{name: e.name, event: string(text) + "\n", status: cmp.Or(e.status, 200), holds: e.holds}
}
