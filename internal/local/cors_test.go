package local_test

import (
	"strings"
	"testing"
)

func TestPagesOfConfiguredOriginsAloneAreLetIn(t *testing.T) {
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
				(got.header.Get("Access-Control-Allow-Methods") == "GET,POST") != (c.want != "") {
				t.Errorf("preflight: %d %v", got.status, got.header)
			}
		})
	}
}

func TestWithoutOriginsAFunctionsOwnHeadersPass(t *testing.T) {
	t.Parallel()
	got := serve(t).ask(t, "GET", "/docs", nil, "Origin: https://chat.example")
	if allowed := got.header.Get("Access-Control-Allow-Origin"); allowed != "https://function.example" {
		t.Errorf("allowed %q, want the function's own", allowed)
	}
}
