package httpapi

import (
	"net/http"
	"strings"
)

// Route is a route of API Gateway: requests that match it are sent to its function.
type Route struct {
	Method   string // empty for the route $default
	Path     string // "/rooms/{room}"
	Function Function
	Public   bool // needs no token
}

// Key returns the route's key in API Gateway, such as "GET /rooms/{room}" or "$default".
func (r Route) Key() string { return strings.TrimSpace(r.Method + " " + r.Path) }

// Routes returns the routes of the API's operations and documents, without the catch-alls.
// Handlers and the stack are constructed only from this list.
func Routes() []Route {
	var routes []Route
	for _, o := range operations() {
		routes = append(routes, Route{Method: o.Method, Path: o.Path, Function: o.function})
	}
	for _, d := range documents() {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			routes = append(routes, Route{Method: method, Path: d.path, Function: Read, Public: true})
		}
	}
	return routes
}

const (
	// defaultRoute is the route for requests that match no other.
	defaultRoute = "$default"
	// anyPath matches every path except the root.
	anyPath = "/{proxy+}"
)

// CatchAlls returns the routes of requests that match no other route. They need a token, because
// they answer HEAD wherever the read function has a GET. HEAD of other functions' operations has
// routes of its own, because a catch-all belongs to one function. The response to any other
// method is 405 where the path has operations, and 404 elsewhere.
//
// API Gateway answers preflights itself only if no route matches OPTIONS, which $default does. So
// with preflights there is a greedy route for each other method instead (ADR 12).
func CatchAlls(preflights bool) []Route {
	var routes []Route
	for _, o := range operations() {
		if o.Method == http.MethodGet && o.function != Read {
			routes = append(routes, Route{Method: http.MethodHead, Path: o.Path, Function: o.function})
		}
	}
	if !preflights {
		return append(routes, Route{Path: defaultRoute, Function: Read})
	}
	for _, method := range []string{"DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"} {
		routes = append(routes, Route{Method: method, Path: anyPath, Function: Read})
	}
	return routes
}

// isCatchAll reports whether a route key belongs to a catch-all.
func isCatchAll(key string) bool {
	return key == defaultRoute || strings.HasSuffix(key, " "+anyPath)
}
