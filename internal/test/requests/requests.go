// Package requests has the requests that tests send to the functions of the API, and their answers.
package requests

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Request is a request as API Gateway passes it on. A later request with the same name is the same
// request again and has an answer only. Path and Body may have placeholders, such as {{message}}.
type Request struct {
	Name   string
	Route  string            // as of httpapi.Routes, or a greedy one
	Path   string            // with its query; "" is the route's
	Body   string            // "" has none
	User   string            // whose token it has; "" is amsg
	Claims map[string]any    // of its token, instead of User's
	Header map[string]string // in addition to every request's headers

	NoToken, Base64 bool

	Status int    // of the answer
	Holds  string // part of the answer's body; of a problem, the end of its type
}

// issuer is the issuer of all tokens.
const issuer = "https://issuer.example.com"

// The claims of services that may act as others.
var (
	helpdesk = map[string]any{"sub": "helpdesk", "token_use": "access", "client_id": "example", "scope": "parley/act-as"}
	program  = map[string]any{"sub": "6q0pu2gvnb6cklq2rkh2bqd3kf", "token_use": "access", "client_id": "6q0pu2gvnb6cklq2rkh2bqd3kf", "scope": "parley/act-as"}
)

// All returns the requests of a function, such as write, with each repeated request written out.
func All(function string) []Request {
	all := slices.Clone(map[string][]Request{"write": Writes, "read": Reads, "search": Searches, "incoming": Incomings}[function])
	first := map[string]Request{}
	for i, r := range all {
		if r.Route == "" {
			all[i] = first[r.Name]
			all[i].Status, all[i].Holds = r.Status, r.Holds
		}
		first[r.Name] = all[i]
	}
	return all
}

// Filled returns the request with its placeholders replaced.
func (r Request) Filled(fill *strings.Replacer) Request {
	r.Path, r.Body = fill.Replace(r.Path), fill.Replace(r.Body)
	return r
}

// event is the payload of format 2.0, with its fields in the order of AWS's documents.
type event struct {
	Version               string            `json:"version"`
	RouteKey              string            `json:"routeKey"`
	RawPath               string            `json:"rawPath"`
	RawQueryString        string            `json:"rawQueryString"`
	Headers               map[string]string `json:"headers"`
	QueryStringParameters map[string]string `json:"queryStringParameters,omitempty"`
	PathParameters        map[string]string `json:"pathParameters,omitempty"`
	RequestContext        map[string]any    `json:"requestContext"`
	Body                  string            `json:"body,omitempty"`
	IsBase64Encoded       bool              `json:"isBase64Encoded"`
}

// Event returns the event with which API Gateway invokes a function for the route with a key, as
// indented JSON.
func (r Request) Event(key string) string {
	method, route, _ := strings.Cut(r.Route, " ")
	path, query, _ := strings.Cut(r.Path, "?")
	if path == "" {
		path = route
	}
	e := event{
		Version: "2.0", RouteKey: key, RawPath: path, RawQueryString: query, Body: r.Body, IsBase64Encoded: r.Base64,
		Headers: map[string]string{
			"accept": "*/*", "host": "api.example.com", "user-agent": "curl/8.5.0",
			"x-amzn-trace-id": "Root=1-5b867a40-0123456789abcdef01234567",
			"x-forwarded-for": "192.0.2.1", "x-forwarded-port": "443", "x-forwarded-proto": "https",
		},
		QueryStringParameters: parameters(query), PathParameters: pathParameters(key, path),
		RequestContext: map[string]any{
			"accountId": "000000000000", "apiId": "example", "domainName": "api.example.com", "domainPrefix": "api",
			"http":      map[string]string{"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1", "userAgent": "curl/8.5.0"},
			"requestId": "JKJaXmPLvHcESHA=", "routeKey": key, "stage": "$default",
			"time": "29/Aug/2018:12:00:00 +0000", "timeEpoch": 1535544000123,
		},
	}
	if r.Base64 {
		e.Body = base64.StdEncoding.EncodeToString([]byte(r.Body))
	}
	if r.Body != "" {
		e.Headers["content-type"], e.Headers["content-length"] = "application/json", strconv.Itoa(len(r.Body))
	}
	if !r.NoToken {
		e.Headers["authorization"] = "Bearer (verified by the API's authorizer)"
		e.RequestContext["authorizer"] = map[string]any{"jwt": map[string]any{"claims": r.claims(), "scopes": nil}}
	}
	maps.Copy(e.Headers, r.Header)
	return indented(e)
}

func indented(event any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(event); err != nil {
		panic(err) // the events have texts and numbers only
	}
	return b.String()
}

// Subject returns the caller of the request, as its token names them.
func (r Request) Subject() string { return fmt.Sprint(r.claims()["sub"]) }

func (r Request) claims() map[string]any {
	claims := map[string]any{"sub": "amsg", "token_use": "access", "client_id": "example"}
	if r.User != "" {
		claims["sub"] = r.User
	}
	if r.Claims != nil {
		claims = maps.Clone(r.Claims)
	}
	claims["iss"] = issuer
	return claims
}

// parameters returns the first value of each parameter of a query.
func parameters(query string) map[string]string {
	values, _ := url.ParseQuery(query)
	all := map[string]string{}
	for name := range values {
		all[name] = values.Get(name)
	}
	return all
}

// pathParameters returns the values in a path of the names in a route's key. A last name that
// ends in + has the rest of the path.
func pathParameters(key, path string) map[string]string {
	all := map[string]string{}
	_, route, _ := strings.Cut(key, " ")
	values := strings.Split(path, "/")
	for i, part := range strings.Split(route, "/") {
		name, ok := strings.CutPrefix(part, "{")
		if !ok {
			continue
		}
		value := values[i]
		if strings.HasSuffix(name, "+}") {
			value = strings.Join(values[i:], "/")
		}
		value, _ = url.PathUnescape(value)
		all[strings.TrimRight(name, "+}")] = value
	}
	return all
}
