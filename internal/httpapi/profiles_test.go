package httpapi_test

import (
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/visual"
)

// TestGetPerson_OneselfBeforeSavingAProfile reads the name from the token as long as there is no
// profile. Others do not see it.
func TestGetPerson_OneselfBeforeSavingAProfile(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for claim, want := range map[string]string{
		"": "amsg", "Amsel Gruber": "Amsel Gruber", " Amsel": "Amsel", "Am\u200bsel": "Amsel", "a\xff": "amsg", "\u200b": "amsg", strings.Repeat("n", 101): "amsg",
	} {
		for _, path := range []string{"/people/me", "/people/amsg"} {
			if got := a.want(t, 200, "GET", path, "", nameHeader, claim); got.text != `{"user":"amsg","name":"`+want+`","skeleton":"`+visual.Skeleton(want)+`","kind":"person"}` {
				t.Errorf("%s with the claim %q is %s", path, claim, got.text)
			}
		}
	}
	a.want(t, 404, "GET", "/people/amsg", "", userHeader, "bob", nameHeader, "Bob")
	a.want(t, 201, "PUT", "/people/me", `{"name":"A."}`, nameHeader, "Amsel Gruber")
	if got := a.want(t, 200, "GET", "/people/me", "", nameHeader, "Amsel Gruber"); got.text != `{"user":"amsg","name":"A.","skeleton":"a.","kind":"person"}` {
		t.Errorf("after saving a profile: %s", got.text)
	}
}

func TestListPeople_ByTheirIDs(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	putEmployees(t, a)
	a.want(t, 200, "PUT", "/people/me", `{"name":"Davy Ivens","avatar":"https://example.com/d.png","status":{"emoji":"🌴","until":"2018-08-29T12:00:01Z"}}`, userHeader, "e146")
	const want = `{"items":[{"user":"nobody","name":"nobody","skeleton":"nobody"},` +
		`{"user":"e146","name":"Davy Ivens","skeleton":"davy lvens","avatar":"https://example.com/d.png","status":{"emoji":"🌴","until":"2018-08-29T12:00:01.000Z"}},` +
		`{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen"}]}`
	for _, ids := range []string{"ids=nobody,e146,e129,e146", "ids=nobody&ids=e146&ids=e129,e146"} {
		if got := a.want(t, 200, "GET", "/people?"+ids, ""); got.text != want {
			t.Errorf("%s: three people are %s, want %s", ids, got.text, want)
		}
	}
}

func TestPutPerson_Status(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/people/me", `{"name":"A"}`)
	for _, tt := range []struct{ body, want string }{
		{`,"status":{"text":"on holiday","emoji":"🌴"}`, `,"status":{"text":"on holiday","emoji":"🌴"}`},
		{``, `,"status":{"text":"on holiday","emoji":"🌴"}`},
		{`,"status":{"emoji":"👩🏽\u200d🚀"}`, `,"status":{"emoji":"👩🏽‍🚀"}`},
		{`,"status":{"emoji":"1\ufe0f\u20e3","until":"2018-08-30T00:00:00+02:00"}`, `,"status":{"emoji":"1️⃣","until":"2018-08-29T22:00:00.000Z"}`},
		{`,"status":{}`, ``},
		{`,"status":{"text":"just over","until":"` + start.Format(time.RFC3339) + `"}`, ``},
		{`,"status":{"text":"` + strings.Repeat("x", 100) + `","emoji":"` + strings.Repeat("☃", 13) + `"}`, `,"status":{"text":"` + strings.Repeat("x", 100) + `","emoji":"` + strings.Repeat("☃", 13) + `"}`},
	} {
		put := a.do(t, "PATCH", "/people/me", `{"name":"A"`+tt.body+`}`)
		want := `{"user":"amsg","name":"A","skeleton":"a","kind":"person"` + tt.want + `}`
		got := a.want(t, 200, "GET", "/people/amsg", "", userHeader, "bob")
		if put.status >= 300 || put.text != want || got.text != want {
			t.Errorf("%s answers %d %s and reads %s, want %s", tt.body, put.status, put.text, got.text, want)
		}
	}
}

