package socketapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/chattest"
)

const sync1 = `{"type":"sync","id":"1"}`

// TestHandle_Refusals is a table of messages that are refused, each with the field at fault.
// Nothing is stored for any of them.
func TestHandle_Refusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hello := func(rooms string) string { return `{"type":"hello","id":"h","rooms":` + rooms + `}` }
	many := strings.TrimSuffix(strings.Repeat(`{"id":"r"},`, live.MaxRooms+1), ",")
	const types = "type must be one of hello, subscribe, unsubscribe, typing, sync, renew"
	for _, tt := range []struct{ name, body, want string }{
		{"no message", ``, " 400 body must be whole: its JSON ends too early"},
		{"no JSON", `hello`, " 400 body must be valid JSON in UTF-8; the error is at byte 0"},
		{"half a message", `{"type":"sync"`, " 400 body must be whole: its JSON ends too early"},
		{"two messages", sync1 + sync1, " 400 body must be valid JSON in UTF-8; the error is at byte 24"},
		{"an array", `[` + sync1 + `]`, " 400 body must be a JSON object"},
		{"null", `null`, " 400 body must be a JSON object"},
		{"a key twice", `{"type":"sync","id":"1","id":"2"}`, " 400 body must not contain a key twice"},
		{"a key twice below", hello(`[{"id":"a","id":"b"}]`), " 400 body must not contain a key twice"},
		{"invalid UTF-8", "{\"type\":\"sync\",\"id\":\"\xff\"}", " 400 body must be valid JSON in UTF-8; the error is at byte 21"},
		{"no id", `{"type":"sync"}`, " 422 id must be a string of 1 to 64 bytes"},
		{"an empty id", `{"type":"sync","id":""}`, " 422 id must be a string of 1 to 64 bytes"},
		{"a number as id", `{"type":"sync","id":1}`, " 422 id must be a string of 1 to 64 bytes"},
		{"null as id", `{"type":"sync","id":null}`, " 422 id must be a string of 1 to 64 bytes"},
		{"a long id", `{"type":"sync","id":"` + strings.Repeat("x", 65) + `"}`, " 422 id must be a string of 1 to 64 bytes"},
		{"no type", `{"id":"1"}`, "1 422 " + types},
		{"an unknown type", `{"id":"1","type":"post"}`, "1 422 " + types},
		{"a type of the server's", `{"id":"1","type":"changes"}`, "1 422 " + types},
		{"a type in capitals", `{"id":"1","type":"Sync"}`, "1 422 " + types},
		{"an object as type", `{"id":"1","type":{}}`, "1 422 " + types},
		{"an unknown field", `{"type":"sync","id":"1","room":"a"}`, "1 422 room is not a known field; remove it"},
		{"an unknown field below", hello(`[{"id":"a"},{"id":"b","until":1}]`), "h 422 rooms[1].until is not a known field; remove it"},
		{"a field in capitals", `{"type":"typing","id":"1","Room":"a"}`, "1 422 Room is not a known field; remove it"},
		{"a string as rooms", hello(`"a"`), "h 422 rooms must be an array"},
		{"null as rooms", hello(`null`), "h 422 rooms must not be null; leave it out"},
		{"an object as rooms", hello(`{"id":"a"}`), "h 422 rooms must be an array"},
		{"strings as rooms", hello(`["a"]`), "h 422 rooms[0] must be an object"},
		{"null as a room", hello(`[null]`), "h 422 rooms[0] must not be null; leave it out"},
		{"null as a since", hello(`[{"id":"a","since":null}]`), "h 422 rooms[0].since must not be null; leave it out"},
		{"a number as since", hello(`[{"id":"a","since":12}]`), "h 422 rooms[0].since must be a string"},
		{"a forged since", hello(`[{"id":"a","since":"12"}]`), "h 422 rooms[0].since must be the since of an answer about this room, unchanged; leave it out to read from the beginning"},
		{"a since of another room", hello(`[{"id":"b"},{"id":"a","since":"` + position("b", 3) + `"}]`), "h 422 rooms[1].since must be the since of an answer about this room, unchanged; leave it out to read from the beginning"},
		{"an unknown mode", hello(`[{"id":"a","mode":"silent"}]`), "h 422 rooms[0].mode must be full or counts"},
		{"a room without an id", hello(`[{"mode":"full"}]`), "h 422 rooms[0].id must be 1 to 64 bytes long"},
		{"an invalid room", hello(`[{"id":"a"},{"id":"B"}]`), "h 422 rooms[1].id must contain only a-z, 0-9 and -"},
		{"a room twice", hello(`[{"id":"a"},{"id":"b"},{"id":"a"}]`), "h 422 rooms[2].id must not be in the list twice"},
		{"101 rooms", hello(`[` + many + `]`), "h 422 rooms must name at most 100 rooms"},
		{"nothing to subscribe to", `{"type":"subscribe","id":"1"}`, "1 422 rooms must name a room"},
		{"an empty list", `{"type":"subscribe","id":"1","rooms":[]}`, "1 422 rooms must name a room"},
		{"nothing to unsubscribe from", `{"type":"unsubscribe","id":"1"}`, "1 422 rooms must name a room"},
		{"a since in unsubscribe", `{"type":"unsubscribe","id":"1","rooms":[{"id":"a","since":"x"}]}`, "1 422 rooms[0].since is not a known field; remove it"},
		{"typing in no thread", `{"type":"typing","id":"1","room":"a","thread":"b"}`, "1 422 thread must have the form <uuid>~<user>"},
		{"typing nowhere", `{"type":"typing","id":"1"}`, "1 422 room must be 1 to 64 bytes long"},
		{"a sync of more than 4 KB", sync1 + strings.Repeat(" ", 4<<10), "1 413 A sync may have at most 4096 bytes."},
		{"a sync of no rooms", `{"type":"sync","id":"1","rooms":[]}`, "1 422 rooms must name 1 to 20 rooms"},
		{"a sync of 21 rooms", `{"type":"sync","id":"1","rooms":[` + strings.Repeat(`{"id":"a"},`, 20) + `{"id":"a"}]}`, "1 422 rooms must name 1 to 20 rooms"},
		{"a sync of a room twice", `{"type":"sync","id":"1","rooms":[{"id":"a"},{"id":"a"}]}`, "1 422 rooms[1].id must not be in the list twice"},
		{"a sync of null", `{"type":"sync","id":"1","rooms":null}`, "1 422 rooms must not be null; leave it out"},
		{"a mode in a sync", `{"type":"sync","id":"1","rooms":[{"id":"a","mode":"full"}]}`, "1 422 rooms[0].mode is not a known field; remove it"},
		{"a since of another room in a sync", syncOf("a", position("b", 3)), "1 422 rooms[0].since must be the since of an answer about this room, unchanged; leave it out to read from the beginning"},
		{"null as a token", `{"type":"renew","id":"1","token":null}`, "1 422 token must not be null; leave it out"},
		{"a number as a token", `{"type":"renew","id":"1","token":1}`, "1 422 token must be a string"},
		{"a hello of more than 32 KB", hello(`[]`) + strings.Repeat(" ", 32<<10), " 413 A hello may have at most 32768 bytes."},
	} {
		c := w.connect("amsg")
		w.meter.Take()
		if got := problemOf(t, c.send(tt.body)); got != tt.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", tt.name, tt.body, got, tt.want)
		}
		if calls := w.meter.Take(); len(calls) > 0 {
			t.Errorf("%s: %v", tt.name, calls)
		}
	}
	if c := w.connect("amsg"); !strings.Contains(c.send(hello(`[]`)+strings.Repeat(" ", 5<<10)), `"ack"`) {
		t.Error("a hello of 5 KB was refused")
	}
}

