package functions_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/requests"
)

// connectionStub stands in for the address of the connections. Connections whose ids begin with
// "gone" have ended.
type connectionStub struct {
	mu       sync.Mutex
	requests []string // such as "POST here changes"
	busy     bool     // all requests are refused
}

func newConnectionStub(t *testing.T) (s *connectionStub, address string) {
	t.Helper()
	s = &connectionStub{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server.URL
}

func (s *connectionStub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, id, _ := strings.Cut(r.URL.Path, "/ws/@connections/")
	body, err := io.ReadAll(r.Body)
	if err != nil || !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ") {
		http.Error(w, "not signed", http.StatusForbidden)
		return
	}
	kind, _, _ := strings.Cut(strings.TrimPrefix(string(body), `{"type":"`), `"`)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, strings.TrimSpace(r.Method+" "+id+" "+kind))
	switch {
	case strings.HasPrefix(id, "gone"):
		w.WriteHeader(http.StatusGone)
	case s.busy:
		w.WriteHeader(http.StatusTooManyRequests)
	}
}

// take returns the requests since the last call, in alphabetical order.
func (s *connectionStub) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.requests
	s.requests = nil
	slices.Sort(all)
	return all
}

// subscribe stores a connection that is subscribed to a room.
func subscribe(t *testing.T, store *live.Table, room chat.RoomID, c live.Connection) {
	t.Helper()
	sub := live.Subscription{Room: room, Connection: c, Attempt: "1", Mode: live.Full}
	if _, err := store.AddRooms(t.Context(), c, []chat.RoomID{room}, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := store.PutPending(t.Context(), sub); err != nil {
		t.Fatal(err)
	}
	if ok, err := store.Activate(t.Context(), sub); !ok || err != nil {
		t.Fatal(ok, err)
	}
}

// TestFeed_DeliversToConnections runs the function's binary with connections to a room. Each event
// reaches the open connections. Ended connections are removed. Connections with an expired token
// are ended, and closed by a batch a second later. A person whose membership changed is checked,
// and is notified when they may no longer listen.
//
//golden:record
func TestFeed_DeliversToConnections(t *testing.T) {
	w := newFeedWorld(t)
	store := live.NewTable(dynamo.NewTable(w.db, feedLiveTable, nil))
	later := time.Now().Add(time.Hour)
	subscribe(t, store, "seattle", live.Connection{ID: "here", User: "bob", Until: later})
	subscribe(t, store, "seattle", live.Connection{ID: "gone", User: "carol", Until: later})
	subscribe(t, store, "seattle", live.Connection{ID: "late", User: "amsg", Until: time.Now()})
	closed := false
	for _, step := range []struct {
		event string
		want  []string
	}{
		{"message-created", []string{"POST gone changes", "POST here changes", "POST late closing"}},
		{"message-edited", []string{"POST here changes"}},
		{"member-left", []string{"POST here personal", "POST here unsubscribed"}},
		{"message-deleted", nil},
	} {
		w.deliver(requests.BatchOf(step.event))
		got := w.connections.take()
		closed = closed || slices.Contains(got, "DELETE late")
		got = slices.DeleteFunc(got, func(call string) bool { return call == "DELETE late" })
		if !slices.Equal(got, step.want) {
			t.Errorf("%s: the connections were sent %q, want %q", step.event, got, step.want)
		}
		w.removeEnded(store)
	}
	deadline := time.Now().Add(time.Minute)
	for n := 100; !closed; n++ {
		if time.Now().After(deadline) {
			t.Fatal("the expired connection is not closed")
		}
		w.deliver(strings.ReplaceAll(requests.BatchOf("message-created"), "-000000000001", fmt.Sprintf("-%012d", n)))
		closed = slices.Contains(w.connections.take(), "DELETE late")
	}
	if left, err := store.Subscriptions(t.Context(), "seattle"); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left", left, err)
	}
}

