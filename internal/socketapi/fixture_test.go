package socketapi_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/account"
	"example.com/parley/internal/app"
	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/live"
	"example.com/parley/internal/local/issuer"
	"example.com/parley/internal/measure/steps"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/socketapi"
	"example.com/parley/internal/socketauth"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// sinceField is a position in a message.
var sinceField = regexp.MustCompile(`"since": *"[^"]*"`)

// tokenField is an access token in a message.
var tokenField = regexp.MustCompile(`"token": *"[^"]*"`)

// world is the handler on its own engine, with what it has sent and consumed.
type world struct {
	*app.Services
	t        *testing.T
	clock    *chattest.Clock
	handler  *socketapi.Handler
	endpoint string
	store    *dynamo.Store
	rows     *live.Table
	sent     *outbox
	steps    steps.Meter // of the handler
	meter    *tabletest.Usage
	logs     *bytes.Buffer
	issuer   *issuer.Issuer // of tokens that renew connections
	next     int            // the number of the next connection or request
}

func newWorld(t *testing.T, change ...func(*app.Options)) *world {
	t.Helper()
	endpoint := enginetest.Start(t)
	w := &world{t: t, endpoint: endpoint, meter: &tabletest.Usage{}, logs: &bytes.Buffer{}}
	w.Services, w.clock = chattest.NewOn(t, endpoint, func(o *app.Options) {
		for _, c := range change {
			c(o)
		}
	})
	w.sent = &outbox{t: t, now: w.clock.Now, frames: map[live.ConnectionID][]frameAt{}}
	client := dynamo.LocalClient(endpoint)
	tabletest.CreateLive(t, client, "live")
	w.store = dynamo.New(client, dynamo.Options{Table: chattest.Table, Clock: w.clock.Now, Observe: w.meter.Observe})
	w.rows = live.NewTable(dynamo.NewTable(client, "live", nil))
	var err error
	if w.issuer, err = issuer.Open(issuer.Config{Dir: t.TempDir(), Clock: w.clock.Now, Rand: rand.Reader}); err != nil {
		t.Fatal(err)
	}
	w.restart()
	return w
}

// restart replaces the handler by one that remembers nothing, like another process's handler.
func (w *world) restart() {
	w.t.Helper()
	client := dynamo.LocalClient(w.endpoint)
	// The handler's own calls must be allowed by the function's role.
	guarded := dynamodb.New(client.Options(), recorder.Client("socket"), w.steps.Options, interruptible)
	store := dynamo.New(guarded, dynamo.Options{Table: chattest.Table, Clock: w.clock.Now, Observe: w.meter.Observe, Confined: true})
	connections := dynamo.NewTable(guarded, "live", w.meter.Observe)
	rows, budgets := live.NewTable(connections), dynamo.NewConnectionBudgets(connections)
	rooms := chat.NewService(chat.Options{Store: store, Clock: w.clock.Now})
	accounts, blocks := account.NewService(account.Options{Table: store.Table(), Clock: w.clock.Now}), block.NewService(store.Table(), w.clock.Now)
	service := live.NewService(live.Options{
		Store: rows, Rooms: live.NewMemberAuthorizer(store, rooms, w.clock.Now), Heads: store, Accounts: accounts, Blocks: blocks, Clock: w.clock.Now,
	})
	log := slog.New(slog.NewJSONHandler(w.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	verifier, err := w.issuer.Verifier()
	if err != nil {
		w.t.Fatal(err)
	}
	w.handler = socketapi.New(socketapi.Options{
		Tokens:        &socketauth.Tokens{Verifier: verifier, Clock: w.clock.Now, Log: log},
		Subscriptions: service, Listeners: service, Poster: w.sent, Clock: w.clock.Now, AnnounceTime: time.Minute, // tests share their machine
		Accounts: accounts, Blocks: blocks,
		Meter: ratelimit.NewMeter(ratelimit.Options{
			Store: budgets, Limits: ratelimit.ForConnections(0), Clock: w.clock.Now, Chance: func() float64 { return 0.99 },
		}),
		ServiceMeter: ratelimit.NewMeter(ratelimit.Options{
			Store: budgets, Limits: ratelimit.ForServiceConnections(0), Clock: w.clock.Now, Chance: func() float64 { return 0.99 },
		}),
		Inbox: inbox.NewService(inbox.Options{Store: inbox.NewStore(store.Table()), Source: store, Rooms: rooms, Blocks: blocks, Clock: w.clock.Now}),
		Log:   log,
		Wait:  w.wait,
	})
}

// wait takes no time but the clock's.
func (w *world) wait(_ context.Context, d time.Duration) { w.clock.Advance(d) }

// outbox records what is sent to connections, in place of API Gateway. Connections that are gone
// refuse frames, as the service does. A deletion overtakes the frames of the 500 ms before it, as
// it may in the service.
type outbox struct {
	t      testing.TB
	now    func() time.Time
	mu     sync.Mutex
	frames map[live.ConnectionID][]frameAt
	closed map[live.ConnectionID]bool
	busy   bool // refuses everything
}

func (o *outbox) setBusy(busy bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.busy = busy
}

func (o *outbox) Post(_ context.Context, to live.ConnectionID, frame []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.busy {
		return live.ErrBusy
	}
	if o.closed[to] {
		return live.ErrGone
	}
	checkFrame(o.t, string(frame))
	o.frames[to] = append(o.frames[to], frameAt{string(frame), o.now()})
	return nil
}

// frameAt is a frame with the time at which it was posted.
type frameAt struct {
	text string
	at   time.Time
}

func (o *outbox) Close(_ context.Context, id live.ConnectionID) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.busy {
		return live.ErrBusy
	}
	if o.closed == nil {
		o.closed = map[live.ConnectionID]bool{}
	}
	o.closed[id] = true
	o.frames[id] = slices.DeleteFunc(o.frames[id], func(f frameAt) bool { return o.now().Sub(f.at) < 500*time.Millisecond })
	return nil
}

// take returns the frames that were sent to a connection since the last call.
func (o *outbox) take(id live.ConnectionID) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var frames []string
	for _, f := range o.frames[id] {
		frames = append(frames, f.text)
	}
	delete(o.frames, id)
	return frames
}