// TestHandle_BinaryFrames refuses frames that are not text.
func TestHandle_BinaryFrames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.connect("amsg")
	e := c.event("$default", "eyJ9")
	e.IsBase64Encoded = true
	a, err := w.handler.Handle(t.Context(), e)
	if got := problemOf(t, a.Body); err != nil || got != " 400 body must be a JSON object" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestHandle_TooFast sends more than the bucket of one connection holds. Another one of the same
// person is not affected.
func TestHandle_TooFast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, other := w.connect("amsg"), w.connect("amsg")
	for i := range 20 {
		if got := c.sendNow(sync1); !strings.Contains(got, `"ack"`) {
			t.Fatalf("message %d: %s", i, got)
		}
	}
	w.meter.Take()
	if got := problemOf(t, c.sendNow(sync1)); got != " 429 A connection may send 2 messages a second; wait before the next. 1" || len(w.meter.Take()) != 0 {
		t.Error(got)
	}
	if got := other.sendNow(sync1); !strings.Contains(got, `"ack"`) {
		t.Error(got)
	}
	w.clock.Advance(500 * time.Millisecond)
	if got := c.sendNow(sync1); !strings.Contains(got, `"ack"`) {
		t.Error(got)
	}
}

// TestHandle_ClosedAfterRefusals refuses 50 messages. The last answer, and the reason, are sent
// before the end.
func TestHandle_ClosedAfterRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, other := w.connect("amsg"), w.connect("amsg")
	for i := range 49 {
		if got := c.send(`{"type":"no","id":"1"}`); !strings.Contains(got, `"problem"`) || c.isClosed() {
			t.Fatalf("refusal %d: %s", i+1, got)
		}
		c.send(sync1) // a good one between
	}
	if got := c.send(`{"type":"no","id":"last"}`); got != "" || !c.isClosed() {
		t.Errorf("refusal 50: %q, closed %t", got, c.isClosed())
	}
	frames := w.sent.take(c.id)
	if len(frames) != 2 || !strings.HasPrefix(problemOf(t, frames[0]), "last 422") || frames[1] != `{"type":"closing","reason":"refusals"}` {
		t.Errorf("the last frames are %q", frames)
	}
	if got := other.send(sync1); !strings.Contains(got, `"ack"`) || other.isClosed() {
		t.Errorf("another connection: %s", got)
	}
}

