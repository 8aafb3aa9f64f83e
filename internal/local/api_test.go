package local_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"go.uber.org/goleak"

	"example.com/parley/internal/gateway"
	"example.com/parley/internal/local"
	"example.com/parley/internal/local/issuer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// api is a running API with a real issuer.
type api struct {
	url   string
	token string
	logs  *bytes.Buffer // written by requests, read after them
}

// unknown responds as a function does to a request that matches no operation.
func unknown(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(http.StatusNotFound)
	_, _ = fmt.Fprintf(w, "no %s %s", r.Method, r.URL.Path)
}

// echo responds with the event that a function receives.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Access-Control-Allow-Origin", "https://function.example")
	_, _ = fmt.Fprintf(w, "%s %s sub=%s body=%d", r.Method, r.URL.Path, gateway.Claims(r)["sub"], len(body))
}

func routes() []local.Route {
	invoke := gateway.Handler(http.HandlerFunc(echo))
	return []local.Route{
		{Method: "GET", Path: "/rooms/{room}/messages", Invoke: invoke},
		{Method: "POST", Path: "/rooms/{room}/messages", Invoke: invoke},
		{Method: "GET", Path: "/docs", Public: true, Invoke: invoke},
		{Method: "GET", Path: "/", Public: true, Invoke: invoke},
		{Method: "GET", Path: "/{proxy+}", Public: true, Invoke: gateway.Handler(http.HandlerFunc(unknown))},
		{Method: "HEAD", Path: "/{proxy+}", Public: true, Invoke: gateway.Handler(http.HandlerFunc(unknown))},
		{Method: "DELETE", Path: "/{proxy+}", Public: true, Invoke: gateway.Handler(http.HandlerFunc(unknown))},
		{Method: "GET", Path: "/parameters/{a}/x/{b}", Public: true, Invoke: func(_ context.Context,
			e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
			text, err := json.Marshal([]any{e.RouteKey, e.PathParameters, e.RequestContext.TimeEpoch})
			return events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: string(text)}, err
		}},
		{Method: "GET", Path: "/error", Public: true, Invoke: func(context.Context,
			events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
			return events.APIGatewayV2HTTPResponse{StatusCode: 200}, errors.New("secret cause")
		}},
		{Method: "GET", Path: "/panic", Public: true, Invoke: func(context.Context,
			events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
			panic("secret cause")
		}},
		{Method: "GET", Path: "/malformed", Public: true, Invoke: func(context.Context,
			events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
			return events.APIGatewayV2HTTPResponse{Body: "secret cause"}, nil
		}},
	}
}

