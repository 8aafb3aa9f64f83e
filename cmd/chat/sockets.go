package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/apigw"
	"example.com/parley/internal/auth"
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

// sockets is the local WebSocket API, with the calls to its connections on a separate port.
type sockets struct {
	gateway  *socket.Gateway
	calls    *http.Server
	endpoint string // of the calls
	stop     context.CancelFunc
	log      *slog.Logger
}

// startSockets creates the connections API for a server on an address. The functions can call it
// only from this machine.
func (c *serveCmd) startSockets(log *slog.Logger, v *auth.Verifier, addr net.Addr, engine string) (*sockets, error) {
	calls, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sockets{endpoint: "http://" + calls.Addr().String(), log: log}
	db := c.client(engine)
	credentials, err := db.Options().Credentials.Retrieve(context.Background())
	if err == nil {
		s.gateway, err = c.gateway(log, v, addr, db, s.endpoint)
	}
	if err != nil {
		return nil, errors.Join(err, calls.Close())
	}
	signer := socket.Signer{Credentials: credentials, Region: db.Options().Region, Clock: time.Now}
	s.calls = &http.Server{Handler: socket.NewManagement(s.gateway, signer), ReadHeaderTimeout: headerTime, ReadTimeout: readTime}
	go func() { _ = s.calls.Serve(calls) }() // it ends with close
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	go s.gateway.Run(ctx)
	return s, nil
}

// poster returns a client that sends frames to connections through an endpoint.
func (c *serveCmd) poster(db *dynamodb.Client, endpoint string) (*apigw.Client, error) {
	return apigw.New(apigw.Config{
		Endpoint: endpoint, Region: db.Options().Region, Credentials: db.Options().Credentials, Timeout: c.DeliveryTime,
	})
}

// gateway returns the WebSocket API with the handlers of the functions behind it.
func (c *serveCmd) gateway(log *slog.Logger, v *auth.Verifier, addr net.Addr, db *dynamodb.Client, endpoint string) (*socket.Gateway, error) {
	poster, err := c.poster(db, endpoint)
	if err != nil {
		return nil, err
	}
	authorizer := socketauth.New(socketauth.Options{
		Verifier: v, Origins: append(ownOrigins(addr), c.Origin...), Clock: time.Now, Log: log.With("function", "authorizer"),
	})
	socketLog := log.With("function", "socket")
	parts := socketfn.Config{
		DB: db, Table: localTable, LiveTable: localLiveTable, Poster: poster, Log: socketLog, SendRate: c.SendRate, AnnounceTime: c.DeliveryTime,
		Tokens: &socketauth.Tokens{Verifier: v, Clock: time.Now, Log: socketLog},
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
		Farewell: farewell, FirstMessage: helloTime, Overtaking: c.overtaking, Log: log, Clock: c.socketClock, Rand: rand.Reader,
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
	_ = s.calls.Close() // nothing more is sent
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
