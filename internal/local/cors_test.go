package local_test

import (
	"strings"
	"testing"
)

func TestCORS_AllowsOnlyConfiguredOrigins(t *testing.T) {
	t.Parallel()
	const page = "https://chat.example"
	for _, c := range []struct {
		name    string
		origins []string
		origin  string
		want    string // Access-Control-Allow-Origin
	}{
		{"a configured origin", []string{"https://other.example", page}, page, page},
		{"another origin", []string{"https://other.example"}, page, ""},
		{"any origin", []string{"*"}, page, "*"},
		{"no page at all", []string{page}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := serve(t, c.origins...)
			var header []string
			if c.origin != "" {
				header = append(header, "Origin: "+c.origin)
			}
			got := a.ask(t, "GET", "/docs", nil, header...)
			if allowed := got.header.Values("Access-Control-Allow-Origin"); strings.Join(allowed, ";") != c.want || got.status != 200 {
				t.Errorf("GET: %d, allowed %q, want %q", got.status, allowed, c.want)
			}
			if c.origin == "" {
				return
			}
			got = a.ask(t, "OPTIONS", "/rooms/x/messages", nil, append(header, "Access-Control-Request-Method: POST")...)
			if got.status != 204 || got.header.Get("Access-Control-Allow-Origin") != c.want ||
				(got.header.Get("Access-Control-Allow-Methods") == "DELETE,GET,HEAD,POST") != (c.want != "") {
				t.Errorf("preflight: %d %v", got.status, got.header)
			}
		})
	}
}

// The service adds CORS headers only to the responses of functions.
func TestCORS_EveryAnswerOfAFunctionAndNoneOfTheGateways(t *testing.T) {
	t.Parallel()
	const page = "https://chat.example"
	a := serve(t, page)
	origin := "Origin: " + page
	for _, c := range []struct {
		name    string
		got     answer
		status  int
		allowed string
	}{
		{"an answer", a.ask(t, "GET", "/docs", nil, origin), 200, page},
		{"an unknown path", a.ask(t, "GET", "/nowhere", nil, origin), 404, page},
		{"an unknown method", a.ask(t, "DELETE", "/docs", nil, origin), 404, page},
		{"HEAD", a.ask(t, "HEAD", "/docs", nil, origin), 404, page},
		{"no token", a.ask(t, "GET", "/rooms/x/messages", nil, origin), 401, ""},
		{"a percent sign", a.ask(t, "GET", "/100%25", nil, origin), 400, ""},
		{"a failed function", a.ask(t, "GET", "/error", nil, origin), 500, ""},
		{"a malformed response", a.ask(t, "GET", "/malformed", nil, origin), 500, ""},
		{"OPTIONS that is not a preflight", a.ask(t, "OPTIONS", "/docs", nil, origin), 404, ""},
		{"the root, which no greedy route takes", a.ask(t, "DELETE", "/", nil, origin), 404, ""},
	} {
		if c.got.status != c.status || c.got.header.Get("Access-Control-Allow-Origin") != c.allowed {
			t.Errorf("%s: %d, allowed %q, want %d, %q", c.name, c.got.status, c.got.header.Get("Access-Control-Allow-Origin"), c.status, c.allowed)
		}
		if exposed := c.got.header.Get("Access-Control-Expose-Headers"); (exposed == "etag") != (c.allowed != "") {
			t.Errorf("%s: exposed %q", c.name, exposed)
		}
		if c.allowed == "" {
			wantMessage(t, c.got, c.status)
			if vary := c.got.header.Get("Vary"); vary != "" {
				t.Errorf("%s: Vary %q", c.name, vary)
			}
		}
	}
}

func TestPreflight_IsAnsweredOnEveryPath(t *testing.T) {
	t.Parallel()
	a := serve(t, "https://chat.example")
	for _, path := range []string{"/docs", "/rooms/x/messages", "/nowhere", "/", "/100%25"} {
		got := a.ask(t, "OPTIONS", path, nil, "Origin: https://chat.example", "Access-Control-Request-Method: POST")
		want := map[string]string{
			"Access-Control-Allow-Origin": "https://chat.example", "Access-Control-Allow-Methods": "DELETE,GET,HEAD,POST",
			"Access-Control-Allow-Headers": "authorization,if-match", "Access-Control-Max-Age": "60",
		}
		for name, value := range want {
			if got.status != 204 || got.header.Get(name) != value {
				t.Errorf("%s: %d, %s: %q, want %q", path, got.status, name, got.header.Get(name), value)
			}
		}
	}
}

func TestCORS_WithoutOriginsKeepsTheFunctionsHeaders(t *testing.T) {
	t.Parallel()
	got := serve(t).ask(t, "GET", "/docs", nil, "Origin: https://chat.example")
	if allowed := got.header.Get("Access-Control-Allow-Origin"); allowed != "https://function.example" {
		t.Errorf("allowed %q, want the function's own", allowed)
	}
}