func config(t *testing.T, logs io.Writer) (local.Config, *issuer.Issuer) {
	t.Helper()
	clock := func() time.Time { return time.Unix(1_700_000_000, 0) }
	i, err := issuer.Open(issuer.Config{Dir: t.TempDir(), Clock: clock, Rand: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := i.Verifier()
	if err != nil {
		t.Fatal(err)
	}
	return local.Config{
		Routes: routes(), Verifier: verifier, KeySet: i.JWKS, Clock: clock, Rand: rand.Reader,
		CORS: local.CORS{Headers: []string{"authorization", "if-match"}, Exposed: []string{"etag"}, MaxAge: time.Minute},
		Log:  slog.New(slog.NewTextHandler(logs, nil)),
	}, i
}

func serve(t *testing.T, origins ...string) api {
	t.Helper()
	logs := &bytes.Buffer{}
	cfg, i := config(t, logs)
	cfg.CORS.Origins = origins
	a, err := local.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	token, err := i.Token("ada", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return api{url: server.URL, token: token, logs: logs}
}

type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request; each header is "Name: value".
func (a api) ask(t *testing.T, method, path string, body io.Reader, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, a.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(text)}
}

func TestAPI_RoutesLikeTheService(t *testing.T) {
	t.Parallel()
	a := serve(t)
	bearer := "Authorization: Bearer " + a.token
	for _, c := range []struct {
		name, method, path string
		header             []string
		status             int
		body               string
	}{
		{"a token opens a route", "GET", "/rooms/x/messages?limit=1", []string{bearer},
			200, "GET /rooms/x/messages sub=ada body=0"},
		{"the scheme's case does not matter", "GET", "/rooms/x/messages", []string{"Authorization: bearer " + a.token},
			200, "GET /rooms/x/messages sub=ada body=0"},
		{"public routes need none", "GET", "/docs", nil, 200, "GET /docs sub= body=0"},
		{"a token on a public route is not read", "GET", "/docs", []string{bearer}, 200, "GET /docs sub= body=0"},
		{"the root is a path like others", "GET", "/", nil, 200, "GET / sub= body=0"},
		{"encoded characters reach a segment", "GET", "/rooms/a%23c%7E/messages", []string{bearer},
			200, "GET /rooms/a#c~/messages sub=ada body=0"},
		{"a path is decoded twice", "GET", "/rooms/a%2523c/messages", []string{bearer},
			200, "GET /rooms/a#c/messages sub=ada body=0"},
		{"an encoded question mark that is encoded again", "GET", "/rooms/a%253Fc/messages", []string{bearer},
			200, "GET /rooms/a?c/messages sub=ada body=0"},
		{"no token", "GET", "/rooms/x/messages", nil, 401, `{"message":"Unauthorized"}`},
		{"a wrong token", "GET", "/rooms/x/messages", []string{bearer + "x"}, 401, `{"message":"Unauthorized"}`},
		{"another scheme", "GET", "/rooms/x/messages", []string{"Authorization: Basic " + a.token}, 401, `{"message":"Unauthorized"}`},
		{"two tokens", "GET", "/rooms/x/messages", []string{bearer, bearer}, 401, `{"message":"Unauthorized"}`},
		{"a percent sign", "GET", "/rooms/100%25/messages", []string{bearer}, 400, `{"message":"Bad Request"}`},
		{"no token on an unknown path", "GET", "/nowhere", nil, 404, "no GET /nowhere"},
		{"an encoded question mark cuts the path", "GET", "/docs%3F/x", nil, 200, "GET /docs sub= body=0"},
		{"a longer path", "GET", "/rooms/x/messages/y", []string{bearer}, 404, "no GET /rooms/x/messages/y"},
		{"a trailing slash", "GET", "/docs/", nil, 404, notFoundProblem},
		{"a doubled slash", "GET", "//docs", nil, 404, notFoundProblem},
		{"dots", "GET", "/rooms/../docs", nil, 404, notFoundProblem},
		{"an empty segment", "GET", "/rooms//messages", []string{bearer}, 404, notFoundProblem},
		{"an encoded slash", "GET", "/rooms/a%2Fb/messages", []string{bearer}, 404, "no GET /rooms/a/b/messages"},
		{"encoded dots", "GET", "/rooms/%2e%2e/messages", []string{bearer}, 404, notFoundProblem},
		{"HEAD is a route of its own", "HEAD", "/docs", nil, 404, ""},
		{"another method", "DELETE", "/docs", nil, 404, "no DELETE /docs"},
		{"OPTIONS without configured origins", "OPTIONS", "/docs", nil, 404, `{"message":"Not Found"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := a.ask(t, c.method, c.path, nil, c.header...)
			if got.status != c.status || got.body != c.body {
				t.Fatalf("%d %s, want %d %s", got.status, got.body, c.status, c.body)
			}
			if challenge := got.header.Get("WWW-Authenticate"); (c.status == 401) != strings.HasPrefix(challenge, "Bearer") {
				t.Errorf("%d with WWW-Authenticate %q", c.status, challenge)
			}
		})
	}
}

// notFoundProblem is the response of a function's bridge to an unknown path.
const notFoundProblem = `{"type":"/problems/not-found","title":"Not found","status":404,` +
	`"detail":"No operation has this path; /openapi.json lists all.","retryable":false}` + "\n"

// HTTP APIs have fixed messages for the responses of the gateway itself.
func TestRefusals_AreTheServicesOwn(t *testing.T) {
	t.Parallel()
	a := serve(t)
	bearer := "Authorization: Bearer " + a.token
	for _, c := range []struct {
		got    answer
		status int
	}{
		{a.ask(t, "GET", "/rooms/x/messages", nil), 401},
		{a.ask(t, "GET", "/100%25", nil), 400},
		{a.ask(t, "POST", "/rooms/x/messages", io.MultiReader(bytes.NewReader(make([]byte, 10<<20)), strings.NewReader("x")), bearer), 413},
		{a.ask(t, "GET", "/docs", nil, "X-Long: "+strings.Repeat("x", 10_240)), 431},
		{a.ask(t, "GET", "/error", nil), 500},
	} {
		wantMessage(t, c.got, c.status)
	}
	logs := a.logs.String()
	for _, want := range []string{"path=/100% status=400", "path=/rooms/x/messages status=401", `check="the token is not valid: there is none, or it is no bearer token"`, "status=413", "status=431"} {
		if !strings.Contains(logs, want) {
			t.Errorf("%q is not in the log:\n%s", want, logs)
		}
	}
}

func wantMessage(t *testing.T, got answer, status int) {
	t.Helper()
	want := fmt.Sprintf(`{"message":%q}`, http.StatusText(status))
	if got.status != status || got.body != want || got.header.Get("Content-Type") != "application/json" ||
		len(got.header.Get("Apigw-Requestid")) != 16 {
		t.Errorf("%d %s %v, want %d %s", got.status, got.body, got.header, status, want)
	}
}

func TestInvoke_PassesRouteAndParameters(t *testing.T) {
	t.Parallel()
	got := serve(t).ask(t, "GET", "/parameters/1%202/x/%C3%A9", nil)
	if want := `["GET /parameters/{a}/x/{b}",{"a":"1 2","b":"é"},1700000000000]`; got.body != want {
		t.Errorf("%d %s, want %s", got.status, got.body, want)
	}
	if len(got.header.Get("Apigw-Requestid")) != 16 {
		t.Errorf("request id = %q", got.header.Get("Apigw-Requestid"))
	}
}

func TestInvoke_FailureIs500AndOnlyTheLogSaysWhy(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/error", "/panic", "/malformed"} {
		a := serve(t)
		got := a.ask(t, "GET", path, nil)
		if got.status != 500 || got.body != `{"message":"Internal Server Error"}` {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
		if line := a.logs.String(); !strings.Contains(line, "GET "+path) || !strings.Contains(line, "error=") {
			t.Errorf("%s: log = %q", path, line)
		}
	}
}

func TestKeySet_IsPublic(t *testing.T) {
	t.Parallel()
	got := serve(t).ask(t, "GET", "/.well-known/jwks.json", nil)
	if got.status != 200 || !strings.Contains(got.body, `"kty":"RSA"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestNew_RefusesRoutesThatCannotBeServed(t *testing.T) {
	t.Parallel()
	invoke := gateway.Handler(http.NotFoundHandler())
	for name, routes := range map[string][]local.Route{
		"the same route twice": {{Method: "GET", Path: "/a", Invoke: invoke}, {Method: "GET", Path: "/a", Invoke: invoke}},
		"two that conflict":    {{Method: "GET", Path: "/{x}/b", Invoke: invoke}, {Method: "GET", Path: "/a/{y}", Invoke: invoke}},
		"no function":          {{Method: "GET", Path: "/a"}},
		"no method":            {{Path: "/a", Invoke: invoke}},
		"a relative path":      {{Method: "GET", Path: "a", Invoke: invoke}},
		"two that take all":    {{Method: "GET", Path: "/{proxy+}", Invoke: invoke}, {Method: "GET", Path: "/{proxy+}", Invoke: invoke}},
		"all to no function":   {{Method: "GET", Path: "/{proxy+}"}},
	} {
		cfg, _ := config(t, io.Discard)
		cfg.Routes = routes
		if _, err := local.New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := local.New(local.Config{}); err == nil {
		t.Error("an empty configuration: no error")
	}
}
