package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/gateway"
)

// capturedPaths are paths as HTTP APIs deliver them. The first rows were observed on the service in July
// 2026 by the ingress probe of github.com/hotsock/voker (vokerhttp/testdata). The others follow
// from them for the ids of this API.
var capturedPaths = []struct{ sent, delivered string }{ // delivered "" is refused
	{"/capture/plain", "/capture/plain"},
	{"/capture/space%20value", "/capture/space value"},
	{"/capture/question%3Fvalue", "/capture/question"},
	{"/capture/percent%25done", ""},
	{"/capture/hash%23value", "/capture/hash#value"},
	{"/capture/slash%2Fvalue", "/capture/slash/value"},
	{"/capture/unicode-%CE%BB-%E4%B8%96%E7%95%8C", "/capture/unicode-λ-世界"},
	{"/capture/literal%252Fvalue", "/capture/literal/value"},
	{"/capture/literal%253Fvalue", "/capture/literal?value"},
	{"/capture/literal%2525value", "/capture/literal%value"},

	{"/m/0165858d-fe7b-7102-8304-05060708090a~amsg", "/m/0165858d-fe7b-7102-8304-05060708090a~amsg"},
	{"/m/0165858d-fe7b-7102-8304-05060708090a%7Eamsg", "/m/0165858d-fe7b-7102-8304-05060708090a~amsg"},
	{"/u/auth0%7C5f7c8ec7", "/u/auth0|5f7c8ec7"},
	{"/u/ada+bot@example.com", "/u/ada+bot@example.com"},
	{"/u/ada%2Bbot%40example.com", "/u/ada+bot@example.com"},
	{"/u/a:b=c", "/u/a:b=c"},
	{"/e/%F0%9F%91%8D%F0%9F%8F%BD", "/e/👍🏽"},
	{"/e/%23%EF%B8%8F%E2%83%A3", "/e/#️⃣"},
	{"/100%25", ""},
	{"/%253F%253F", "/??"},
	{"/%3F%25", "/"}, // the second decoding does not see the part that was cut
}

func TestDeliver_PathsAreThoseOfTheService(t *testing.T) {
	t.Parallel()
	const query = "marker=path-probe&value=a%3Fb%25c%23d&repeat=one&repeat=two"
	for _, c := range capturedPaths {
		t.Run(c.sent, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "http://chat.example"+c.sent+"?"+query, nil)
			got, err := gateway.Deliver(r)
			if (err != nil) != (c.delivered == "") {
				t.Fatalf("error %v, want the path %q", err, c.delivered)
			}
			if err != nil {
				return
			}
			if got.URL.Path != c.delivered || got.URL.RawQuery != query {
				t.Errorf("delivered %q ? %q, want %q", got.URL.Path, got.URL.RawQuery, c.delivered)
			}
			if r.URL.Path == c.delivered && strings.Contains(c.sent, "%25") {
				t.Error("the original request has changed")
			}
			// The function's side uses a delivered path unchanged.
			e := gateway.Event(gateway.Incoming{Request: got, Route: "$default"})
			if e.RawPath != c.delivered || e.RawQueryString != query {
				t.Errorf("event %q ? %q, want %q", e.RawPath, e.RawQueryString, c.delivered)
			}
			if s := see(t, e); s.Path != c.delivered || s.Query != query {
				t.Errorf("handler sees %q ? %q, want %q", s.Path, s.Query, c.delivered)
			}
		})
	}
}

// TestEvent_HasTheFormOfACapturedOne uses the probe's second capture: a POST with repeated headers and parameters, cookies and a body.
func TestEvent_HasTheFormOfACapturedOne(t *testing.T) {
	t.Parallel()
	const query = "repeat=one&repeat=two&redirect=https%3A%2F%2Fexample.com%2Fa%2Fb&literalPlus=a+b&encodedPlus=a%2Bb&empty="
	const body = `{"message":"hello","unicode":"lambda-λ"}`
	sent := httptest.NewRequest(http.MethodPost, "http://chat.example/capture/space%20value?"+query, strings.NewReader(body))
	sent.Header = http.Header{
		"Accept": {"*/*"}, "Content-Type": {"application/json"}, "X-Voker-Probe": {"first", "second"},
		"Cookie": {"session=abc123; theme=dark"},
	}
	r, err := gateway.Deliver(sent)
	if err != nil {
		t.Fatal(err)
	}
	e := gateway.Event(gateway.Incoming{Request: r, Body: []byte(body), Route: "$default"})
	got := events.APIGatewayV2HTTPRequest{
		Version: e.Version, RouteKey: e.RouteKey, RawPath: e.RawPath, RawQueryString: e.RawQueryString, Cookies: e.Cookies,
		Headers: e.Headers, QueryStringParameters: e.QueryStringParameters, Body: e.Body, IsBase64Encoded: e.IsBase64Encoded,
	}
	want := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "$default", RawPath: "/capture/space value", RawQueryString: query,
		Cookies: []string{"session=abc123", "theme=dark"},
		Headers: map[string]string{"accept": "*/*", "content-type": "application/json", "host": "chat.example", "x-voker-probe": "first,second"},
		QueryStringParameters: map[string]string{
			"empty": "", "encodedPlus": "a+b", "literalPlus": "a b", "redirect": "https://example.com/a/b", "repeat": "one,two",
		},
		Body: body,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	s := see(t, e)
	if s.Header.Get("Cookie") != "session=abc123; theme=dark" || s.Header.Get("X-Voker-Probe") != "first,second" || s.Body != body {
		t.Errorf("handler sees %+v", s)
	}
}

// FuzzDeliver looks for a path that changes on its way through the event and the bridge.
func FuzzDeliver(f *testing.F) {
	for _, c := range capturedPaths {
		f.Add(c.sent)
	}
	f.Add("/%FF/%2e%2e//%00")
	f.Fuzz(func(t *testing.T, path string) {
		r, err := http.NewRequest(http.MethodGet, "http://chat.example/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.URL.Path = "/" + path // decoded once, as in net/http
		d, err := gateway.Deliver(r)
		if err != nil {
			return
		}
		if len(d.URL.Path) > len(r.URL.Path) || !strings.HasPrefix(d.URL.Path, "/") {
			t.Errorf("%q is delivered as %q", r.URL.Path, d.URL.Path)
		}
		text, err := json.Marshal(gateway.Event(gateway.Incoming{Request: d, Route: "$default"}))
		if err != nil {
			t.Fatal(err)
		}
		seen := "unreached"
		serve := gateway.Function(gateway.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			seen = r.URL.Path
			_, _ = io.WriteString(w, r.Method)
		})))
		answer, err := serve.Invoke(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		// JSON cannot contain invalid UTF-8: an invalid byte arrives as U+FFFD.
		if seen != "unreached" && utf8.ValidString(d.URL.Path) && seen != d.URL.Path {
			t.Errorf("%q is seen as %q: %s", d.URL.Path, seen, answer)
		}
	})
}

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