// TestHandle_ExpiredConnection accepts nothing from the second on at which the token expires.
func TestHandle_ExpiredConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	c := w.connect("maker")
	w.clock.Advance(time.Hour - time.Millisecond)
	if got := c.sendNow(`{"type":"hello","id":"1"}`); !strings.Contains(got, `"head"`) {
		t.Errorf("in the last millisecond: %s", got)
	}
	w.clock.Advance(time.Millisecond)
	w.meter.Take()
	got := c.sendNow(`{"type":"hello","id":"2"}`)
	if calls := operations(w.meter.Take()); got != "" || !c.isClosed() || calls != "read ends of connections 1" {
		t.Errorf("after the end: %s, closed %t, %s", got, c.isClosed(), calls)
	}
	c.wantFrames(`{"type":"closing","reason":"expired"}`)
	c.disconnect()
}

// TestHandle_EleventhConnection closes the newest connection of a person who has ten.
func TestHandle_EleventhConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	for i := range 10 {
		if got := w.connect("maker").send(`{"type":"hello","id":"1"}`); !strings.Contains(got, `"head"`) {
			t.Fatalf("connection %d: %s", i+1, got)
		}
	}
	c := w.connect("maker")
	if got := c.send(`{"type":"hello","id":"x"}`); got != "" || !c.isClosed() {
		t.Errorf("%s, closed %t", got, c.isClosed())
	}
	frames := w.sent.take(c.id)
	if len(frames) != 2 || problemOf(t, frames[0]) != "x 409 You have as many connections as possible; close one first." ||
		frames[1] != `{"type":"closing","reason":"too-many-connections"}` {
		t.Errorf("the last frames are %q", frames)
	}
	if got := w.connect("bob").send(`{"type":"hello","id":"1","rooms":[{"id":"seattle"}]}`); !strings.Contains(got, `"head"`) {
		t.Errorf("another person: %s", got)
	}
}

// TestHandle_HundredRooms fills a connection. The ack fits in one frame, whatever the rooms are.
func TestHandle_HundredRooms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var rooms []string
	var ids []chat.RoomID
	for i := range live.MaxRooms {
		ids = append(ids, chat.RoomID(fmt.Sprintf("%s%03d", strings.Repeat("r", 61), i)))
		rooms = append(rooms, fmt.Sprintf(`{"id":"%s","since":""}`, ids[i]))
	}
	c := w.connect("amsg")
	got := c.send(`{"type":"hello","id":"1","rooms":[` + strings.Join(rooms, ",") + `]}`)
	if n := strings.Count(got, "There is no such room."); n != live.MaxRooms || len(got) > 32<<10 {
		t.Errorf("%d problems in %d bytes", n, len(got))
	}
	full := live.Connection{ID: c.id, User: "amsg", Until: c.until}
	if _, err := w.rows.AddRooms(t.Context(), full, ids, w.clock.Now()); err != nil { // as if they were not refused
		t.Fatal(err)
	}
	if got := problemOf(t, c.send(`{"type":"subscribe","id":"1","rooms":[{"id":"one-more"}]}`)); !strings.HasPrefix(got, "1 409 rooms ") {
		t.Error(got)
	}
}

