// Package gateway converts between API Gateway's HTTP API events (payload format 2.0) and net/http.
// In a function, Handler serves events with an http.Handler. On a laptop, Event and WriteResponse
// do the service's part. The package does not depend on the API that it serves.
package gateway

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/problem"
)

// DefaultStage is the stage that adds no prefix to the path.
const DefaultStage = "$default"

type (
	claimsKey    struct{}
	requestIDKey struct{}
)

// Claims returns the verified claims of the request's token, or nil if the route requires no token.
// They come from the service's authorizer, never from the client's request.
func Claims(r *http.Request) map[string]string {
	claims, _ := r.Context().Value(claimsKey{}).(map[string]string)
	return claims
}

// RequestID returns the service's id of the request, for logs.
func RequestID(r *http.Request) string {
	id, _ := r.Context().Value(requestIDKey{}).(string)
	return id
}

// Handler returns a function that serves events with h. The function fails only for an event that
// the service cannot have sent. A status of 500 from h is a response like any other. For a path
// that does not fit the event's route, the response is 404 and h is not called.
func Handler(h http.Handler) func(
	context.Context, events.APIGatewayV2HTTPRequest,
) (events.APIGatewayV2HTTPResponse, error) {
	return func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		r, err := request(ctx, e)
		if err != nil {
			return events.APIGatewayV2HTTPResponse{}, fmt.Errorf("read the event: %w", err)
		}
		if !fits(r.URL.Path, e.RouteKey) {
			return notFound()
		}
		w := newRecorder(r.Method)
		h.ServeHTTP(w, r)
		return w.response(), nil
	}
}

// request creates the request of an event. It does not call http.NewRequest, which parses the path
// as a URL. HTTP APIs deliver the path decoded, and a decoded path may contain '?', '#' and '%'.
func request(ctx context.Context, e events.APIGatewayV2HTTPRequest) (*http.Request, error) {
	body, err := requestBody(e)
	if err != nil {
		return nil, err
	}
	ctx = context.WithValue(ctx, requestIDKey{}, e.RequestContext.RequestID)
	if a := e.RequestContext.Authorizer; a != nil && a.JWT != nil {
		ctx = context.WithValue(ctx, claimsKey{}, a.JWT.Claims)
	}
	r := &http.Request{
		Method:        e.RequestContext.HTTP.Method,
		URL:           &url.URL{Path: withoutStage(e), RawQuery: e.RawQueryString},
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        requestHeader(e),
		Host:          e.RequestContext.DomainName,
		RemoteAddr:    e.RequestContext.HTTP.SourceIP,
		ContentLength: int64(len(body)),
		Body:          http.NoBody,
	}
	if len(body) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	r.RequestURI = r.URL.RequestURI()
	return r.WithContext(ctx), nil
}

// withoutStage returns the path without its stage. The path of every stage except the default
// begins with the stage's name, except behind a custom domain.
func withoutStage(e events.APIGatewayV2HTTPRequest) string {
	stage := e.RequestContext.Stage
	if stage == "" || stage == DefaultStage {
		return e.RawPath
	}
	rest, found := strings.CutPrefix(e.RawPath, "/"+stage)
	switch {
	case found && rest == "":
		return "/"
	case found && rest[0] == '/':
		return rest
	}
	return e.RawPath
}

// requestHeader returns the header with the event's values. The service joins repeated headers by
// commas, which cannot be distinguished from the commas of a value.
func requestHeader(e events.APIGatewayV2HTTPRequest) http.Header {
	h := make(http.Header, len(e.Headers)+1)
	for name, value := range e.Headers {
		if strings.EqualFold(name, "host") {
			continue // net/http keeps it in Request.Host
		}
		h.Set(name, value)
	}
	if len(e.Cookies) > 0 {
		h.Set("Cookie", strings.Join(e.Cookies, "; "))
	}
	return h
}

func requestBody(e events.APIGatewayV2HTTPRequest) ([]byte, error) {
	if !e.IsBase64Encoded {
		return []byte(e.Body), nil
	}
	body, err := base64.StdEncoding.DecodeString(e.Body)
	if err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	return body, nil
}

// Deliver returns the request with the path that an HTTP API passes to its routes and functions.
// The service decodes the path, cuts it at the first question mark, and decodes the rest again. It
// refuses a path that it cannot decode twice; Deliver returns an error then. The query stays as
// sent.
func Deliver(r *http.Request) (*http.Request, error) {
	path, err := deliveredPath(r.URL.Path)
	if err != nil {
		return nil, err
	}
	d := r.WithContext(r.Context())
	u := *r.URL
	u.Path, u.RawPath = path, ""
	d.URL = &u
	return d, nil
}

// deliveredPath is Deliver for a path that has been decoded once.
func deliveredPath(decoded string) (string, error) {
	path, _, _ := strings.Cut(decoded, "?")
	twice, err := url.PathUnescape(path)
	if err != nil {
		return "", fmt.Errorf("decode the path: %w", err)
	}
	return twice, nil
}

// fits reports whether a decoded path still matches its route. The service matches the encoded
// path and delivers it decoded. An encoded slash or dot in a parameter then becomes a segment of
// the path. A mux would redirect such a path, or choose a different route from the authorized one.
func fits(decoded, routeKey string) bool {
	if path.Clean(decoded) != decoded {
		return false
	}
	_, route, found := strings.Cut(routeKey, " ")
	if !found || strings.HasSuffix(route, "+}") {
		return true // greedy routes match any number of segments
	}
	return strings.Count(decoded, "/") == strings.Count(route, "/")
}

// notFound returns the response to a path without a route.
func notFound() (events.APIGatewayV2HTTPResponse, error) {
	body, err := json.Marshal(problem.NoRoute())
	if err != nil {
		return events.APIGatewayV2HTTPResponse{}, err
	}
	return events.APIGatewayV2HTTPResponse{
		StatusCode: http.StatusNotFound,
		Headers: map[string]string{
			"Cache-Control":          "no-store",
			"Content-Type":           problem.MediaType,
			"X-Content-Type-Options": "nosniff",
		},
		Body: string(body) + "\n",
	}, nil
}
