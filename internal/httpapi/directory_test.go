package httpapi_test

import (
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/people"
)

// TestListPeople_DirectoryForServices lets services search, but nobody for whom a service acts. A
// refusal does not depend on who exists.
func TestListPeople_DirectoryForServices(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(o *app.Options) { o.Directory = people.ForServices })
	putEmployees(t, a)
	const found = `{"items":[{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen"}]}`
	if got := a.want(t, 200, "GET", "/people?name=rhi", "", serviceHeader, "yes"); got.text != found {
		t.Errorf("a service finds %s", got.text)
	}
	refused := a.want(t, 403, "GET", "/people?name=rhi", "")
	checkProblem(t, "a user", refused)
	for path, headers := range map[string][]string{
		"/people?name=nobody":      nil,
		"/people?state=CA":         nil,
		"/people?had_title=Nobody": nil,
		"/people?name=rhi&limit=1": {serviceHeader, "yes", "Parley-Act-As", "bob"},
	} {
		if got := a.want(t, 403, "GET", path, "", headers...); got.text != refused.text {
			t.Errorf("%s answers %s, not %s", path, got.text, refused.text)
		}
	}
	checkProblem(t, "a service by state", a.want(t, 403, "GET", "/people?state=CA", "", serviceHeader, "yes"))
	if got := a.want(t, 200, "GET", "/people?ids=e129", ""); got.text != found {
		t.Errorf("by id: %s", got.text)
	}
	if got := a.want(t, 200, "GET", "/people/e146", ""); got.text != `{"user":"e146","name":"Davy Ivens","skeleton":"davy lvens","kind":"person"}` {
		t.Errorf("another person is %s", got.text)
	}
	if got := a.want(t, 200, "GET", "/people/me", "", userHeader, "e146"); got.body["title"] != "Desktop Support" {
		t.Errorf("oneself is %s", got.text)
	}
}
