// Package gateway bridges API Gateway's HTTP API events (payload format 2.0)
// and net/http, in both directions: Handler turns events into requests inside
// a function; Event and WriteResponse do the service's part on a laptop.
//
// It knows nothing of what is served.
package gateway

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// DefaultStage is the stage that adds no prefix to the path.
const DefaultStage = "$default"

type (
	claimsKey    struct{}
	requestIDKey struct{}
	routeKeyKey  struct{}
)

// Claims returns the verified claims of the request's token, nil when the
// route asks for none. They come from the service's authorizer, never from
// anything the client sent.
func Claims(r *http.Request) map[string]string {
	claims, _ := r.Context().Value(claimsKey{}).(map[string]string)
	return claims
}

// RequestID returns the service's id of the request, for logs.
func RequestID(r *http.Request) string {
	id, _ := r.Context().Value(requestIDKey{}).(string)
	return id
}

// RouteKey returns the key of the route that the service chose for the request, such as
// "GET /rooms/{room}" or "$default".
func RouteKey(r *http.Request) string {
	key, _ := r.Context().Value(routeKeyKey{}).(string)
	return key
}

// Handler serves events with h. Its error means an event that the service
// cannot have sent; whatever h answers, also with 500, is a response. Paths that
// do not fit the event's route are answered with 404 and never reach h.
func Handler(h http.Handler) func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
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

// request makes the request of an event. It is put together by hand:
// http.NewRequest would parse the path as a URL, but HTTP APIs deliver it
// decoded, and a decoded path may hold '?', '#' and '%' of its own.
func request(ctx context.Context, e events.APIGatewayV2HTTPRequest) (*http.Request, error) {
	body, err := requestBody(e)
	if err != nil {
		return nil, err
	}
	ctx = context.WithValue(ctx, requestIDKey{}, e.RequestContext.RequestID)
	ctx = context.WithValue(ctx, routeKeyKey{}, e.RouteKey)
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

// withoutStage strips the stage that begins the path of every stage but the
// default one. Behind a custom domain the path comes without it.
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

// requestHeader keeps values as they came: the service has joined repeated
// headers by commas, and no one can tell those from a value's own.
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
