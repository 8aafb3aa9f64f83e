package httpapi_test

import (
	"slices"
	"strings"
	"testing"
)

// desk is a service that acts as itself.
const desk = "desk"

// itself are the headers of the service desk, as itself.
func itself() []string { return []string{userHeader, desk, serviceHeader, "yes"} }

// serviceRoom creates a room made by room, private, and gives it to a service. With own messages,
// the service has posted one.
func (m *matrix) serviceRoom(t *testing.T, own bool) place {
	t.Helper()
	p := m.room(t, true, own)
	m.want(t, 200, "PUT", "/rooms/"+p.room+"/owner", `{"user":"desk"}`, via("owner")...)
	p.own[desk] = p.message
	if own {
		p.own[desk] = m.want(t, 201, "POST", "/rooms/"+p.room+"/messages", `{"text":"x","poll":{"options":["a","b"]}}`, itself()...).body["id"].(string)
	}
	return p
}

// TestPutRoom_ServiceChoosesThePrivateID creates a private room with a chosen id. Only the service
// that owns it learns more than that the id is taken, and people learn not even that.
func TestPutRoom_ServiceChoosesThePrivateID(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const private = `{"visibility":"private","name":"Ticket 1"}`
	a.want(t, 422, "PUT", "/rooms/ticket-1", private, itself()...)
	a.want(t, 422, "PUT", "/rooms/p-ticket-1", `{"visibility":"public"}`, itself()...)
	made := a.want(t, 201, "PUT", "/rooms/p-ticket-1", private, itself()...)
	if made.body["visibility"] != "private" || made.body["service"] != desk || made.body["me"] != nil {
		t.Errorf("the room is %s", made.text)
	}
	if again := a.want(t, 200, "PUT", "/rooms/p-ticket-1", private, itself()...); again.text != made.text {
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
	members := a.want(t, 200, "GET", "/rooms/p-ticket-1/members", "", itself()...)
	if list := members.text; strings.Contains(list, desk) {
		t.Errorf("the members are %s", list)
	}
	a.want(t, 201, "PUT", "/rooms/p-ticket-1/members/ann", `{"role":"member"}`, itself()...)
	a.want(t, 201, "POST", "/rooms/p-ticket-1/messages", `{"text":"hello"}`, itself()...)
	if seen := a.want(t, 200, "GET", "/rooms/p-ticket-1", "", userHeader, "ann"); seen.body["service"] != desk {
		t.Errorf("a member sees %s", seen.text)
	}
	want := []string{"desk via <nil> member.role", "desk via <nil> room.created"}
	if got := auditOf(t, a, "p-ticket-1", desk, serviceHeader, "yes"); !slices.Equal(got, want) {
		t.Errorf("the audit is %q", got)
	}
}
