package httpapi_test

import (
	"strings"
	"testing"

	"example.com/parley/internal/config"
)

// TestIdempotencyKey_IsHonoredOrRefused sends the header with each kind of POST.
func TestIdempotencyKey_IsHonoredOrRefused(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	const header, private = "Idempotency-Key", `{"visibility":"private","name":"x"}`
	for path, body := range map[string]string{"/rooms/seattle/messages": `{"text":"x"}`, "/rooms": private} {
		first := a.want(t, 201, "POST", path, body, header, `"`+freshID+`"`)
		again := a.want(t, 200, "POST", path, body, header, freshID)
		if again.body["id"] != first.body["id"] || again.header.Get("Idempotent-Replay") != "true" {
			t.Errorf("%s: a retry answers %s after %s", path, again.text, first.text)
		}
		checkProblem(t, path, a.want(t, 422, "POST", path, body, header, "retry-1"))
	}
	other := strings.Replace(freshID, "7000", "7001", 1)
	if other == freshID {
		other = freshID[:len(freshID)-1] + "9"
	}
	a.want(t, 422, "POST", "/rooms/seattle/messages", `{"text":"x","id":"`+freshID+`"}`, header, other)
	a.want(t, 200, "POST", "/rooms/seattle/messages", `{"text":"x","id":"`+freshID+`"}`, header, freshID)
	got := a.want(t, 400, "POST", "/rooms/seattle/invites", "{}", header, freshID)
	if checkProblem(t, "a POST without keys", got); !strings.Contains(got.text, `"location":"Idempotency-Key"`) {
		t.Errorf("the refusal does not name the header: %s", got.text)
	}
	a.want(t, 200, "PATCH", "/rooms/seattle", `{"topic":"x"}`, header, "as other methods need none")
}

// TestVersion_IsAnsweredAndChecked asks for versions that there are and are not.
func TestVersion_IsAnsweredAndChecked(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for asked, want := range map[string]int{"": 200, "1": 200, "1.0": 200, config.Version: 400, "1.7.3": 200, "2": 400, "x": 400} {
		got := a.want(t, want, "GET", "/people/me", "", "Parley-Version", asked)
		if got.header.Get("Parley-Version") != config.APIVersion {
			t.Errorf("asked for %q: the answer is of version %q", asked, got.header.Get("Parley-Version"))
		}
	}
}

// TestHead_IsGetWithoutABody compares the two.
func TestHead_IsGetWithoutABody(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	for _, path := range []string{"/rooms/seattle", "/rooms/seattle/messages", "/people/me", "/openapi.json", "/rooms/none", "/search?q=x", "/rooms/seattle/search?q=x", "/search"} {
		get := a.do(t, "GET", path, "")
		head := a.do(t, "HEAD", path, "")
		if head.status != get.status || head.header.Get("Content-Type") != get.header.Get("Content-Type") || head.header.Get("ETag") != get.header.Get("ETag") {
			t.Errorf("%s: HEAD %d %v, GET %d %v", path, head.status, head.header, get.status, get.header)
		}
	}
}

// TestUnrouted_NamesTheMethods asks with methods that a path does not have.
func TestUnrouted_NamesTheMethods(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for path, want := range map[string]string{
		"/rooms/seattle":                      "DELETE, GET, HEAD, PATCH, PUT",
		"/rooms/seattle/messages":             "GET, HEAD, POST",
		"/people/me":                          "DELETE, GET, HEAD, PATCH, PUT", // DELETE is of /people/{user}
		"/docs":                               "GET, HEAD",
		"/problems/conflict":                  "GET, HEAD",
		"/rooms/seattle/documents/a/parts/b":  "GET, HEAD, PUT",
		"/rooms/seattle/messages/x/reactions": "GET, HEAD",
	} {
		method := "POST"
		if strings.Contains(want, "POST") {
			method = "DELETE"
		}
		got := a.want(t, 405, method, path, "")
		if checkProblem(t, path, got); got.header.Get("Allow") != want {
			t.Errorf("%s allows %q, want %q", path, got.header.Get("Allow"), want)
		}
	}
	checkProblem(t, "an unknown path", a.want(t, 404, "POST", "/nowhere", ""))
}