// TestListMembers_ShowsCurrentNames changes a name after joining. The order remains the order of
// the names at joining.
func TestListMembers_ShowsCurrentNames(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/people/me", `{"name":"Ann"}`, userHeader, "ann")
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "ann")
	a.want(t, 201, "PUT", "/rooms/seattle/members/me", `{"role":"member"}`, userHeader, "bob")
	a.want(t, 200, "PUT", "/people/me", `{"name":"Zoe"}`, userHeader, "ann")
	a.want(t, 201, "PUT", "/people/me", `{"name":"Bob B."}`, userHeader, "bob")
	got := a.want(t, 200, "GET", "/rooms/seattle/members", "")
	var names []string
	for _, m := range got.body["items"].([]any) {
		names = append(names, m.(map[string]any)["name"].(string))
	}
	if strings.Join(names, ", ") != "Zoe, Bob B." {
		t.Errorf("the members are %s, want Zoe and Bob B.", names)
	}
}

func TestPutPerson_MetadataIsReturnedAsGiven(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/people/me", `{"name":"A"}`)
	for _, tt := range []struct{ body, want string }{
		{`,"metadata":` + givenMetadata, `,"metadata":` + storedMetadata},
		{``, `,"metadata":` + storedMetadata},
		{`,"metadata":{}`, `,"metadata":{}`},
	} {
		put := a.do(t, "PATCH", "/people/me", `{"name":"A"`+tt.body+`}`)
		got := a.want(t, 200, "GET", "/people/amsg", "", userHeader, "bob")
		want := `{"user":"amsg","name":"A","skeleton":"a","kind":"person"` + tt.want + `}`
		if put.status >= 300 || put.text != want || got.text != want {
			t.Errorf("%s answers %d %s and reads %s, want %s", tt.body, put.status, put.text, got.text, want)
		}
	}
	for _, wrong := range []string{`[]`, `1`, `"{}"`, `{"a":"` + strings.Repeat("x", chat.MaxMetadata) + `"}`} {
		got := a.want(t, 422, "PUT", "/people/me", `{"name":"A","metadata":`+wrong+`}`)
		checkProblem(t, wrong, got)
		if !strings.Contains(got.text, `"location":"metadata`) {
			t.Errorf("the fault is not at the metadata: %s", got.text)
		}
	}
}

// TestPutPerson_KindIsChangedByServices makes a bot, and shows it wherever people are shown.
func TestPutPerson_KindIsChangedByServices(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	desk := []string{userHeader, "desk", serviceHeader, "yes"}
	checkProblem(t, "a person as a bot", a.want(t, 403, "PUT", "/people/me", `{"name":"A","kind":"bot"}`))
	a.want(t, 201, "PUT", "/people/me", `{"name":"A","kind":"person"}`)
	checkProblem(t, "a bot of no kind", a.want(t, 422, "PUT", "/people/me", `{"name":"A","kind":"robot"}`, desk...))
	a.want(t, 201, "PUT", "/people/me", `{"name":"Desk","kind":"bot"}`, desk...)
	a.want(t, 200, "PUT", "/people/me", `{"name":"Desk 2"}`, userHeader, "desk")
	a.want(t, 200, "PUT", "/people/me", `{"name":"Desk 2","kind":"bot"}`, userHeader, "desk")
	a.want(t, 403, "PUT", "/people/me", `{"name":"Desk 2","kind":"person"}`, userHeader, "desk")
	a.want(t, 201, "PUT", "/people/me", `{"name":"Helper","kind":"bot"}`, append(desk, "Parley-Act-As", "helper")...)
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "helper")
	for path, want := range map[string]string{
		"/people/desk":                          `{"user":"desk","name":"Desk 2","skeleton":"desk 2","kind":"bot"}`,
		"/people/helper":                        `{"user":"helper","name":"Helper","skeleton":"helper","kind":"bot"}`,
		"/people?ids=amsg,desk":                 `{"user":"amsg","name":"A","skeleton":"a"},{"user":"desk","name":"Desk 2","skeleton":"desk 2","kind":"bot"}`,
		"/rooms/seattle?include=people":         `"people":{"helper":{"name":"Helper","skeleton":"helper","kind":"bot"}}`,
		"/rooms/seattle/members?include=people": `"people":{"helper":{"name":"Helper","skeleton":"helper","kind":"bot"}}`,
	} {
		if got := a.want(t, 200, "GET", path, ""); !strings.Contains(got.text, want) {
			t.Errorf("%s shows %s, want %s", path, got.text, want)
		}
	}
	a.want(t, 200, "PUT", "/people/me", `{"name":"Helper","kind":"person"}`, append(desk, "Parley-Act-As", "helper")...)
	if got := a.want(t, 200, "GET", "/people/helper", ""); got.text != `{"user":"helper","name":"Helper","skeleton":"helper","kind":"person"}` {
		t.Errorf("after the change back: %s", got.text)
	}
}

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
