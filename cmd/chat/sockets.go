package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/config"
	"example.com/parley/internal/live"
	"example.com/parley/internal/local/socket"
	"example.com/parley/internal/socketapi"
	"example.com/parley/internal/socketauth"
	"example.com/parley/internal/socketfn"
)

const (
	// socketPath is the path of the local WebSocket API, at the address of the HTTP API.
	socketPath = "/ws"
	// localStage is the stage in the events of local connections.
	localStage = "local"
	// subprotocolHeader is the header from which the authorizer reads the token.
	subprotocolHeader = "Sec-WebSocket-Protocol"
	// helloTime is how long a connection may take to say hello, which clients do immediately.
	// Until then it cannot be found, for instance to end a suspended person's connections. API
	// Gateway has no such limit, and ends it after 10 idle minutes.
	helloTime = 30 * time.Second
	// farewellTime is how long clients may take to close their connections when the server shuts
	// down. A client that follows the protocol needs a round trip.
	farewellTime = 3 * time.Second
)

// sockets is the local WebSocket API.
type sockets struct {
	gateway *socket.Gateway
	poster  framePoster
	stop    context.CancelFunc
	log     *slog.Logger
}

// startSockets creates the connections API for a server on an address.
func (c *serveCmd) startSockets(log *slog.Logger, v *auth.Verifier, addr net.Addr, engine string) (*sockets, error) {
	s := &sockets{log: log}
	db := c.client(engine)
	var err error
	if s.poster, err = c.framePoster(db); err != nil {
		return nil, err
	}
	if s.gateway, err = c.gateway(log, v, addr, db, s.poster); err != nil {
		s.poster.close()
		return nil, err
	}
	s.poster.serve(s.gateway)
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	go s.gateway.Run(ctx)
	return s, nil
}

// gateway returns the WebSocket API with the handlers of the functions behind it.
func (c *serveCmd) gateway(
	log *slog.Logger, v *auth.Verifier, addr net.Addr, db *dynamodb.Client, poster live.Poster,
) (*socket.Gateway, error) {
	authorizer := socketauth.New(socketauth.Options{
		Verifier: v, Origins: append(ownOrigins(addr), c.Origin...), Clock: time.Now,
		Log: log.With("function", "authorizer"),
	})
	socketLog := log.With("function", "socket")
	parts := socketfn.Config{
		DB: db, Table: localTable, LiveTable: localLiveTable, Poster: poster, Log: socketLog, SendRate: c.SendRate,
		AnnounceTime: c.DeliveryTime,
		Tokens:       &socketauth.Tokens{Verifier: v, Clock: time.Now, Log: socketLog},
	}
	handle := parts.Handler().Handle
	var routes []socket.Route
	for _, r := range socketapi.Routes() {
		routes = append(routes, socket.Route{Key: r.Key, TwoWay: r.Answers, Invoke: handle})
	}
	farewell, err := json.Marshal(socketapi.Closing{Type: "closing", Reason: socketapi.ReasonGoingAway})
	if err != nil {
		return nil, fmt.Errorf("marshal the closing frame: %w", err)
	}
	return socket.New(socket.Config{
		Routes: routes, Authorize: authorizer.Handle, Identity: subprotocolHeader, Selector: "type", Stage: localStage,
		Farewell: farewell, FirstMessage: helloTime, Overtaking: c.overtaking, Log: log, Clock: c.socketClock,
		Rand: rand.Reader,
	})
}

// front returns the handler of the server: the WebSocket API on its path, and the HTTP API.
func (s *sockets) front(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == socketPath {
			s.gateway.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

// close asks the clients to come back later and closes their connections.
func (s *sockets) close() {
	ctx, cancel := context.WithTimeout(context.Background(), farewellTime)
	defer cancel()
	if err := s.gateway.Shutdown(ctx); err != nil {
		s.log.Warn("connections were cut off", "error", err)
	}
	s.stop()
	s.poster.close()
}

// ownOrigins returns the origins of pages that a server on this machine serves itself.
func ownOrigins(addr net.Addr) []string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return nil
	}
	port := ":" + strconv.Itoa(tcp.Port)
	if tcp.Port == 80 {
		port = "" // browsers leave it out
	}
	return []string{"http://localhost" + port, "http://127.0.0.1" + port, "http://[::1]" + port}
}

// loopbackNames are the names of this machine under which a browser finds the same page.
var loopbackNames = []string{"localhost", "127.0.0.1"}

// checkHosts checks the origins and hosts of the command line.
func (c *serveCmd) checkHosts() error {
	for _, origin := range c.Origin {
		if !config.IsOrigin(origin) {
			return fmt.Errorf(
				"--origin must be a page's scheme, host and port, such as http://localhost:3000, without path or "+
					"wildcard, not %q",
				origin,
			)
		}
	}
	for _, host := range c.AvatarHost {
		if !config.IsHostName(host) {
			return fmt.Errorf(
				"--avatar-host must be a name such as pictures.example.com, without scheme, path or wildcard, not %q",
				host,
			)
		}
	}
	return nil
}

// withLoopbackNames returns origins and, for each origin on this machine, the same origin with its
// other name. This gives pages no further rights: every request needs a token, and the port is the
// same.
func withLoopbackNames(origins []string) []string {
	var all []string
	for _, origin := range origins {
		all = append(all, origin)
		u, err := url.Parse(origin)
		if err != nil {
			continue
		}
		for i, name := range loopbackNames {
			if u.Hostname() == name {
				other := *u
				other.Host = loopbackNames[1-i]
				if u.Port() != "" {
					other.Host += ":" + u.Port()
				}
				all = append(all, other.String())
			}
		}
	}
	return all
}
