package socket_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"example.com/parley/internal/follow"
	"example.com/parley/internal/local/socket"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// waitTime ends the wait for an event that does not come.
const waitTime = time.Minute

// start is the time at which the tests' clocks begin.
var start = time.UnixMilli(1_700_000_000_123)

type event = events.APIGatewayWebsocketProxyRequest

// api is a running gateway with functions that record their events.
type api struct {
	*socket.Gateway
	url        string
	management string
	client     *http.Client // of calls to the management
	network    *http.Client // of clients
	logs       *locked

	mu         sync.Mutex
	now        time.Time
	events     map[string][]event // by type
	authorize  socket.Authorize
	authorized []events.APIGatewayCustomAuthorizerRequestTypeRequest
	handle     func(event) (events.APIGatewayProxyResponse, error)
}

var signer = socket.Signer{
	Credentials: aws.Credentials{AccessKeyID: "AKIDLOCAL", SecretAccessKey: "secret"}, Region: "us-east-1",
}

// newAPI creates a gateway that no server serves yet.
func newAPI(t *testing.T, change ...func(*socket.Config)) *api {
	t.Helper()
	a := &api{now: start, logs: &locked{}, authorize: allow, handle: echo, events: map[string][]event{}}
	cfg := socket.Config{
		Routes: []socket.Route{
			{Key: "$connect", Invoke: a.invoke}, {Key: "$disconnect", Invoke: a.invoke},
			{Key: "$default", TwoWay: true, Invoke: a.invoke}, {Key: "quiet", Invoke: a.invoke},
		},
		Authorize: a.asked, Identity: "Sec-WebSocket-Protocol", Selector: "type", Stage: "local",
		Farewell: []byte(`"farewell"`),
		Log:      slog.New(slog.NewTextHandler(a.logs, nil)), Clock: a.clock, Rand: rand.Reader,
	}
	for _, c := range change {
		c(&cfg)
	}
	g, err := socket.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	a.Gateway, a.client, a.network = g, &http.Client{Transport: &http.Transport{}}, http.DefaultClient
	return a
}

// serve starts a gateway.
func serve(t *testing.T, change ...func(*socket.Config)) *api {
	t.Helper()
	a := newAPI(t, change...)
	s := signer
	s.Clock = a.clock
	server, management := httptest.NewUnstartedServer(a.Gateway), httptest.NewServer(socket.NewManagement(a.Gateway, s))
	server.Listener = a.Prepare(server.Config, server.Listener)
	server.Start()
	a.url, a.management = server.URL, management.URL
	t.Cleanup(func() {
		a.stop(t)
		server.Close()
		a.client.CloseIdleConnections()
		management.Close()
	})
	return a
}

// stop shuts the gateway down.
func (a *api) stop(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waitTime)
	defer cancel()
	if err := a.Shutdown(ctx); err != nil {
		t.Error(err)
	}
}

func allow(context.Context, events.APIGatewayCustomAuthorizerRequestTypeRequest) (events.APIGatewayCustomAuthorizerResponse, error) {
	return policy("Allow", "arn:aws:execute-api:*:*:*/local/$connect"), nil
}

func policy(effect, resource string) events.APIGatewayCustomAuthorizerResponse {
	return events.APIGatewayCustomAuthorizerResponse{
		PrincipalID: "amsg", Context: map[string]any{"user": "amsg", "until": "1700007200"},
		PolicyDocument: events.APIGatewayCustomAuthorizerPolicy{Version: "2012-10-17", Statement: []events.IAMPolicyStatement{
			{Action: []string{"execute-api:Invoke"}, Effect: effect, Resource: []string{resource}},
		}},
	}
}

// echo selects the subprotocol, and answers messages with their text.
func echo(e event) (events.APIGatewayProxyResponse, error) {
	resp := events.APIGatewayProxyResponse{StatusCode: 200, Body: e.Body}
	switch {
	case e.RequestContext.EventType == "CONNECT":
		resp.Headers = map[string]string{"sec-websocket-protocol": "parley.v1"}
	case strings.Contains(e.Body, "panic"):
		panic("secret cause")
	case strings.Contains(e.Body, "error"):
		return resp, errors.New("secret cause")
	case strings.Contains(e.Body, "status"):
		resp.StatusCode = 500
	}
	return resp, nil
}