// TestHandle_WithoutAnAuthorizer refuses events of an API that has no authorizer.
func TestHandle_WithoutAnAuthorizer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, stated := range []any{nil, "amsg", map[string]any{}, map[string]any{"user": "amsg"}, map[string]any{"until": "1"}, map[string]any{"user": "a#b", "until": "1"}} {
		for _, route := range []string{"$connect", "$disconnect", "$default"} {
			e := events.APIGatewayWebsocketProxyRequest{Body: sync1}
			e.RequestContext.RouteKey, e.RequestContext.ConnectionID, e.RequestContext.Authorizer = route, "c1", stated
			if a, err := w.handler.Handle(t.Context(), e); err != nil || a.StatusCode != http.StatusUnauthorized || a.Body != "" || len(a.Headers) > 0 {
				t.Errorf("%s with %v: %+v, %v", route, stated, a, err)
			}
		}
	}
}

// TestHandle_Panic answers a request in which the code panics. The log has the cause.
func TestHandle_Panic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.connect("amsg")
	w.handler.Subscriptions = nil
	if got := problemOf(t, c.send(sync1)); got != "1 500 The server failed; its log has the cause." {
		t.Error(got)
	}
	if log := w.logs.String(); !strings.Contains(log, `"panic"`) || !strings.Contains(log, "nil pointer") {
		t.Error(log)
	}
}

// TestHandle_ConnectionsShareABudget subscribes through many connections and processes, one after
// the other. They are refused together, before anything else is read or written, and have something
// again a moment later.
func TestHandle_ConnectionsShareABudget(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var rooms []string
	for i := range live.MaxRooms {
		rooms = append(rooms, fmt.Sprintf(`{"id":"r%03d"}`, i))
	}
	hello := `{"type":"hello","id":"1","rooms":[` + strings.Join(rooms, ",") + `]}`
	accepted := 0
	var last string
	for range 20 {
		w.restart()
		c := w.connect("amsg")
		w.meter.Take()
		if last = c.sendNow(hello); !strings.Contains(last, `"ack"`) {
			break
		}
		accepted++
		c.disconnect()
	}
	if got := problemOf(t, last); accepted < 5 || accepted > 8 || !strings.HasPrefix(got, "1 429 You have used up your limit of writes; ") {
		t.Errorf("%d connections are accepted, then %s", accepted, got)
	}
	if calls := operations(w.meter.Take()); calls != "" {
		t.Errorf("a refused hello makes the calls %s", calls)
	}
	if got := w.connect("bob").sendNow(hello); !strings.Contains(got, `"ack"`) {
		t.Errorf("another person: %s", got)
	}
	w.clock.Advance(2 * time.Second)
	if got := w.connect("amsg").sendNow(hello); !strings.Contains(got, `"ack"`) {
		t.Errorf("two seconds later: %s", got)
	}
}

// TestHandle_QuietLogsFailedAndSlowRequests counts the lines of requests at info, the level of prod.
func TestHandle_QuietLogsFailedAndSlowRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.connect("amsg")
	w.handler.Quiet = true
	lines := func() int {
		n := 0
		for line := range strings.Lines(w.logs.String()) {
			if strings.Contains(line, `"msg":"request"`) && strings.Contains(line, `"level":"INFO"`) {
				n++
			}
		}
		w.logs.Reset()
		return n
	}
	lines()
	c.send(sync1)
	if n := lines(); n != 0 {
		t.Errorf("a request that succeeds immediately has %d lines", n)
	}
	clock := w.handler.Clock
	var looks time.Duration
	w.handler.Clock = func() time.Time { looks++; return clock().Add(looks * config.SlowRequest) }
	c.send(sync1)
	if n := lines(); n != 1 {
		t.Errorf("a slow request has %d lines", n)
	}
	w.handler.Clock, w.handler.Subscriptions = clock, nil
	c.send(sync1)
	if n := lines(); n != 1 {
		t.Errorf("a failure has %d lines", n)
	}
}