// client is one connection of a person.
type client struct {
	*world
	id    live.ConnectionID
	user  string
	until time.Time
	// renewable is until when the connection can be renewed.
	renewable time.Time
	service   bool // the token is a service's
}

// connect opens a connection of a person for an hour.
func (w *world) connect(user string) *client {
	w.t.Helper()
	w.next++
	c := &client{world: w, id: live.ConnectionID(fmt.Sprintf("c%d-%s=", w.next, user)), user: user, until: w.clock.Now().Add(time.Hour)}
	c.renewable = w.clock.Now().Add(socketauth.MaxLife)
	a, err := w.handler.Handle(w.t.Context(), c.event("$connect", ""))
	if err != nil || a.StatusCode != http.StatusOK || a.Headers["Sec-WebSocket-Protocol"] != "parley.v1" || a.Body != "" {
		w.t.Fatalf("connect: %+v, %v", a, err)
	}
	return c
}

func (c *client) event(route, body string) events.APIGatewayWebsocketProxyRequest {
	c.next++
	e := events.APIGatewayWebsocketProxyRequest{Body: body}
	e.RequestContext.RouteKey, e.RequestContext.ConnectionID = route, string(c.id)
	e.RequestContext.RequestID = fmt.Sprintf("r%d", c.next)
	e.RequestContext.Authorizer = map[string]any{
		"user": c.user, "until": strconv.FormatInt(c.until.Unix(), 10), "principalId": c.user, "integrationLatency": 12.0,
		"renewable": strconv.FormatInt(c.renewable.Unix(), 10),
	}
	if c.service {
		e.RequestContext.Authorizer.(map[string]any)["service"] = "true"
	}
	return e
}

// send sends a message and returns the answer. The bucket of the connection has room again.
func (c *client) send(body string) string {
	c.t.Helper()
	c.clock.Advance(time.Second)
	return c.sendNow(body)
}

