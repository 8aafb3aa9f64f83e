package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/gateway"
)

// TestHandler_PathThatDoesNotFitItsRouteIsNotFound uses a mux, which would serve some of these
// paths by another route and redirect others.
func TestHandler_PathThatDoesNotFitItsRouteIsNotFound(t *testing.T) {
	t.Parallel()
	served := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }
	mux := http.NewServeMux()
	for _, pattern := range []string{"/{$}", "/rooms/{room}", "/rooms/{room}/messages", "/files/{path...}"} {
		mux.HandleFunc(pattern, served)
	}
	serve := gateway.Handler(mux)
	for _, c := range []struct {
		name, route, path string
		status            int
	}{
		{"a path of its route", "GET /rooms/{room}", "/rooms/seattle", 200},
		{"the root", "GET /", "/", 200},
		{"a greedy route takes all", "GET /files/{path+}", "/files/a/b/c", 200},
		{"so does the default route", "$default", "/rooms/seattle/messages", 200},
		{"an encoded slash made it another route's", "GET /rooms/{room}", "/rooms/seattle/messages", 404},
		{"an encoded slash at the beginning", "GET /rooms/{room}", "/rooms//seattle", 404},
		{"an encoded slash at the end", "GET /rooms/{room}", "/rooms/seattle/", 404},
		{"only an encoded slash", "GET /rooms/{room}", "/rooms//", 404},
		{"encoded dots", "GET /rooms/{room}", "/rooms/..", 404},
		{"an encoded dot", "GET /rooms/{room}", "/rooms/.", 404},
		{"dots on a greedy route", "GET /files/{path+}", "/files/../rooms/seattle", 404},
		{"two slashes that name a host", "$default", "//evil/rooms", 404},
		{"no path", "GET /", "", 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := events.APIGatewayV2HTTPRequest{RouteKey: c.route, RawPath: c.path}
			e.RequestContext.HTTP.Method = http.MethodGet
			got, err := serve(t.Context(), e)
			if err != nil || got.StatusCode != c.status {
				t.Fatalf("%d %s, %v, want %d", got.StatusCode, got.Body, err, c.status)
			}
			if c.status == 404 && (got.Headers["Content-Type"] != "application/problem+json" || !strings.Contains(got.Body, "/problems/not-found")) {
				t.Errorf("answer %v %s", got.Headers, got.Body)
			}
		})
	}
}
