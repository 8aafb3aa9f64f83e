package httpapi_test

import (
	"strings"
	"testing"
)

// TestPutPreferences_OnTheWire sets preferences, which only the person and a service that acts for
// them see. The sum leaves out muted rooms for them alone.
func TestPutPreferences_OnTheWire(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", `{"place":["USA"]}`, userHeader, "owner")
	a.giveRole(t, "/rooms/seattle", "bob", "member", 201)
	a.want(t, 200, "PUT", "/rooms/seattle", `{"place":["USA"],"archived":true}`, userHeader, "owner")
	const (
		both, favorite = `{"favorite":true,"muted":true}`, `{"favorite":true,"muted":false}`
		shown          = `"archived":true,"favorite":true,"role":"member"`
		hidden         = `"archived":true,"role":`
	)
	if got := a.want(t, 200, "PUT", "/people/me/rooms/seattle", both, userHeader, "bob"); got.text != both {
		t.Errorf("set: %s", got.text)
	}
	if got := a.want(t, 200, "PUT", "/people/bob/rooms/seattle", `{"favorite":true}`, via("bob")...); got.text != favorite {
		t.Errorf("replaced by a service: %s", got.text)
	}
	for _, tt := range []struct {
		path    string
		headers []string
		want    string
	}{
		{"/people/me/rooms", []string{userHeader, "bob"}, shown},
		{"/people/bob/rooms", via("bob"), shown},
		{"/people/bob/rooms", itself(), hidden},
		{"/people/me/rooms", []string{userHeader, "owner"}, hidden},
		{"/rooms?place=USA", []string{userHeader, "owner"}, `"archived":true,"createdBy"`},
	} {
		if got := a.want(t, 200, "GET", tt.path, "", tt.headers...); !strings.Contains(got.text, tt.want) {
			t.Errorf("%s for %v: %s, want %s", tt.path, tt.headers, got.text, tt.want)
		}
	}
	for _, body := range []string{`{"favorite":"yes"}`, `{"muted":null}`, `{"loud":true}`} {
		a.want(t, 422, "PUT", "/people/me/rooms/seattle", body, userHeader, "bob")
	}
}
