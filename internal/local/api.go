// Package local imitates API Gateway's HTTP API on a laptop: it routes, verifies tokens and bounds
// requests as the service does, and invokes the very handlers that run as functions, with the
// events that the service would send.
//
// Its subpackages stand in for the rest: engine for DynamoDB, issuer for Cognito, folder for what
// both keep.
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

	"parley/internal/auth"
	"parley/internal/gateway"
)

// keySetPath is where issuers publish their keys.
const keySetPath = "/.well-known/jwks.json"

// Invoke is a function's handler.
type Invoke func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)

// Route sends the requests of one method and path to a function. Two kinds of route take what no
// other does: $default, without a method, takes everything; {proxy+} as the whole path takes every
// path of its method but the root.
type Route struct {
	Method string
	Path   string // "/rooms/{room}/messages"; {name} is one whole segment
	Public bool   // needs no token
	Invoke Invoke
}

const (
	defaultPath = "$default"
	greedyPath  = "/{proxy+}"
)

func (r Route) key() string { return strings.TrimSpace(r.Method + " " + r.Path) }

func (r Route) isCatchAll() bool {
	return r.Method == "" && r.Path == defaultPath || r.Method != "" && r.Path == greedyPath
}

// Config says what an API serves. All but CORS and KeySet are required.
type Config struct {
	Routes   []Route
	Verifier *auth.Verifier
	CORS     CORS
	// KeySet is the issuer's JWKS document as it is now, served without a token.
	KeySet func() ([]byte, error)
	Log    *slog.Logger
	Clock  func() time.Time
	Rand   io.Reader // for request ids; crypto/rand.Reader but in tests
}

// API is the http.Handler of one API.
type API struct {
	cfg       Config
	mux       *http.ServeMux
	methods   []string                // of all routes but the catch-alls, sorted
	served    map[string]bool         // the mux's patterns
	catchAlls map[string]http.Handler // by method; $default has none
}

// New returns an API. It fails on routes that no request can distinguish.
func New(cfg Config) (*API, error) {
	if cfg.Verifier == nil || cfg.Log == nil || cfg.Clock == nil || cfg.Rand == nil {
		return nil, errors.New("make the local API: a verifier, a log, a clock and randomness are needed")
	}
	a := &API{cfg: cfg, mux: http.NewServeMux(), served: map[string]bool{}, catchAlls: map[string]http.Handler{}}
	for _, route := range cfg.Routes {
		if route.isCatchAll() && route.Invoke != nil && a.catchAlls[route.Method] == nil {
			a.catchAlls[route.Method] = a.invoke(route)
			continue
		}
		if route.Method == "" || !strings.HasPrefix(route.Path, "/") || route.Invoke == nil {
			return nil, fmt.Errorf("make the local API: route %q is not complete", route.key())
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

// handle registers a pattern. The mux panics on two that conflict.
func (a *API) handle(method, route string, h http.Handler) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("make the local API: %v", p)
		}
	}()
	pattern := method + " " + route
	if strings.HasSuffix(route, "/") {
		pattern += "{$}" // or it would take every path below it
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
	if h := a.catchAll(delivered); h != nil {
		h.ServeHTTP(w, delivered)
		return
	}
	a.refuse(w, r, http.StatusNotFound)
}

// catchAll returns what serves a request that no other route takes, or nil.
func (a *API) catchAll(r *http.Request) http.Handler {
	if h := a.catchAlls[r.Method]; h != nil && r.URL.Path != "/" {
		return h
	}
	return a.catchAlls[""]
}

// serves reports whether a route is there for a path and method, apart from the catch-alls. The mux
// would redirect paths like /a//b, answer HEAD by GET and another method by 405; the service does
// none of that.
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

// parameterNames lists the names in a route's path.
func parameterNames(route string) []string {
	var names []string
	for segment := range strings.SplitSeq(route, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}
