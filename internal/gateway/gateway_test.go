package gateway_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/gateway"
)

// seen is a request as a handler receives it.
type seen struct {
	Method, Path, Query, Host, Remote string
	Header                            http.Header
	Body                              string
	Claims                            map[string]string
	RequestID                         string
}

// see passes an event, as JSON, through Handler and returns the received request.
func see(t require, e events.APIGatewayV2HTTPRequest) seen {
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var again events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	var s seen
	h := gateway.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.ContentLength != int64(len(body)) {
			t.Fatalf("body of %d bytes with ContentLength %d, %v", len(body), r.ContentLength, err)
		}
		s = seen{
			Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Host: r.Host, Remote: r.RemoteAddr,
			Header: r.Header, Body: string(body), Claims: gateway.Claims(r), RequestID: gateway.RequestID(r),
		}
	}))
	if _, err := h(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHandler_RequestSurvivesTheWayThroughAnEvent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := drawRequest(t)
		r := &http.Request{
			Method: want.Method, URL: &url.URL{Path: want.Path, RawQuery: want.Query}, Host: want.Host,
			Proto: "HTTP/1.1", Header: want.Header.Clone(), RemoteAddr: want.Remote + ":4711",
		}
		got := see(t, gateway.Event(gateway.Incoming{
			Request: r, Body: []byte(want.Body), Claims: want.Claims, RequestID: want.RequestID,
		}))
		for name, values := range want.Header {
			separator := ","
			if name == "Cookie" {
				separator = "; "
			}
			want.Header[name] = []string{strings.Join(values, separator)}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func drawRequest(t *rapid.T) seen {
	body := rapid.OneOf(
		rapid.Just(""), rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	).Draw(t, "body")
	header := http.Header{}
	value := rapid.StringMatching(`[!-~]([ -~é]{0,20}[!-~])?`)
	for name, values := range rapid.MapOfN(
		rapid.StringMatching(`X-[A-Z][a-z0-9]{0,9}`), rapid.SliceOfN(value, 1, 3), 0, 4).Draw(t, "headers") {
		header[name] = values
	}
	if cookies := rapid.SliceOfN(rapid.StringMatching(`[a-z]+=[a-z0-9]*`), 0, 3).Draw(t, "cookies"); len(cookies) > 0 {
		header["Cookie"] = cookies
	}
	if kind := rapid.SampledFrom([]string{"", "application/json", "text/plain; charset=utf-8",
		"application/problem+json", "image/png", "no type at all"}).Draw(t, "content type"); kind != "" {
		header["Content-Type"] = []string{kind}
	}
	return seen{
		Method:    rapid.SampledFrom([]string{"GET", "PUT", "POST", "DELETE", "HEAD"}).Draw(t, "method"),
		Path:      path.Clean("/" + rapid.String().Draw(t, "path")),
		Query:     rapid.StringMatching(`[!-~]{0,30}`).Draw(t, "query"),
		Host:      rapid.StringMatching(`[a-z]{1,8}(\.[a-z]{1,8})?(:[0-9]{2,4})?`).Draw(t, "host"),
		Remote:    "192.0.2.7",
		Header:    header,
		Body:      body,
		Claims:    rapid.SampledFrom([]map[string]string{nil, {"sub": "ada"}}).Draw(t, "claims"),
		RequestID: rapid.StringMatching(`[a-z0-9]{0,9}`).Draw(t, "request id"),
	}
}

func TestHandler_OddPathsArriveAsTheServiceDecodedThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, stage, rawPath, want string }{
		{"a question mark belongs to the path", "", "/rooms/what?now", "/rooms/what?now"},
		{"a hash belongs to the path", "", "/rooms/#general", "/rooms/#general"},
		{"a percent sign is not decoded again", "", "/rooms/100%25", "/rooms/100%25"},
		{"a lone percent sign is no fault", "", "/rooms/%", "/rooms/%"},
		{"an encoded slash came as a slash", "", "/rooms/a/b", "/rooms/a/b"},
		{"Unicode stays", "", "/rooms/müsli 🥣", "/rooms/müsli 🥣"},
		{"the default stage adds nothing", gateway.DefaultStage, "/rooms", "/rooms"},
		{"another stage is stripped", "dev", "/dev/rooms", "/rooms"},
		{"a bare stage is the root", "dev", "/dev", "/"},
		{"a stage is a whole segment", "dev", "/devices", "/devices"},
		{"a custom domain hides the stage", "dev", "/rooms", "/rooms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := events.APIGatewayV2HTTPRequest{RawPath: c.rawPath}
			e.RequestContext.Stage = c.stage
			if got := see(t, e).Path; got != c.want {
				t.Errorf("path = %q, want %q", got, c.want)
			}
		})
	}
}

