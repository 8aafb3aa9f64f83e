package httpapi_test

import (
	"strings"
	"testing"
)

// TestPutPreferences_OnTheWire sets preferences, which only the person and a service that acts
// for them see. Only their sum leaves out muted rooms.
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
	if got := a.want(t, 200, "PUT", "/people/me/rooms/seattle", both, userHeader, "bob"); got.text != strings.TrimSuffix(both, "}")+`,"level":"mentions"}` {
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
		{"/people/bob/rooms", service, hidden},
		{"/people/me/rooms", []string{userHeader, "owner"}, hidden},
		{"/rooms?place=USA", []string{userHeader, "owner"}, `"archived":true,"createdBy"`},
	} {
		if got := a.want(t, 200, "GET", tt.path, "", tt.headers...); !strings.Contains(got.text, tt.want) {
			t.Errorf("%s for %v: %s, want %s", tt.path, tt.headers, got.text, tt.want)
		}
	}
	hour := `{"favorite":false,"muted":true,"level":"none","levelUntil":"2018-08-29T13:00:00.000Z"}`
	if got := a.want(t, 200, "PUT", "/people/me/rooms/seattle", `{"level":"none","levelUntil":"2018-08-29T14:00:00+01:00"}`, userHeader, "bob"); got.text != hour {
		t.Errorf("for an hour: %s", got.text)
	}
	for _, body := range []string{
		`{"favorite":"yes"}`, `{"muted":null}`, `{"loud":true}`, `{"level":"some"}`, `{"levelUntil":"2018-08-29T13:00:00Z"}`,
		`{"level":"all","levelUntil":"2018-08-29T12:00:00Z"}`, `{"level":"all","levelUntil":"tomorrow"}`,
	} {
		a.want(t, 422, "PUT", "/people/me/rooms/seattle", body, userHeader, "bob")
	}
}

// TestPatchNotifications_OnTheWire changes one setting after another. Nobody else sees them.
func TestPatchNotifications_OnTheWire(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	path := "/people/me/notifications"
	none := `{"level":"direct","mentionsAlways":false,"show":"text"}`
	if got := a.want(t, 200, "GET", path, "").text; got != none {
		t.Errorf("none: %s", got)
	}
	for _, step := range []struct{ body, want string }{
		{`{}`, none},
		{`{"level":"mentions","show":"sender"}`, `{"level":"mentions","mentionsAlways":false,"show":"sender"}`},
		{`{"mentionsAlways":true,"pausedUntil":"2018-08-29T13:00:00Z"}`, `{"level":"mentions","pausedUntil":"2018-08-29T13:00:00.000Z","mentionsAlways":true,"show":"sender"}`},
		{
			`{"quiet":{"zone":"Europe/Berlin","from":"22:30","to":"07:00","days":[7,1]},"mentionsAlways":false}`,
			`{"level":"mentions","pausedUntil":"2018-08-29T13:00:00.000Z","quiet":{"zone":"Europe/Berlin","from":"22:30","to":"07:00","days":[1,7]},"mentionsAlways":false,"show":"sender"}`,
		},
		{
			`{"quiet":{"zone":"UTC","from":"00:00","to":"00:00"},"show":"text"}`,
			`{"level":"mentions","pausedUntil":"2018-08-29T13:00:00.000Z","quiet":{"zone":"UTC","from":"00:00","to":"00:00","days":[1,2,3,4,5,6,7]},"mentionsAlways":false,"show":"text"}`,
		},
		{`{"quiet":{},"level":"all"}`, `{"level":"all","pausedUntil":"2018-08-29T13:00:00.000Z","mentionsAlways":false,"show":"text"}`},
	} {
		for _, method := range []string{"PATCH", "GET"} {
			body := step.body
			if method == "GET" {
				body = ""
			}
			if got := a.want(t, 200, method, path, body).text; got != step.want {
				t.Errorf("%s after %s: %s, want %s", method, step.body, got, step.want)
			}
		}
	}
	for body, field := range map[string]string{
		`{"level":"loud"}`: "level", `{"show":"all"}`: "show", `{"pausedUntil":"soon"}`: "pausedUntil",
		`{"quiet":{"zone":"Europe/Berlin"}}`:                                               "quiet.from",
		`{"quiet":{"zone":"Mars","from":"22:00","to":"07:00"}}`:                            "quiet.zone",
		`{"quiet":{"zone":"UTC","from":"24:00","to":"07:00"}}`:                             "quiet.from",
		`{"quiet":{"zone":"UTC","from":"22:00","to":"7"}}`:                                 "quiet.to",
		`{"quiet":{"zone":"UTC","from":"22:00","to":"07:00","days":[0]}}`:                  "quiet.days[0]",
		`{"quiet":{"zone":"UTC","from":"22:00","to":"07:00","days":[]}}`:                   "quiet.days",
		`{"quiet":{"zone":"UTC","from":"22:00","to":"07:00","days":[3,3]}}`:                "quiet.days",
		`{"quiet":{"from":"22:00","to":"07:00"}}`:                                          "quiet.zone",
		`{"quiet":{"zone":"` + strings.Repeat("x", 65) + `","from":"22:00","to":"07:00"}}`: "quiet.zone",
	} {
		if got := a.want(t, 422, "PATCH", path, body).text; !strings.Contains(got, `body.`+field) && !strings.Contains(got, field+`"`) {
			t.Errorf("%s: %s, want the field %s", body, got, field)
		}
	}
	if got := a.want(t, 200, "GET", path, "", userHeader, "eve").text; got != none {
		t.Errorf("eve's: %s", got)
	}
}
