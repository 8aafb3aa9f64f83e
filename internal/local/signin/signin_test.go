package signin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/local/signin"
	"example.com/parley/internal/problem"
)

const token = "header.claims.signature"

var expires = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// known are the people whom a doorkeeper finds by the beginnings of their names.
var known = []signin.Person{{User: "u1", Name: "Ann"}, {User: "u2", Name: "Ann Lee"}, {User: "u3", Name: "Max"}, {User: "u4", Name: "Max"}}

// doorkeeper is a handler with what it did.
type doorkeeper struct {
	*signin.Handler
	welcomed []signin.Person
	log      bytes.Buffer
}

// newDoorkeeper returns a handler that accepts every user and name but "", and that fails with the
// given error when it welcomes.
func newDoorkeeper(failure error) *doorkeeper {
	d := &doorkeeper{}
	rule := func(user string) string {
		if user == "" {
			return "must be given"
		}
		return ""
	}
	d.Handler = signin.New(signin.Config{
		Offered: func() []signin.Person { return nil },
		Rule:    rule,
		Named: func(name string) (signin.Person, string) {
			return signin.Person{User: strings.ToLower(name), Name: name}, rule(name)
		},
		Find: func(_ context.Context, text string) ([]signin.Person, error) {
			return slices.DeleteFunc(slices.Clone(known), func(p signin.Person) bool { return !strings.HasPrefix(p.Name, text) }), nil
		},
		Sign: func(signin.Person) (string, time.Time, error) { return token, expires, nil },
		Welcome: func(_ context.Context, p signin.Person, with string) error {
			if with == token {
				d.welcomed = append(d.welcomed, p)
			}
			return failure
		},
		Log: slog.New(slog.NewTextHandler(&d.log, nil)),
	})
	return d
}

// ownPage returns the request that the page of a server sends on the same machine.
func ownPage(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/local/sign-in", strings.NewReader(body))
	r.Host, r.RemoteAddr = "localhost:8080", "127.0.0.1:49152"
	r.Header.Set("Origin", "http://localhost:8080")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", "application/json")
	return r
}

func TestHandler_SignsItsOwnPageIn(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*http.Request){
		"localhost":           func(*http.Request) {},
		"127.0.0.1":           func(r *http.Request) { r.Host = "127.0.0.1:9"; r.Header.Set("Origin", "http://127.0.0.1:9") },
		"::1":                 func(r *http.Request) { r.Host = "[::1]:9"; r.Header.Set("Origin", "http://[::1]:9") },
		"port 80":             func(r *http.Request) { r.Host = "localhost"; r.Header.Set("Origin", "http://localhost") },
		"an IPv6 peer":        func(r *http.Request) { r.RemoteAddr = "[::1]:5" },
		"a mapped IPv4 peer":  func(r *http.Request) { r.RemoteAddr = "[::ffff:127.0.0.1]:5" },
		"an older browser":    func(r *http.Request) { r.Header.Del("Sec-Fetch-Site") },
		"a type with charset": func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-8") },
	} {
		d, w, r := newDoorkeeper(nil), httptest.NewRecorder(), ownPage(`{"user": "bob"}`)
		change(r)
		d.ServeHTTP(w, r)
		const want = `{"user":"bob","token":"` + token + `","expires":"2026-03-04T05:06:07Z"}`
		if w.Code != http.StatusOK || w.Body.String() != want || !slices.Equal(d.welcomed, []signin.Person{{User: "bob"}}) {
			t.Errorf("%s: %d %s, welcomed %v", name, w.Code, w.Body, d.welcomed)
		}
		if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: the token may be kept, or read by other pages: %v", name, w.Header())
		}
		if strings.Contains(d.log.String(), token) {
			t.Errorf("%s: the log contains the token", name)
		}
	}
}

func TestHandler_SignsInByName(t *testing.T) {
	t.Parallel()
	d, w := newDoorkeeper(nil), httptest.NewRecorder()
	d.ServeHTTP(w, ownPage(`{"name": "BOB", "user": "eve"}`))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"user":"bob"`) || !slices.Equal(d.welcomed, []signin.Person{{User: "bob", Name: "BOB"}}) {
		t.Errorf("%d %s, welcomed %v", w.Code, w.Body, d.welcomed)
	}
	w = httptest.NewRecorder()
	d.ServeHTTP(w, ownPage(`{"name": "", "user": "eve"}`))
	if p := wantProblem(t, "no name", w, 422); len(p.Errors) != 1 || p.Errors[0].Location != "name" {
		t.Errorf("the problem names no name: %+v", p)
	}
}

func TestHandler_SignsInByTheNameOfAProfile(t *testing.T) {
	t.Parallel()
	d, w := newDoorkeeper(nil), httptest.NewRecorder()
	d.ServeHTTP(w, ownPage(`{"name": "Ann"}`))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"user":"u1"`) || !slices.Equal(d.welcomed, []signin.Person{{User: "u1"}}) {
		t.Errorf("%d %s, welcomed %v", w.Code, w.Body, d.welcomed)
	}
	w = httptest.NewRecorder()
	d.ServeHTTP(w, ownPage(`{"name": "Max"}`))
	if p := wantProblem(t, "two people", w, 409); !strings.Contains(p.Detail, "u3 or u4") {
		t.Errorf("the problem names nobody: %+v", p)
	}
}

