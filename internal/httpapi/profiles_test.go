package httpapi_test

import (
	"strings"
	"testing"
	"time"
)

// TestGetPerson_OneselfBeforeSavingAProfile reads the name from the token as long as there is no
// profile. Others do not see it.
func TestGetPerson_OneselfBeforeSavingAProfile(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for claim, want := range map[string]string{
		"": "amsg", "Amsel Gruber": "Amsel Gruber", " Amsel": "amsg", "a\xff": "amsg", "\u200b": "amsg", strings.Repeat("n", 101): "amsg",
	} {
		for _, path := range []string{"/people/me", "/people/amsg"} {
			if got := a.want(t, 200, "GET", path, "", nameHeader, claim); got.text != `{"user":"amsg","name":"`+want+`"}` {
				t.Errorf("%s with the claim %q is %s", path, claim, got.text)
			}
		}
	}
	a.want(t, 404, "GET", "/people/amsg", "", userHeader, "bob", nameHeader, "Bob")
	a.want(t, 201, "PUT", "/people/me", `{"name":"A."}`, nameHeader, "Amsel Gruber")
	if got := a.want(t, 200, "GET", "/people/me", "", nameHeader, "Amsel Gruber"); got.text != `{"user":"amsg","name":"A."}` {
		t.Errorf("after saving a profile: %s", got.text)
	}
}

func TestListPeople_ByTheirIDs(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	putEmployees(t, a)
	a.want(t, 200, "PUT", "/people/me", `{"name":"Davy Ivens","avatar":"https://example.com/d.png","status":{"emoji":"🌴","until":"2018-08-29T12:00:01Z"}}`, userHeader, "e146")
	const want = `{"people":[{"user":"nobody","name":"nobody"},` +
		`{"user":"e146","name":"Davy Ivens","avatar":"https://example.com/d.png","status":{"emoji":"🌴","until":"2018-08-29T12:00:01.000Z"}},` +
		`{"user":"e129","name":"Rhianna Cohen"}]}`
	for _, ids := range []string{"ids=nobody,e146,e129,e146", "ids=nobody&ids=e146&ids=e129,e146"} {
		if got := a.want(t, 200, "GET", "/people?"+ids, ""); got.text != want {
			t.Errorf("%s: three people are %s, want %s", ids, got.text, want)
		}
	}
}

func TestPutPerson_Status(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, tt := range []struct{ body, want string }{
		{`,"status":{"text":"on holiday","emoji":"🌴"}`, `,"status":{"text":"on holiday","emoji":"🌴"}`},
		{``, `,"status":{"text":"on holiday","emoji":"🌴"}`},
		{`,"status":{"emoji":"👩🏽\u200d🚀"}`, `,"status":{"emoji":"👩🏽‍🚀"}`},
		{`,"status":{"emoji":"1\ufe0f\u20e3","until":"2018-08-30T00:00:00+02:00"}`, `,"status":{"emoji":"1️⃣","until":"2018-08-29T22:00:00.000Z"}`},
		{`,"status":{}`, ``},
		{`,"status":{"text":"just over","until":"` + start.Format(time.RFC3339) + `"}`, ``},
		{`,"status":{"text":"` + strings.Repeat("x", 100) + `","emoji":"` + strings.Repeat("☃", 13) + `"}`, `,"status":{"text":"` + strings.Repeat("x", 100) + `","emoji":"` + strings.Repeat("☃", 13) + `"}`},
	} {
		put := a.do(t, "PUT", "/people/me", `{"name":"A"`+tt.body+`}`)
		want := `{"user":"amsg","name":"A"` + tt.want + `}`
		got := a.want(t, 200, "GET", "/people/amsg", "", userHeader, "bob")
		if put.status >= 300 || put.text != want || got.text != want {
			t.Errorf("%s answers %d %s and reads %s, want %s", tt.body, put.status, put.text, got.text, want)
		}
	}
}

// TestListMembers_ShowsCurrentNames changes a name after joining. The order stays that of the names
// at joining.
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
	for _, m := range got.body["members"].([]any) {
		names = append(names, m.(map[string]any)["name"].(string))
	}
	if strings.Join(names, ", ") != "Zoe, Bob B." {
		t.Errorf("the members are %s, want Zoe and Bob B.", names)
	}
}
