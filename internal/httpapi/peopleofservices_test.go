package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/people"
)

// desk is a service that acts as itself.
const desk = "desk"

// service are the headers of desk.
var service = []string{userHeader, desk, serviceHeader, "yes"}

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

// serviceRoom creates a room made by room, private, and gives it to a service. With own messages,
// the service has posted one.
func (m *matrix) serviceRoom(t *testing.T, own bool) place {
	t.Helper()
	p := m.room(t, true, own)
	m.want(t, 200, "PUT", "/rooms/"+p.room+"/owner", `{"user":"desk"}`, via("owner")...)
	p.own[desk] = p.message
	if own {
		p.own[desk] = m.want(t, 201, "POST", "/rooms/"+p.room+"/messages", `{"text":"x","poll":{"options":["a","b"]}}`, service...).body["id"].(string)
	}
	return p
}

// TestPutRoom_ServiceChoosesThePrivateID creates a private room with a chosen id. Only the service
// that owns it learns more than that the id is taken, and people learn not even that.
func TestPutRoom_ServiceChoosesThePrivateID(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const private = `{"visibility":"private","name":"Ticket 1"}`
	a.want(t, 422, "PUT", "/rooms/ticket-1", private, service...)
	a.want(t, 422, "PUT", "/rooms/p-ticket-1", `{"visibility":"public"}`, service...)
	made := a.want(t, 201, "PUT", "/rooms/p-ticket-1", private, service...)
	if made.body["visibility"] != "private" || made.body["service"] != desk || made.body["me"] != nil {
		t.Errorf("the room is %s", made.text)
	}
	if again := a.want(t, 200, "PUT", "/rooms/p-ticket-1", private, service...); again.text != made.text {
		t.Errorf("the retry answers %s", again.text)
	}
	a.want(t, 409, "PUT", "/rooms/p-ticket-1", private, userHeader, "other", serviceHeader, "yes")
	a.want(t, 404, "GET", "/rooms/p-ticket-1", "", userHeader, "other", serviceHeader, "yes")
	for _, body := range []string{"", private} {
		for name, headers := range map[string][]string{"a person": {userHeader, "eve"}, "a service for a person": via("eve")} {
			taken, free := a.do(t, "PUT", "/rooms/p-ticket-1", body, headers...), a.do(t, "PUT", "/rooms/p-ticket-2", body, headers...)
			if want := map[string]int{"": 404, private: 403}[body]; taken.status != want || taken.text != free.text {
				t.Errorf("%s about a taken id: %d %s, about a free one: %s", name, taken.status, taken.text, free.text)
			}
		}
	}
	members := a.want(t, 200, "GET", "/rooms/p-ticket-1/members", "", service...)
	if list := members.text; strings.Contains(list, desk) {
		t.Errorf("the members are %s", list)
	}
	a.want(t, 201, "PUT", "/rooms/p-ticket-1/members/ann", `{"role":"member"}`, service...)
	a.want(t, 201, "POST", "/rooms/p-ticket-1/messages", `{"text":"hello"}`, service...)
	if seen := a.want(t, 200, "GET", "/rooms/p-ticket-1", "", userHeader, "ann"); seen.body["service"] != desk {
		t.Errorf("a member sees %s", seen.text)
	}
	want := []string{"desk via <nil> member.role", "desk via <nil> room.created"}
	if got := auditOf(t, a, "p-ticket-1", desk, serviceHeader, "yes"); !slices.Equal(got, want) {
		t.Errorf("the audit is %q", got)
	}
}
