package httpapi

import "net/http"

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