// sendNow is send at the same time as the message before.
func (c *client) sendNow(body string) string {
	c.t.Helper()
	a, err := c.handler.Handle(c.t.Context(), c.event("$default", body))
	if err != nil || a.StatusCode != http.StatusOK {
		c.t.Fatalf("%s: %+v, %v", body, a, err)
	}
	if a.Body != "" {
		checkFrame(c.t, a.Body)
	}
	if strings.Contains(a.Body, `"ack"`) && schemas(c.t).CheckRequest([]byte(body)) != nil {
		c.t.Errorf("%s was accepted, and is not as described", body)
	}
	return a.Body
}

// disconnect ends the connection as API Gateway reports it.
func (c *client) disconnect() {
	c.t.Helper()
	if a, err := c.handler.Handle(c.t.Context(), c.event("$disconnect", "")); err != nil || a.StatusCode != http.StatusOK {
		c.t.Fatalf("disconnect: %+v, %v", a, err)
	}
}

// want sends a message and compares the answer. In want, NOW stands for the time.
func (c *client) want(body, want string) {
	c.t.Helper()
	got := c.send(body)
	want = strings.ReplaceAll(want, "NOW", c.clock.Now().UTC().Format("2006-01-02T15:04:05.000Z"))
	if got != want {
		c.t.Errorf("%s: %s\ngot  %s\nwant %s", c.user, body, got, want)
	}
}

// wantFrames compares the frames that were sent to the connection.
func (c *client) wantFrames(want ...string) {
	c.t.Helper()
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], "LATER", c.clock.Now().Add(10*time.Second).UTC().Format("2006-01-02T15:04:05.000Z"))
	}
	if got := c.sent.take(c.id); !slices.Equal(got, want) {
		c.t.Errorf("%s was sent\n%s\nwant\n%s", c.id, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// isClosed reports whether the server has closed the connection.
func (c *client) isClosed() bool {
	c.sent.mu.Lock()
	defer c.sent.mu.Unlock()
	return c.sent.closed[c.id]
}

// appendChanges appends changes to a room's feed, as the feed function would, and returns the
// position of its end.
func (w *world) appendChanges(room chat.RoomID, n int) string {
	w.t.Helper()
	head, err := w.store.CurrentFeedHead(w.t.Context(), room)
	if err != nil {
		w.t.Fatal(err)
	}
	s := feed.Segment{Room: room, First: head.Last + 1, Count: head.Count, Generation: "g1", WrittenAt: w.clock.Now().UTC()}
	for range n {
		s.Changes = append(s.Changes, feed.Change{Type: feed.RoomChanged})
	}
	if ok, err := w.store.AppendSegment(w.t.Context(), s); err != nil || !ok {
		w.t.Fatal(ok, err)
	}
	if err := w.store.PutFeedHead(w.t.Context(), s.Head()); err != nil {
		w.t.Fatal(err)
	}
	return position(room, s.Last())
}

// position returns the text of a position in a room's feed.
func position(room chat.RoomID, seq int64) string {
	if seq == 0 {
		return chat.FeedPosition{}.Text(room)
	}
	return chat.FeedPosition{Seq: seq, Generation: "g1"}.Text(room)
}

// problemOf returns the status and the fields at fault of a problem frame.
func problemOf(t *testing.T, frame string) string {
	t.Helper()
	var f struct {
		Type, ID string
		Problem  struct {
			Status int
			Detail string
			Errors []struct{ Location, Message string }
		}
		RetryAfter int
	}
	if err := json.Unmarshal([]byte(frame), &f); err != nil || f.Type != "problem" {
		return "no problem: " + frame
	}
	text := fmt.Sprint(f.ID, " ", f.Problem.Status)
	for _, e := range f.Problem.Errors {
		text += " " + e.Location + " " + e.Message
	}
	if len(f.Problem.Errors) == 0 {
		text += " " + f.Problem.Detail
	}
	if f.RetryAfter > 0 {
		text += fmt.Sprint(" ", f.RetryAfter)
	}
	return text
}

// withoutNow returns a frame with NOW in place of its time.
func withoutNow(frame string) string { return nowField.ReplaceAllString(frame, `"now":"NOW"`) }

var nowField = regexp.MustCompile(`"now":"[^"]*"`)

// operations returns the names of calls in alphabetical order, with their units.
func operations(calls []dynamo.Usage) string {
	var names []string
	for _, u := range calls {
		names = append(names, fmt.Sprint(u.Operation, " ", u.Units))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
