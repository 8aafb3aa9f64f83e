// Package local imitates API Gateway's HTTP API on a laptop. It routes requests, verifies tokens
// and enforces quotas as the service does. It calls the handlers that run as functions, with the
// events that the service would send.
//
// Its subpackages replace the other services: engine replaces DynamoDB and issuer replaces Cognito.
// Both keep their files in a data folder, which package folder manages.
package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/gateway"
)

// keySetPath is the path at which issuers publish their keys.
const keySetPath = "/.well-known/jwks.json"

// Invoke is a function's handler.
type Invoke func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)

// Route maps a method and a path to a function. The path /{proxy+} matches every path of its method
// except the root, if no other route does.
type Route struct {
	Method string
	Path   string // "/rooms/{room}/messages"; {name} matches one segment
	Public bool   // needs no token
	// Ends reports that the function ends when the client disconnects, which saves the laptop's
	// processor. In AWS, functions continue.
	Ends   bool
	Invoke Invoke
}

const greedyPath = "/{proxy+}"

func (r Route) key() string { return r.Method + " " + r.Path }

// Config configures an API. All fields but CORS and KeySet are required.
type Config struct {
	Routes   []Route
	Verifier *auth.Verifier
	CORS     CORS
	// KeySet returns the issuer's current JWKS document, which is served without a token.
	KeySet func() ([]byte, error)
	Log    *slog.Logger
	Clock  func() time.Time
	Rand   io.Reader // for request ids; crypto/rand.Reader except in tests
}

// API is the http.Handler of one API.
type API struct {
	cfg     Config
	mux     *http.ServeMux
	methods []string                // of all routes, sorted
	served  map[string]bool         // the mux's patterns
	greedy  map[string]http.Handler // by method
	bodies  bodies
}

// New returns an API. It fails if two routes conflict.
func New(cfg Config) (*API, error) {
	if cfg.Verifier == nil || cfg.Log == nil || cfg.Clock == nil || cfg.Rand == nil {
		return nil, errors.New("create the local API: a verifier, a log, a clock and randomness are required")
	}
	a := &API{
		cfg: cfg, mux: http.NewServeMux(), served: map[string]bool{}, greedy: map[string]http.Handler{},
		bodies: newBodies(),
	}
	for _, route := range cfg.Routes {
		if route.Method == "" || !strings.HasPrefix(route.Path, "/") || route.Invoke == nil {
			return nil, fmt.Errorf("create the local API: route %q is incomplete", route.key())
		}
		if route.Path == greedyPath && a.greedy[route.Method] == nil {
			a.greedy[route.Method] = a.invoke(route)
			a.methods = append(a.methods, route.Method)
			continue
		}
		if err := a.handle(route.Method, route.Path, a.invoke(route)); err != nil {
			return nil, err
		}
	}
	if cfg.KeySet != nil {
		if err := a.handle(http.MethodGet, keySetPath, http.HandlerFunc(a.keySet)); err != nil {
			return nil, err
		}
	}
	slices.Sort(a.methods)
	a.methods = slices.Compact(a.methods)
	return a, nil
}

// handle registers a pattern. It turns the mux's panic about conflicting patterns into an error.
func (a *API) handle(method, route string, h http.Handler) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("create the local API: %v", p)
		}
	}()
	pattern := method + " " + route
	if strings.HasSuffix(route, "/") {
		pattern += "{$}" // otherwise it would match every path below it
	}
	a.mux.Handle(pattern, h)
	a.served[pattern] = true
	a.methods = append(a.methods, method)
	return nil
}

// ServeHTTP answers a request as the service would.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a.preflight(w, r) {
		return
	}
	if headerSize(r) > maxHeader {
		a.refuse(w, r, http.StatusRequestHeaderFieldsTooLarge)
		return
	}
	delivered, err := gateway.Deliver(r)
	if err != nil {
		a.refuse(w, r, http.StatusBadRequest)
		return
	}
	if a.serves(delivered) {
		a.mux.ServeHTTP(w, delivered)
		return
	}
	if h := a.greedy[r.Method]; h != nil && delivered.URL.Path != "/" {
		h.ServeHTTP(w, delivered)
		return
	}
	a.refuse(w, r, http.StatusNotFound)
}

// serves reports whether a route other than a greedy one matches a request. By itself, the mux
// would redirect paths like /a//b, answer HEAD by GET and answer another method with 405. The
// service does none of that.
func (a *API) serves(r *http.Request) bool {
	escaped := r.URL.EscapedPath()
	if path.Clean(escaped) != escaped {
		return false
	}
	_, pattern := a.mux.Handler(r)
	return a.served[pattern] && strings.HasPrefix(pattern, r.Method+" ")
}

func (a *API) keySet(w http.ResponseWriter, r *http.Request) {
	text, err := a.cfg.KeySet()
	if err != nil {
		a.fail(w, gateway.Incoming{Request: r, Route: http.MethodGet + " " + keySetPath}, err)
		return
	}
	a.allowOrigin(w, r)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text)
}

// parameterNames returns the names in a route's path.
func parameterNames(route string) []string {
	var names []string
	for segment := range strings.SplitSeq(route, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}
