package httpapi_test

import (
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/people"
)

// service are the headers of a service that acts for nobody.
var service = []string{userHeader, "desk", serviceHeader, "yes"}

// TestPutPersonByID_SetsAnybodysProfile sets and reads profiles as a service, where the directory
// hides titles from people.
func TestPutPersonByID_SetsAnybodysProfile(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(o *app.Options) { o.Directory = people.ForServices })
	a.want(t, 404, "GET", "/people/e129", "", service...)
	a.want(t, 201, "PUT", "/people/e129", `{"name":"Rhianna Cohen","title":"Architect","kind":"bot"}`, service...)
	a.want(t, 200, "PUT", "/people/e129", `{"name":"Rhianna Cohen","title":"Director","kind":"bot"}`, service...)
	const whole = `{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen","kind":"bot","title":"Director","previousTitles":["Architect"]}`
	for who, headers := range map[string][]string{"the service": service, "the person": {userHeader, "e129"}} {
		if got := a.want(t, 200, "GET", "/people/e129", "", headers...); got.text != whole {
			t.Errorf("%s reads %s, want %s", who, got.text, whole)
		}
	}
	for who, headers := range map[string][]string{"another person": {userHeader, "e146"}, "a service for another": via("e146")} {
		if got := a.want(t, 200, "GET", "/people/e129", "", headers...); got.body["title"] != nil {
			t.Errorf("%s reads %s", who, got.text)
		}
		a.want(t, 403, "PUT", "/people/e129", `{"name":"Mine"}`, headers...)
	}
	a.want(t, 422, "PUT", "/people/e129", `{"name":"Rhianna","hired":"1995-02-30"}`, service...)
}

// TestListRoomsOf_ServiceSeesThemAsThePerson lists a person's rooms, also a private one, and not a
// room that banned them.
func TestListRoomsOf_ServiceSeesThemAsThePerson(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	private := a.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`, userHeader, "owner").body["id"].(string)
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "owner")
	a.giveRole(t, "/rooms/"+private, "bob", "member", 201)
	a.giveRole(t, "/rooms/seattle", "bob", "banned", 201)
	own := a.want(t, 200, "GET", "/people/me/rooms", "", userHeader, "bob")
	if got := a.want(t, 200, "GET", "/people/bob/rooms", "", service...); got.text != own.text || len(own.body["items"].([]any)) != 1 {
		t.Errorf("the service lists %s, the person %s", got.text, own.text)
	}
	for who, headers := range map[string][]string{"another person": {userHeader, "owner"}, "a service for another": via("owner")} {
		if got := a.do(t, "GET", "/people/bob/rooms", "", headers...); got.status != 403 {
			t.Errorf("%s: %d %s", who, got.status, got.text)
		}
	}
}

// TestPutMember_Strict refuses a misspelt user id, and adds a person with a profile.
func TestPutMember_Strict(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "owner")
	a.want(t, 201, "PUT", "/people/bob", `{"name":"Bob"}`, service...)
	const body = `{"role":"member"}`
	got := a.want(t, 422, "PUT", "/rooms/seattle/members/b0b?strict=true", body, userHeader, "owner")
	if fault := got.body["errors"].([]any)[0].(map[string]any); fault["location"] != "user" {
		t.Errorf("the fault is %v", fault)
	}
	a.want(t, 404, "GET", "/rooms/seattle/members/b0b", "", userHeader, "owner")
	a.want(t, 201, "PUT", "/rooms/seattle/members/bob?strict=true", body, userHeader, "owner")
	a.want(t, 201, "PUT", "/rooms/seattle/members/b0b", body, userHeader, "owner")
}

// TestPutMember_ServiceAddsTwice repeats a request of a service without a role in the room.
func TestPutMember_ServiceAddsTwice(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "owner")
	for _, status := range []int{201, 200} {
		a.want(t, status, "PUT", "/rooms/seattle/members/bob", `{"role":"member"}`, service...)
	}
	a.giveRole(t, "/rooms/seattle", "bob", "moderator", 200)
	a.want(t, 403, "PUT", "/rooms/seattle/members/bob", `{"role":"member"}`, service...)
}
