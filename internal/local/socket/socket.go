// Package socket imitates API Gateway's WebSocket API on a laptop. It authorizes and routes
// connections and messages as the service does, and calls the handlers that run as functions with
// the events that the service would send. Its second handler imitates the calls with which
// functions send to connections and close them; Post and Delete do the same within the process.
//
// It differs from the service in one respect: the messages of one connection are handled one
// after another. The service documents no order for them and may handle them concurrently.
package socket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// The keys of the service's own routes.
const (
	ConnectKey    = "$connect"
	DisconnectKey = "$disconnect"
	DefaultKey    = "$default"
)

// Authorize is the handler of an authorizer.
type Authorize func(
	context.Context, events.APIGatewayCustomAuthorizerRequestTypeRequest,
) (events.APIGatewayCustomAuthorizerResponse, error)

// Invoke is a function's handler.
type Invoke func(context.Context, events.APIGatewayWebsocketProxyRequest) (events.APIGatewayProxyResponse, error)

// Route maps a key to a function. The key is one of the service's own, or the value of the
// property that selects the routes of messages.
type Route struct {
	Key    string
	TwoWay bool // the response's body is sent to the client
	Invoke Invoke
}

// Config configures a Gateway. All fields but Farewell and the times are required.
type Config struct {
	Routes    []Route
	Authorize Authorize
	Identity  string // the authorizer is called only if this header is present, spelled exactly so
	Selector  string // the property of a message that selects its route
	Stage     string
	Farewell  []byte // the last message to every client when the server shuts down
	// FirstMessage is how long a client may take until its first message; 0 means no limit, as in
	// the service.
	FirstMessage time.Duration
	// Overtaking is how shortly before its connection's deletion a posted message is lost: API
	// Gateway does not guarantee their order. Every posted message is delayed that long. 0 loses
	// no message.
	Overtaking time.Duration
	// WriteTime is how long a client may take to receive one message before its connection ends;
	// 0 means 20 s. The service documents no such limit: it answers 429 for as long as the client
	// reads nothing.
	WriteTime time.Duration
	Log       *slog.Logger
	Clock     func() time.Time
	Rand      io.Reader // for ids; crypto/rand.Reader except in tests
}

// Gateway is the http.Handler to which clients connect. Its server needs Prepare. It is safe for
// concurrent use.
type Gateway struct {
	cfg    Config
	routes map[string]Route
	// disconnects has a place for each $disconnect that may be handled concurrently.
	disconnects chan struct{}
	running     sync.WaitGroup // one for each connection, until its $disconnect is handled

	mu     sync.Mutex
	conns  map[string]*conn
	ending bool // by Shutdown
}

// New returns a Gateway. It fails if cfg is incomplete.
func New(cfg Config) (*Gateway, error) {
	if cfg.Authorize == nil || cfg.Identity == "" || cfg.Selector == "" || cfg.Stage == "" ||
		cfg.Log == nil || cfg.Clock == nil || cfg.Rand == nil {
		return nil, errors.New("create the local WebSocket API: its configuration is incomplete")
	}
	g := &Gateway{
		cfg: cfg, routes: map[string]Route{},
		disconnects: make(chan struct{}, maxDisconnects), conns: map[string]*conn{},
	}
	for _, route := range cfg.Routes {
		if _, double := g.routes[route.Key]; double || route.Key == "" || route.Invoke == nil {
			return nil, fmt.Errorf("create the local WebSocket API: route %q is incomplete, or there twice", route.Key)
		}
		g.routes[route.Key] = route
	}
	return g, nil
}

// ServeHTTP accepts a connection if the authorizer and the function of $connect accept it.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if status := handshakeFault(r); status != 0 {
		w.Header().Set("Upgrade", "websocket")
		g.refuse(w, r, nil, status)
		return
	}
	c, err := g.newConn(r)
	if err != nil {
		g.fail(w, r, nil, http.StatusInternalServerError, err)
		return
	}
	if !g.authorize(w, r, c) {
		return
	}
	if protocol, ok := g.connect(w, r, c); ok {
		g.accept(w, r, c, protocol)
	}
}

