package history_test

import (
	"crypto/rand"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/apifn"
	"example.com/parley/internal/apigw"
	"example.com/parley/internal/auth"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/gateway"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/live"
	"example.com/parley/internal/local"
	"example.com/parley/internal/local/issuer"
	"example.com/parley/internal/local/socket"
	"example.com/parley/internal/socketapi"
	"example.com/parley/internal/socketauth"
	"example.com/parley/internal/socketfn"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/faults"
)

// front is the HTTP API and the WebSocket API of a world, as readers outside reach them.
type front struct {
	world  *world
	url    string
	tokens *issuer.Issuer
	db     *dynamodb.Client // without faults
	poster *apigw.Client
}

const liveTable = "live"

func newFront(w *world) *front {
	w.t.Helper()
	f := &front{world: w, db: dynamo.LocalClient(w.endpoint)}
	if err := dynamo.CreateLiveTable(w.t.Context(), f.db, liveTable); err != nil {
		w.t.Fatal(err)
	}
	var err error
	if f.tokens, err = issuer.Open(issuer.Config{Dir: w.t.TempDir(), Clock: time.Now, Rand: rand.Reader}); err != nil {
		w.t.Fatal(err)
	}
	verifier, err := f.tokens.Verifier()
	if err != nil {
		w.t.Fatal(err)
	}
	calls := httptest.NewUnstartedServer(nil)
	f.poster, err = apigw.New(apigw.Config{
		Endpoint: "http://" + calls.Listener.Addr().String(), Region: f.db.Options().Region, Credentials: f.db.Options().Credentials,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	sockets := f.sockets(verifier)
	credentials, err := f.db.Options().Credentials.Retrieve(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	calls.Config.Handler = socket.NewManagement(sockets, socket.Signer{Credentials: credentials, Region: f.db.Options().Region, Clock: time.Now})
	calls.Start()
	api := f.api(verifier)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ws" {
			sockets.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	}))
	server.Listener = sockets.Prepare(server.Config, server.Listener)
	server.Start()
	f.url = server.URL
	w.t.Cleanup(func() {
		_ = sockets.Shutdown(w.t.Context()) // its context has ended: connections are cut off
		server.Close()
		calls.Close()
	})
	return f
}

// sockets returns the WebSocket API.
func (f *front) sockets(v *auth.Verifier) *socket.Gateway {
	log := slog.New(slog.DiscardHandler)
	handle := socketfn.Config{DB: f.db, Table: "chat", LiveTable: liveTable, Poster: f.poster, Tokens: &socketauth.Tokens{Verifier: v, Clock: time.Now, Log: log}, Log: log}.Handler().Handle
	var routes []socket.Route
	for _, r := range socketapi.Routes() {
		routes = append(routes, socket.Route{Key: r.Key, TwoWay: r.Answers, Invoke: handle})
	}
	g, err := socket.New(socket.Config{
		Routes: routes, Authorize: socketauth.New(socketauth.Options{Verifier: v, Clock: time.Now, Log: log}).Handle,
		Identity: "Sec-WebSocket-Protocol", Selector: "type", Stage: "test", Log: log, Clock: time.Now, Rand: rand.Reader,
	})
	if err != nil {
		f.world.t.Fatal(err)
	}
	return g
}

// api returns the part of the HTTP API that reads.
func (f *front) api(v *auth.Verifier) http.Handler {
	log := slog.New(slog.DiscardHandler)
	read := gateway.Handler(apifn.Config{DB: f.db, Table: "chat", LogTable: "log", Log: log}.HTTP(httpapi.Reads()))
	var routes []local.Route
	for _, r := range httpapi.Routes() {
		if r.Function == httpapi.Read {
			routes = append(routes, local.Route{Method: r.Method, Path: r.Path, Public: r.Public, Invoke: read})
		}
	}
	api, err := local.New(local.Config{Routes: routes, Verifier: v, Log: log, Clock: time.Now, Rand: rand.Reader})
	if err != nil {
		f.world.t.Fatal(err)
	}
	return api
}

// delivery returns the live delivery of a consumer, whose calls to the store fail now and then.
func (f *front) delivery(r *mathrand.Rand) stream.Consumer {
	in := &faults.Injector{}
	in.Plan(plan(r)...)
	db := dynamo.LocalClient(f.world.endpoint, in.Options)
	rows := live.NewTable(dynamo.NewTable(db, liveTable, nil))
	return live.NewDelivery(live.DeliveryOptions{
		Rows: rows, Connections: rows, Rooms: chat.NewService(chat.Options{Store: f.world.newStore(db), Clock: time.Now}),
		Poster: f.poster, Clock: time.Now, Log: slog.New(slog.DiscardHandler),
	})
}