func TestHandler_MuxMatchesTheDecodedPath(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /rooms/{room}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.PathValue("room"))
	})
	for _, room := range []string{"100%25", "what?now", "#1", "a b", "+", "é"} {
		e := events.APIGatewayV2HTTPRequest{RawPath: "/rooms/" + room}
		e.RequestContext.HTTP.Method = http.MethodGet
		resp, err := gateway.Handler(mux)(t.Context(), e)
		if err != nil || resp.Body != room {
			t.Errorf("room %q arrived as %q, %v", room, resp.Body, err)
		}
	}
}

func TestClaims_ComeFromTheAuthorizerAlone(t *testing.T) {
	t.Parallel()
	e := events.APIGatewayV2HTTPRequest{RawPath: "/", Headers: map[string]string{"claims": "sub=eve", "x-sub": "eve"}}
	if got := see(t, e).Claims; got != nil {
		t.Errorf("claims without an authorizer = %v, want nil", got)
	}
}

func TestHandler_BodyThatIsNotBase64IsAnError(t *testing.T) {
	t.Parallel()
	_, err := gateway.Handler(http.NotFoundHandler())(t.Context(),
		events.APIGatewayV2HTTPRequest{Body: "%", IsBase64Encoded: true})
	if err == nil {
		t.Error("no error")
	}
}

func TestEvent_LooksLikeTheServices(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "http://chat.example.com/rooms/a%2Fb?tag=x&tag=y&n=1%202",
		strings.NewReader(""))
	r.RemoteAddr = "192.0.2.7:4711"
	r.Header = http.Header{
		"User-Agent": {"curl/8"}, "X-Twice": {"1", "2"}, "Cookie": {"a=1; b=2", "c=3"},
		"Content-Type": {"application/json"},
	}
	got, err := json.Marshal(gateway.Event(gateway.Incoming{
		Request: r, Body: []byte("{}"), Route: "POST /rooms/{room}", RequestID: "id-1",
		Parameters: map[string]string{"room": "a/b"}, Claims: map[string]string{"sub": "ada"},
		Scopes: []string{"chat"}, Time: time.Date(2020, 3, 12, 20, 3, 58, 390e6, time.FixedZone("", 3600)),
	}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"version":"2.0","routeKey":"POST /rooms/{room}","rawPath":"/rooms/a/b",
		"rawQueryString":"tag=x&tag=y&n=1%202","cookies":["a=1","b=2","c=3"],
		"headers":{"content-type":"application/json","host":"chat.example.com","user-agent":"curl/8","x-twice":"1,2"},
		"queryStringParameters":{"n":"1 2","tag":"x,y"},"pathParameters":{"room":"a/b"},
		"requestContext":{"routeKey":"POST /rooms/{room}","accountId":"000000000000","stage":"$default",
			"requestId":"id-1","authorizer":{"jwt":{"claims":{"sub":"ada"},"scopes":["chat"]}},
			"apiId":"local","domainName":"chat.example.com","domainPrefix":"chat",
			"time":"12/Mar/2020:19:03:58 +0000","timeEpoch":1584039838390,
			"http":{"method":"POST","path":"/rooms/a/b","protocol":"HTTP/1.1","sourceIp":"192.0.2.7","userAgent":"curl/8"},
			"authentication":{"clientCert":{"clientCertPem":"","issuerDN":"","serialNumber":"","subjectDN":"",
				"validity":{"notAfter":"","notBefore":""}}}},
		"body":"{}","isBase64Encoded":false}`
	if diff := cmp.Diff(compact(t, []byte(want)), compact(t, got)); diff != "" {
		t.Error(diff)
	}
}

func compact(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// require is the interface that rapid.T and testing.T share.
type require interface {
	rapid.TB
	Context() context.Context
}

func FuzzHandler(f *testing.F) {
	f.Add([]byte(`{"version":"2.0","rawPath":"/rooms/%zz?#","rawQueryString":"%","body":"Zm9v","isBase64Encoded":true,` +
		`"headers":{"":"","host":"h","x":"\n"},"cookies":[""],"requestContext":{"http":{"method":"GET "},"stage":"rooms",` +
		`"authorizer":{"jwt":{"claims":null}}}}`))
	f.Add([]byte(`{}`))
	mux := http.NewServeMux()
	mux.HandleFunc("/rooms/{room}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
		_, _ = io.WriteString(w, r.PathValue("room")+r.URL.Query().Get("q")+gateway.Claims(r)["sub"])
	})
	serve := gateway.Handler(mux)
	f.Fuzz(func(t *testing.T, text []byte) {
		var e events.APIGatewayV2HTTPRequest
		if json.Unmarshal(text, &e) != nil {
			return
		}
		resp, err := serve(t.Context(), e)
		if err != nil {
			return
		}
		w := httptest.NewRecorder()
		if err := gateway.WriteResponse(w, resp); err != nil {
			t.Errorf("our own response is refused: %v", err)
		}
		want := []byte(resp.Body)
		if resp.IsBase64Encoded {
			want, _ = base64.StdEncoding.DecodeString(resp.Body)
		}
		if !bytes.Equal(w.Body.Bytes(), want) {
			t.Errorf("body %q arrives as %q", want, w.Body)
		}
	})
}