func TestHandler_ServesPeople(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"name": "Ann"}`: `{"items":[{"user":"u1","name":"Ann"},{"user":"u2","name":"Ann Lee"}]}`,
		`{"name": "Zoe"}`: `{"items":[]}`, `{"name": ""}`: `{"items":[]}`, `{}`: `{"items":[]}`,
	} {
		d, w := newDoorkeeper(nil), httptest.NewRecorder()
		if d.ServePeople(w, ownPage(body)); w.Code != http.StatusOK || w.Body.String() != want || len(d.welcomed) > 0 {
			t.Errorf("%s: %d %s, want %s", body, w.Code, w.Body, want)
		}
	}
	d, w, r := newDoorkeeper(nil), httptest.NewRecorder(), ownPage(`{"name": "Ann"}`)
	r.Header.Set("Origin", "http://elsewhere.example")
	d.ServePeople(w, r)
	wantProblem(t, "a page of another origin", w, 403)
}

// TestHandler_Refusals changes one thing of a valid request at a time.
func TestHandler_Refusals(t *testing.T) {
	t.Parallel()
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(host string) func(*http.Request) { // as of a page on that host
		return func(r *http.Request) { r.Host = host; r.Header.Set("Origin", "http://"+host) }
	}
	for name, tt := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"a peer elsewhere":        {func(r *http.Request) { r.RemoteAddr = "192.0.2.7:5" }, 403},
		"a peer without address":  {func(r *http.Request) { r.RemoteAddr = "@" }, 403},
		"a foreign name":          {host("evil.example:8080"), 403},
		"a name like localhost":   {host("localhost.evil.example:8080"), 403},
		"a name below localhost":  {host("evil.localhost:8080"), 403},
		"a name like an address":  {host("127.0.0.1.nip.io:8080"), 403},
		"all addresses":           {host("0.0.0.0:8080"), 403},
		"an address elsewhere":    {host("192.0.2.7:8080"), 403},
		"no host":                 {host(""), 403},
		"no origin":               {func(r *http.Request) { r.Header.Del("Origin") }, 403},
		"the origin null":         {set("Origin", "null"), 403},
		"another port's page":     {set("Origin", "http://localhost:3000"), 403},
		"another name's page":     {set("Origin", "http://127.0.0.1:8080"), 403},
		"an origin's beginning":   {set("Origin", "http://localhost:80"), 403},
		"a foreign page":          {set("Origin", "https://evil.example"), 403},
		"a cross-site request":    {set("Sec-Fetch-Site", "cross-site"), 403},
		"a same-site request":     {set("Sec-Fetch-Site", "same-site"), 403},
		"a tunnel":                {set("X-Forwarded-For", "192.0.2.7"), 403},
		"a proxy":                 {set("Forwarded", "for=192.0.2.7"), 403},
		"a proxy's other name":    {set("X-Forwarded-Host", "chat.example"), 403},
		"a proxy's other address": {set("X-Real-IP", "192.0.2.7"), 403},
		"a form":                  {set("Content-Type", "application/x-www-form-urlencoded"), 415},
		"a form's plain text":     {set("Content-Type", "text/plain"), 415},
		"no type":                 {func(r *http.Request) { r.Header.Del("Content-Type") }, 415},
	} {
		d, w, r := newDoorkeeper(nil), httptest.NewRecorder(), ownPage(`{"user": "bob"}`)
		tt.change(r)
		d.ServeHTTP(w, r)
		wantProblem(t, name, w, tt.want)
		if len(d.welcomed) != 0 || strings.Contains(w.Body.String(), token) {
			t.Errorf("%s: welcomed all the same: %s", name, w.Body)
		}
	}
	for body, want := range map[string]int{
		`{"user": "` + strings.Repeat("b", 1<<10) + `"}`: 413, `{"user": "bob"`: 400, ``: 400, `[]`: 400, `{"user": 7}`: 400, `{}`: 422, `{"user": ""}`: 422,
	} {
		d, w := newDoorkeeper(nil), httptest.NewRecorder()
		d.ServeHTTP(w, ownPage(body))
		if p := wantProblem(t, body, w, want); want == 422 && (len(p.Errors) != 1 || p.Errors[0].Location != "user" || p.Detail != "user must be given.") {
			t.Errorf("%s: the problem names no user: %+v", body, p)
		}
	}
}

func TestHandler_FailureIsLoggedWithoutTheToken(t *testing.T) {
	t.Parallel()
	d, w := newDoorkeeper(errors.New("no table")), httptest.NewRecorder()
	d.ServeHTTP(w, ownPage(`{"user": "bob"}`))
	if p := wantProblem(t, "a failure", w, 503); !p.Retryable || strings.Contains(w.Body.String(), token) {
		t.Errorf("a failure answers %+v", p)
	}
	if !strings.Contains(d.log.String(), "no table") || strings.Contains(d.log.String(), token) {
		t.Errorf("the log has\n%s", &d.log)
	}
}

func wantProblem(t *testing.T, name string, w *httptest.ResponseRecorder, status int) problem.Problem {
	t.Helper()
	var p problem.Problem
	err := json.Unmarshal(w.Body.Bytes(), &p)
	if err != nil || w.Code != status || p.Status != status || p.Detail == "" || w.Header().Get("Content-Type") != problem.MediaType {
		t.Errorf("%s: %d %s, %v, want the problem of %d", name, w.Code, w.Body, err, status)
	}
	return p
}
