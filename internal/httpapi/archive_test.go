package httpapi_test

import (
	"fmt"
	"testing"
)

// TestOperations_ArchivedRoomRefusesChanges makes every request of the matrix that changes a room,
// as an owner of an archived room. A new operation that an archived room must accept needs an
// entry here.
func TestOperations_ArchivedRoomRefusesChanges(t *testing.T) {
	t.Parallel()
	other := map[string]int{
		"PUT /rooms/{room}, archive":                 200, // it is archived already
		"DELETE /rooms/{room}":                       204,
		"PUT /rooms/{room}/read":                     200,
		"PUT /rooms/{room}/read, a message":          200,
		"PUT /rooms/{room}/read, unread from":        200,
		"PUT /rooms/{room}/messages/{id}/read":       200, // these three are the caller's own
		"PUT /rooms/{room}/messages/{id}/follow":     204,
		"DELETE /rooms/{room}/messages/{id}/follow":  204,
		"PUT /people/{user}/rooms/{room}":            200,
		"PUT /people/me/saved/{room}/{id}":           204, // nor are these of the room
		"DELETE /people/me/saved/{room}/{id}":        204,
		"DELETE /rooms/{room}/members/{user}, leave": 409, // the only owner
	}
	m := newMatrix(t)
	for _, r := range roomRows() {
		if !r.changesRoom() {
			continue
		}
		in := m.intactRoom(fmt.Sprint("archived ", r.own), func() place {
			in := m.room(t, false, r.own)
			m.want(t, 200, "PUT", "/rooms/"+in.room, `{"archived":true}`, userHeader, "owner")
			return in
		})
		want, ok := other[r.String()]
		if !ok {
			want = 403
		}
		if got := m.ask(t, r, in, "owner"); got.status != want {
			t.Errorf("%s in an archived room: %d %s, want %d", r, got.status, got.text, want)
		}
	}
	in := m.room(t, false, false)
	m.want(t, 200, "PUT", "/rooms/"+in.room, `{"archived":true}`, userHeader, "owner")
	m.want(t, 204, "DELETE", "/rooms/"+in.room+"/members/me", "", userHeader, "moderator")
	if got := m.want(t, 200, "PUT", "/rooms/"+in.room, `{"archived":false}`, userHeader, "owner"); got.body["archived"] != false {
		t.Errorf("the unarchived room is %s", got.text)
	}
}