// removeEnded delivers further messages until ended connections are removed. One message is enough
// unless a busy machine cuts off a delivery: the next one then finds them again.
func (w *feedWorld) removeEnded(store *live.Table) {
	w.t.Helper()
	for n := 2; n < 10; n++ {
		left, err := store.Subscriptions(w.t.Context(), "seattle")
		if err != nil {
			w.t.Fatal(err)
		}
		if len(left) <= 1 {
			return
		}
		another := fmt.Sprintf("-%012d", n)
		w.deliver(strings.ReplaceAll(requests.BatchOf("message-created"), "-000000000001", another))
		w.connections.take()
	}
	w.t.Error("connections that have ended are never removed")
}

// refuse sets whether all requests are refused.
func (s *connectionStub) refuse(all bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy = all
}

// TestFeed_TellsHeadsAfterARefusedFrame runs the function's binary with a connection to which a frame
// is refused. When it no longer rests, a batch tells it the head of its room.
func TestFeed_TellsHeadsAfterARefusedFrame(t *testing.T) {
	w := newFeedWorld(t)
	store := live.NewTable(dynamo.NewTable(w.db, feedLiveTable, nil))
	subscribe(t, store, "seattle", live.Connection{ID: "here", User: "bob", Until: time.Now().Add(time.Hour)})
	w.connections.refuse(true)
	w.deliver(requests.BatchOf("message-created"))
	w.connections.take()
	if missed, err := store.SomeMissed(t.Context()); err != nil || len(missed) != 1 || missed[0].Connection.ID != "here" || missed[0].Room != "seattle" {
		t.Errorf("%+v, %v are stored, want the connection and its room", missed, err)
	}
	w.connections.refuse(false)
	deadline := time.Now().Add(time.Minute)
	for n := 100; !slices.Contains(w.connections.take(), "POST here heads"); n++ {
		if time.Now().After(deadline) {
			t.Fatal("the connection is not sent heads")
		}
		w.deliver(strings.ReplaceAll(requests.BatchOf("message-created"), "-000000000001", fmt.Sprintf("-%012d", n)))
	}
}

// TestFeed_DeliversToRenewedConnections runs the function's binary with two connections whose first
// token has expired. One of them was renewed.
func TestFeed_DeliversToRenewedConnections(t *testing.T) {
	w := newFeedWorld(t)
	store := live.NewTable(dynamo.NewTable(w.db, feedLiveTable, nil))
	ended, later := time.Now().Add(-time.Minute), time.Now().Add(time.Hour)
	renewed := live.Connection{ID: "renewed", User: "bob", Until: ended, RenewableUntil: later}
	subscribe(t, store, "seattle", renewed)
	subscribe(t, store, "seattle", live.Connection{ID: "late", User: "carol", Until: ended, RenewableUntil: later})
	renewed.Until = later
	if _, found, err := store.RenewConnection(t.Context(), renewed, time.Now()); !found || err != nil {
		t.Fatal(found, err)
	}
	w.deliver(requests.BatchOf("message-created"))
	if got, want := w.connections.take(), []string{"POST late closing", "POST renewed changes"}; !slices.Equal(got, want) {
		t.Errorf("the connections were sent %q, want %q", got, want)
	}
}

// TestFeed_EndsConnectionsOfTheSuspended runs the function's binary with the connections of a
// suspended person and of another person.
func TestFeed_EndsConnectionsOfTheSuspended(t *testing.T) {
	w := newFeedWorld(t)
	store := live.NewTable(dynamo.NewTable(w.db, feedLiveTable, nil))
	later := time.Now().Add(time.Hour)
	subscribe(t, store, "seattle", live.Connection{ID: "here", User: "bob", Until: later})
	subscribe(t, store, "seattle", live.Connection{ID: "gone", User: "bob", Until: later})
	subscribe(t, store, "seattle", live.Connection{ID: "other", User: "carol", Until: later})
	for _, want := range [][]string{{"DELETE gone", "DELETE here", "POST gone closing", "POST here closing"}, nil} {
		w.deliver(requests.BatchOf("person-suspended"))
		if got := w.connections.take(); !slices.Equal(got, want) {
			t.Errorf("the connections were sent %q, want %q", got, want)
		}
	}
	left, err := store.Subscriptions(t.Context(), "seattle")
	if err != nil || len(left) != 1 || left[0].Connection.ID != "other" {
		t.Errorf("%v, %v are left", left, err)
	}
}

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