// connect calls the function of $connect. It returns the subprotocol that the function selects
// and reports whether the client may connect. If not, the request has been answered.
func (g *Gateway) connect(w http.ResponseWriter, r *http.Request, c *conn) (protocol string, ok bool) {
	route, ok := g.routes[ConnectKey]
	if !ok {
		return "", true
	}
	e := g.connectEvent(r, c)
	resp, err := g.invoke(r.Context(), route, e)
	switch {
	case err != nil:
		g.fail(w, r, c, http.StatusBadGateway, err)
		return "", false
	case !succeeded(resp):
		g.refuse(w, r, c, resp.StatusCode)
		return "", false
	}
	return header(resp, "Sec-WebSocket-Protocol"), true
}

// add registers a connection, so functions can send to it. It reports whether the gateway is
// still open.
func (g *Gateway) add(c *conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ending {
		return false
	}
	g.conns[c.id] = c
	g.running.Add(1)
	return true
}

func (g *Gateway) remove(c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c.id)
}

// find returns the connection with an id, or nil.
func (g *Gateway) find(id string) *conn {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.conns[id]
}

// Run ends connections that are idle or old, until ctx ends.
func (g *Gateway) Run(ctx context.Context) {
	ticker := time.NewTicker(sweepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			g.Sweep()
		}
	}
}

// Sweep ends the connections that have been idle or open for as long as the service allows. Run
// calls it at intervals.
func (g *Gateway) Sweep() {
	now := g.cfg.Clock()
	for _, c := range g.all() {
		if c.expired(now) {
			c.close(goingAway, nil)
		}
	}
}

// Shutdown sends every client the farewell and closes its connection. It waits until the functions
// have handled each end. Clients that do not answer are cut off when ctx ends, which is an error.
func (g *Gateway) Shutdown(ctx context.Context) error {
	g.mu.Lock()
	g.ending = true
	g.mu.Unlock()
	all := g.all()
	for _, c := range all {
		c.close(goingAway, g.cfg.Farewell)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		g.running.Wait()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	for _, c := range all {
		_ = c.meter.Close() // even if a close frame waits to be answered
	}
	select {
	case <-done:
	case <-time.After(cutOffTime):
	}
	return fmt.Errorf("close the connections: %w", ctx.Err())
}

func (g *Gateway) all() []*conn {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Collect(maps.Values(g.conns))
}

// The service's quotas. None of them can be raised.
const (
	// maxFrame and maxMessage are the sizes in bytes above which a frame or a message ends its
	// connection with code 1009.
	maxFrame   = 32 << 10
	maxMessage = 128 << 10
	// maxIdle is how long a connection may carry no message in either direction. Pings are not
	// messages.
	maxIdle = 10 * time.Minute
	// maxAge is how long a connection lasts.
	maxAge = 2 * time.Hour
	// invokeTimeout is the longest that the service waits for a function.
	invokeTimeout = 29 * time.Second
)

const (
	// sweepInterval is the interval between checks of the connections' ages. It is fine enough for
	// limits of minutes.
	sweepInterval = time.Second
	// writeTimeout is how long a client may take to receive one message, unless Config.WriteTime
	// says otherwise. Then the client or its network is gone.
	writeTimeout = 20 * time.Second
	// maxQueue bounds the messages in bytes that wait for one slow client. It is four of the
	// largest. The service also has such a buffer, but does not document its size.
	maxQueue = 4 * maxMessage
	// queueOverhead is added to the bytes of each waiting message, so empty messages are bounded
	// too.
	queueOverhead = 64
	// bufferSize is the size of a connection's buffers. Most messages of clients fit. Larger
	// messages bypass the buffers.
	bufferSize = 512
	// maxDisconnects is how many $disconnect events are handled concurrently when all clients
	// leave together.
	maxDisconnects = 16
	// cutOffTime is how long the functions may take to handle the ends of connections that were cut
	// off by Shutdown.
	cutOffTime = 2 * time.Second
	// idSize is the size of the service's ids of connections and requests.
	idSize = 11
)