func (a *api) clock() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now
}

// advance lets time pass.
func (a *api) advance(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.now = a.now.Add(d)
}

// wait lets time pass, and lets the gateway notice.
func (a *api) wait(d time.Duration) {
	a.advance(d)
	a.Sweep()
}

func staticCredentials(context.Context) (aws.Credentials, error) { return signer.Credentials, nil }

func (a *api) invoke(_ context.Context, e event) (events.APIGatewayProxyResponse, error) {
	a.mu.Lock()
	kind := e.RequestContext.EventType
	a.events[kind] = append(a.events[kind], e)
	handle := a.handle
	a.mu.Unlock()
	return handle(e)
}

func (a *api) asked(ctx context.Context, e events.APIGatewayCustomAuthorizerRequestTypeRequest) (events.APIGatewayCustomAuthorizerResponse, error) {
	a.mu.Lock()
	a.authorized = append(a.authorized, e)
	a.mu.Unlock()
	return a.authorize(ctx, e)
}

// all returns the events of a type.
func (a *api) all(kind string) []event {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.events[kind]
}

// await waits for the nth event of a type, from 1.
func (a *api) await(t *testing.T, kind string, n int) event {
	t.Helper()
	for range int(waitTime / (100 * time.Microsecond)) {
		if all := a.all(kind); len(all) >= n {
			return all[n-1]
		}
		time.Sleep(100 * time.Microsecond)
	}
	t.Fatalf("no %d events %s", n, kind)
	return event{}
}

// dial connects a client. Each header is "Name: value".
func (a *api) dial(t *testing.T, headers ...string) (*websocket.Conn, *http.Response, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitTime)
	defer cancel()
	options := &websocket.DialOptions{HTTPClient: follow.HandshakeClient(a.network), Subprotocols: []string{"parley.v1", "bearer.token"}, HTTPHeader: http.Header{}}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		options.HTTPHeader.Add(name, value)
	}
	return websocket.Dial(ctx, a.url, options)
}

// connect connects a client, and returns it with its connection's id.
func (a *api) connect(t *testing.T) (*websocket.Conn, string) {
	t.Helper()
	before := len(a.all("CONNECT"))
	ws, _, err := a.dial(t)
	if err != nil {
		t.Fatal(err)
	}
	ws.SetReadLimit(-1)
	t.Cleanup(func() { _ = ws.CloseNow() })
	return ws, a.accepted(t, before+1)
}

// accepted waits until the nth connection, from 1, can be sent to, and returns its id.
func (a *api) accepted(t *testing.T, n int) string {
	t.Helper()
	id := a.await(t, "CONNECT", n).RequestContext.ConnectionID
	for range int(waitTime / (100 * time.Microsecond)) {
		if a.Has(id) {
			return id
		}
		time.Sleep(100 * time.Microsecond)
	}
	t.Fatalf("connection %s is not accepted", id)
	return ""
}

func send(t *testing.T, ws *websocket.Conn, text string) {
	t.Helper()
	if err := ws.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// receive returns the next message.
func receive(t *testing.T, ws *websocket.Conn) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitTime)
	defer cancel()
	kind, text, err := ws.Read(ctx)
	if err != nil || kind != websocket.MessageText {
		t.Fatalf("%v message, %v", kind, err)
	}
	return string(text)
}

// wantEcho checks that a connection works.
func wantEcho(t *testing.T, ws *websocket.Conn) {
	t.Helper()
	send(t, ws, `{"type":"hello"}`)
	if got := receive(t, ws); got != `{"type":"hello"}` {
		t.Errorf("the answer is %s", got)
	}
}

// wantClose checks the code with which a connection is closed.
func wantClose(t *testing.T, ws *websocket.Conn, want websocket.StatusCode) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitTime)
	defer cancel()
	for {
		if _, text, err := ws.Read(ctx); err != nil {
			if got := websocket.CloseStatus(err); got != want {
				t.Errorf("closed with %d, want %d: %v", got, want, err)
			}
			return
		} else if len(text) == 0 {
			t.Error("an empty message")
		}
	}
}

type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
