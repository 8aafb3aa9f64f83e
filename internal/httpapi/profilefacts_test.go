package httpapi_test

import (
	"strings"
	"testing"

	"example.com/parley/internal/app"
)

// TestPatchPerson_FactsAreOfServices lets only services change the facts of profiles. People try each
// fact of their own profile, and change their status and avatar.
func TestPatchPerson_FactsAreOfServices(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(o *app.Options) { o.ProfilesByServices = true })
	a.want(t, 201, "PUT", "/people/bob", `{"name":"Bob","title":"Agent","metadata":{"team":1}}`, service...)
	const status = `"status":{"text":"away"}`
	for _, tt := range []struct {
		user, method, body string
		status             int
		field              string
	}{
		{"bob", "PATCH", `{"name":"Boss"}`, 403, "name"},
		{"bob", "PATCH", `{"title":"Boss"}`, 403, "title"},
		{"bob", "PATCH", `{"title":""}`, 403, "title"},
		{"bob", "PATCH", `{"state":"CA"}`, 403, "state"},
		{"bob", "PATCH", `{"hired":"1995-07-01"}`, 403, "hired"},
		{"bob", "PATCH", `{"metadata":{"team":2}}`, 403, "metadata"},
		{"bob", "PATCH", `{"kind":"bot"}`, 403, "kind"},
		{"bob", "PATCH", `{"name":"Boss",` + status + `}`, 403, "name"},
		{"bob", "PUT", `{"name":"Bob"}`, 403, "title"},
		{"bob", "PATCH", `{"name":"Bob",` + status + `,"avatar":"https://example.com/b.png"}`, 200, ""},
		{"bob", "PUT", `{"name":"Bob","title":"Agent","metadata":{"team":1}}`, 200, ""},
		{"eve", "PATCH", `{"name":"Bob"}`, 403, "name"},
		{"eve", "PUT", `{"name":"Bob"}`, 403, "name"},
		{"eve", "PATCH", `{` + status + `}`, 200, ""},
	} {
		got := a.want(t, tt.status, tt.method, "/people/me", tt.body, userHeader, tt.user)
		if tt.field != "" && (!strings.Contains(got.text, `"location":"`) || !strings.Contains(got.text, tt.field) || !strings.Contains(got.text, "only services change")) {
			t.Errorf("%s %s: %s", tt.method, tt.body, got.text)
		}
	}
	if got := a.want(t, 200, "GET", "/people/me", "", userHeader, "bob"); got.body["title"] != "Agent" || got.body["name"] != "Bob" || got.body["previousTitles"] != nil {
		t.Errorf("bob is %s", got.text)
	}
	if got := a.want(t, 200, "GET", "/people/me", "", userHeader, "eve"); got.body["name"] != "eve" {
		t.Errorf("eve is %s", got.text)
	}
	a.bulk(t, "/bulk/people", `{"items":[{"user":"bob","name":"Robert"}]}`, "200")
	a.want(t, 200, "PATCH", "/people/me", `{"title":"Boss"}`, append(service[:len(service):len(service)], "Parley-Act-As", "bob")...)
}
