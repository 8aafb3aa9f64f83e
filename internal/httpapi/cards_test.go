package httpapi_test

import (
	"strings"
	"testing"
)

// TestPeopleQuery_AddsThePeopleOfAnAnswer lists a room in which one person has a profile, another
// has none, and a third occurs only because they deleted a message.
func TestPeopleQuery_AddsThePeopleOfAnAnswer(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/people/me", `{"name":"Olga","avatar":"https://example.com/olga.png","status":{"emoji":"🌴"}}`, userHeader, "owner")
	a.want(t, 201, "PUT", "/rooms/seattle", `{"place":["USA"]}`, userHeader, "owner")
	const olga, amsg, mod = `"owner":{"name":"Olga","skeleton":"olga","avatar":"https://example.com/olga.png","status":{"emoji":"🌴"}}`, `"amsg":{"name":"amsg","skeleton":"arnsg"}`, `"mod":{"name":"Maud","skeleton":"rnaud"}`
	a.want(t, 201, "PUT", "/people/me", `{"name":"Maud"}`, userHeader, "mod")
	a.giveRole(t, "/rooms/seattle", "mod", "moderator", 201)
	sent := a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"x"}`).header.Get("Location")
	a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"y"}`)
	a.want(t, 200, "DELETE", sent, "", userHeader, "mod", "If-Match", "*")
	for _, tt := range []struct{ path, want string }{
		{"/rooms/seattle/messages", amsg + "," + mod},
		{"/rooms/seattle/members", mod + "," + olga},
		{"/rooms/seattle", olga},
		{"/rooms?place=USA", olga},
		{"/rooms?place=Nowhere", ""},
		{"/rooms/seattle/changes", ""}, // nothing has been appended to the feed
	} {
		mark := "?"
		if strings.Contains(tt.path, mark) {
			mark = "&"
		}
		if got := a.want(t, 200, "GET", tt.path+mark+"include=people", ""); !strings.Contains(got.text, `"people":{`+tt.want+`}`) {
			t.Errorf("%s answers %s, want people %s", tt.path, got.text, tt.want)
		}
		if got := a.want(t, 200, "GET", tt.path, ""); got.body["people"] != nil {
			t.Errorf("%s has people that nobody asked for: %s", tt.path, got.text)
		}
		for _, wrong := range []string{"everyone", "people,people", "people,"} {
			checkProblem(t, wrong, a.want(t, 422, "GET", tt.path+mark+"include="+wrong, ""))
		}
	}
	checkProblem(t, "a hidden room", a.want(t, 404, "GET", "/rooms/absent/members?include=people", ""))
}
