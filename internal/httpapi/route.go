package httpapi

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"example.com/parley/api"
	"example.com/parley/internal/problem"
)

// Route is a route of the API, or of API Gateway: requests that match it are sent to its function.
type Route struct {
	Method    string
	Path      string // "/rooms/{room}"
	Function  Function
	Public    bool   // needs no token
	Operation string // its id; empty for a document, and for a HEAD
}

// Key returns the route's key in API Gateway, such as "GET /rooms/{room}".
func (r Route) Key() string { return r.Method + " " + r.Path }

// Routes returns the routes of the API's operations and documents.
func Routes() []Route {
	var routes []Route
	for _, o := range operations() {
		routes = append(
			routes,
			Route{Method: o.Method, Path: o.Path, Function: o.function, Public: o.public, Operation: o.OperationID},
		)
		if o.public && o.Method == http.MethodGet {
			routes = append(routes, Route{Method: http.MethodHead, Path: o.Path, Function: o.function, Public: true})
		}
	}
	for _, d := range documents() {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			routes = append(routes, Route{Method: method, Path: d.path, Function: Read, Public: true})
		}
	}
	return routes
}

// anyPath matches every path except the root.
const anyPath = "/{proxy+}"

// GatewayRoutes returns the routes that API Gateway has: a greedy one for each method, which sends
// every path to one function, and the routes that are public or belong to another function. The
// function finds the operation. A route for each operation would be too many calls of API
// Gateway's control plane in one deployment (ADR 85).
func GatewayRoutes() []Route {
	functions := map[string]Function{}
	var routes []Route
	for _, method := range []string{"GET", "HEAD", "DELETE", "PATCH", "POST", "PUT"} {
		functions[method] = Write
		if method == http.MethodGet || method == http.MethodHead {
			functions[method] = Read
		}
		routes = append(routes, Route{Method: method, Path: anyPath, Function: functions[method]})
	}
	for _, r := range Routes() {
		if !r.Public && r.Function == functions[r.Method] {
			continue
		}
		routes = append(routes, r)
		if r.Method == http.MethodGet && !r.Public {
			r.Method = http.MethodHead
			routes = append(routes, r)
		}
	}
	return routes
}

// unrouted returns the handler of requests that match no operation of a function. It answers
// 405 with the allowed methods if the path has operations, but none with the request's method,
// and 404 otherwise. It reads the methods from the OpenAPI document, because a function's
// binary lacks the operations of the others.
func unrouted() http.Handler {
	paths := sync.OnceValues(func() (*http.ServeMux, error) { return methodsByPath(api.OpenAPI()) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux, err := paths()
		if err != nil {
			writeProblem(w, problemOf(r.Context(), err))
			return
		}
		h, _ := mux.Handler(r) // without naming the pattern in the request, whose route is another
		h.ServeHTTP(w, r)
	})
}

// methodsByPath returns a handler that refuses every method of the paths of a document, and of the
// public documents.
func methodsByPath(document []byte) (*http.ServeMux, error) {
	var d struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { writeProblem(w, problem.NoRoute()) })
	for path := range d.Paths {
		methods := map[string]bool{}
		for template, operations := range d.Paths {
			if !covers(template, path) {
				continue
			}
			for method := range operations {
				methods[strings.ToUpper(method)] = true
			}
		}
		if methods[http.MethodGet] {
			methods[http.MethodHead] = true
		}
		mux.Handle(path, notAllowed(strings.Join(slices.Sorted(maps.Keys(methods)), ", ")))
	}
	for _, d := range documents() {
		mux.Handle(d.path, notAllowed("GET, HEAD"))
	}
	return mux, nil
}

// covers reports whether every path of a template is one of another's: /people/{user} covers
// /people/me.
func covers(template, path string) bool {
	ours, theirs := strings.Split(template, "/"), strings.Split(path, "/")
	return slices.EqualFunc(ours, theirs, func(a, b string) bool { return a == b || strings.HasPrefix(a, "{") })
}

// notAllowed answers 405 with the methods that are allowed. A request with one of these is of
// another function, to which the gateway would have sent it: it gets 404.
type notAllowed string

func (allow notAllowed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if slices.Contains(strings.Split(string(allow), ", "), r.Method) {
		writeProblem(w, problem.NoRoute())
		return
	}
	w.Header().Set("Allow", string(allow))
	writeProblem(w, problem.OfStatus(http.StatusMethodNotAllowed, "the path has the methods "+string(allow)))
}
