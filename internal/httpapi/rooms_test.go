package httpapi_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestGetRoom_ShowsShardsToOwnersAlone checks all responses about rooms. The number of shards
// shows the expected load of a room, which does not concern its readers.
func TestGetRoom_ShowsShardsToOwnersAlone(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	private := a.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x","shards":3}`, userHeader, "owner")
	public := a.want(t, 201, "PUT", "/rooms/seattle", `{"shards":2}`, userHeader, "owner")
	for _, created := range []answer{private, public} {
		room := "/rooms/" + created.body["id"].(string)
		for _, role := range []string{"moderator", "member", "muted", "owner"} {
			user := role
			if role == "owner" {
				user = "second"
			}
			a.giveRole(t, room, user, role, 201)
		}
		for _, caller := range []string{"owner", "second"} {
			got := a.want(t, 200, "GET", room, "", userHeader, caller)
			if created.body["shards"] == nil || got.body["shards"] != created.body["shards"] {
				t.Errorf("%s reads %s, the room was created as %s", caller, got.text, created.text)
			}
		}
		for _, caller := range []string{"moderator", "member", "muted"} {
			if got := a.want(t, 200, "GET", room, "", userHeader, caller); strings.Contains(got.text, "shards") {
				t.Errorf("a %s reads %s", caller, got.text)
			}
		}
	}
	for _, path := range []string{"/rooms/seattle", "/rooms", "/people/me/rooms"} {
		if got := a.want(t, 200, "GET", path, "", userHeader, "stranger"); strings.Contains(got.text, "shards") {
			t.Errorf("a stranger reads %s at %s", got.text, path)
		}
	}
}

// TestPutRoom_Shards sets the number of shards, and lets it follow the rate.
func TestPutRoom_Shards(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, tt := range []struct {
		status     int
		body, want string
	}{
		{201, `{}`, `"shards":1`},
		{200, `{"shards":4}`, `"shards":4,"shardsPinned":true`},
		{200, `{"shards":0}`, `"shards":4`},
		{422, `{"shards":65}`, "shards"},
		{422, `{"shards":-1}`, "shards"},
		{200, `{"topic":"rain"}`, `"shards":4`},
	} {
		got := a.want(t, tt.status, "PUT", "/rooms/seattle", tt.body, userHeader, "owner")
		pinned := strings.Contains(got.text, "shardsPinned")
		if !strings.Contains(got.text, tt.want) || pinned != strings.Contains(tt.want, "shardsPinned") {
			t.Errorf("%s: %s, want %s", tt.body, got.text, tt.want)
		}
	}
	a.giveRole(t, "/rooms/seattle", "bob", "moderator", 201)
	a.want(t, 403, "PUT", "/rooms/seattle", `{"shards":2}`, userHeader, "bob")
	a.want(t, 409, "PUT", "/rooms/seattle", `{"shards":2}`, userHeader, "stranger")
}

// TestListRoomsOf_OnTheWire compares the names of the fields that clients read.
func TestListRoomsOf_OnTheWire(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", `{"topic":"rain","place":["USA"],"metadata":{"icon":"🌧"}}`)
	for path, want := range map[string]string{
		"/people/me/rooms": `{"items":[{"id":"seattle","name":"seattle","topic":"rain","visibility":"public","kind":"room","metadata":{"icon":"🌧"},"role":"owner",` +
			`"joinedAt":"2018-08-29T12:00:00.000Z","read":0,"unread":0,"mentions":0,"lastActivityAt":"2018-08-29T12:00:00.000Z"}],"unreadTotal":0}`,
		"/rooms": `{"items":[{"id":"seattle","name":"seattle","topic":"rain","kind":"room","place":["USA"],` +
			`"metadata":{"icon":"🌧"},"createdBy":"amsg","createdAt":"2018-08-29T12:00:00.000Z"}]}`,
		"/rooms/seattle/members": `{"items":[{"room":"seattle","user":"amsg","name":"amsg","role":"owner","joinedAt":"2018-08-29T12:00:00.000Z"}]}`,
	} {
		if got := a.want(t, 200, "GET", path, ""); got.text != want {
			t.Errorf("%s: %s, want %s", path, got.text, want)
		}
	}
}

// TestGetRoom_ShowsTheCaller reads a room as people who are in it, and as a person who is not.
func TestGetRoom_ShowsTheCaller(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "owner")
	a.giveRole(t, "/rooms/seattle", "bob", "muted", 201)
	for _, tt := range []struct{ user, query, me, count string }{
		{"owner", "", `"me":{"role":"owner","read":0,"unread":0,"mentions":0}`, ""},
		{"bob", "?include=count", `"me":{"role":"muted","read":0,"unread":0,"mentions":0}`, `"memberCount":2`},
		{"eve", "?include=people&include=count", "", `"memberCount":2`},
		{"eve", "?include=people", "", ""},
	} {
		got := a.want(t, 200, "GET", "/rooms/seattle"+tt.query, "", userHeader, tt.user)
		hasMe, hasCount := strings.Contains(got.text, `"me"`), strings.Contains(got.text, `"memberCount"`)
		if !strings.Contains(got.text, tt.me) || !strings.Contains(got.text, tt.count) || hasMe != (tt.me != "") || hasCount != (tt.count != "") {
			t.Errorf("%s%s: %s", tt.user, tt.query, got.text)
		}
	}
	if got := a.want(t, 422, "GET", "/rooms/seattle?include=all", "", userHeader, "owner"); !strings.Contains(got.text, "include") {
		t.Errorf("an unknown include: %s", got.text)
	}
}

// TestPostRoom_AnswersWithTheRoomsPath: the server chooses the id, so the response contains the
// room's path.
func TestPostRoom_AnswersWithTheRoomsPath(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	created := a.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`, userHeader, "owner")
	got := a.want(t, 200, "GET", created.header.Get("Location"), "", userHeader, "owner")
	if got.body["id"] != created.body["id"] {
		t.Errorf("Location leads to %s, want %s", got.text, created.text)
	}
}

// TestOperations_ArchivedRoomRefusesChanges makes every request of the matrix that changes a room,
// as an owner of an archived room. A new operation that an archived room must accept needs an
// entry here.
func TestOperations_ArchivedRoomRefusesChanges(t *testing.T) {
	t.Parallel()
	other := map[string]int{
		"PUT /rooms/{room}, archive":                 200, // it is archived already
		"DELETE /rooms/{room}":                       204,
		"DELETE /rooms/{room}/incoming/{incoming}":   204, // it ends a right
		"PUT /rooms/{room}/hooks/{hook}":             200, // programs receive what happens in it, too
		"DELETE /rooms/{room}/hooks/{hook}":          204,
		"POST /rooms/{room}/hooks/{hook}/replay":     204,
		"POST /rooms/{room}/hooks/{hook}/test":       204,
		"POST /rooms/{room}/hooks/{hook}/secret":     200,
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

// TestListRoomsOf_AnswersSomeRoomsOrAllHeads asks for some rooms by their ids, and for a page with
// the heads of all.
func TestListRoomsOf_AnswersSomeRoomsOrAllHeads(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, room := range []string{"olympia", "seattle", "tacoma"} {
		a.want(t, 201, "PUT", "/rooms/"+room, "")
	}
	a.want(t, 200, "PUT", "/people/me/rooms/tacoma", `{"favorite":true}`)
	ids := func(entries any) string {
		var all []string
		for _, entry := range entries.([]any) {
			all = append(all, entry.(map[string]any)["id"].(string))
		}
		return strings.Join(all, " ")
	}
	some := a.want(t, 200, "GET", "/people/me/rooms?ids=unknown,olympia&ids=tacoma&include=people", "").body
	if got := ids(some["items"]); got != "tacoma olympia" && got != "olympia tacoma" || some["heads"] != nil || some["next"] != nil {
		t.Errorf("three ids list %s: %v", got, some)
	}
	page := a.want(t, 200, "GET", "/people/me/rooms?limit=1&include=heads,people", "").body
	want := a.want(t, 200, "GET", "/people/me/heads", "").body
	if got := ids(page["items"]); strings.Contains(got, " ") || jsonOf(t, page["heads"]) != jsonOf(t, want) || page["next"] == nil {
		t.Errorf("a page lists %s and %s, want %s", got, jsonOf(t, page["heads"]), jsonOf(t, want))
	}
	if got := jsonOf(t, a.want(t, 200, "GET", "/people/amsg/rooms?include=heads", "", service...).body["heads"]); strings.Contains(got, "favorite") || !strings.Contains(got, "tacoma") {
		t.Errorf("a service sees the heads %s", got)
	}
	for query, field := range map[string]string{
		"ids=":                             "ids",
		"ids=Seattle":                      "ids",
		"ids=seattle,seattle":              "ids",
		"ids=seattle&include=heads":        "ids",
		"ids=a" + strings.Repeat(",a", 50): "ids",
		"include=rooms":                    "include",
		"ids=seattle&cursor=" + page["next"].(string): "ids",
	} {
		got := a.do(t, "GET", "/people/me/rooms?"+query, "")
		if got.status != 422 || !strings.Contains(got.text, `"location":"`+field) {
			t.Errorf("%s: %d %s", query, got.status, got.text)
		}
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPostRoom_DirectOnTheWire opens a direct room from both sides.
func TestPostRoom_DirectOnTheWire(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	first := a.want(t, 201, "POST", "/rooms", `{"direct":["bob"]}`)
	id := first.body["id"].(string)
	want := first.text
	for part, value := range map[string]any{
		"name": "", "topic": "", "visibility": "private", "kind": "direct", "direct": []any{"amsg", "bob"}, "posting": "everyone", "roomMentions": "moderators",
		"pinning": "moderators", "slowModeSeconds": 0.0, "archived": false, "receipts": true, "createdBy": "amsg", "createdAt": "2018-08-29T12:00:00.000Z",
		"place": nil, "metadata": nil, "service": nil, "shards": nil, "shardsPinned": nil, "me": nil, "memberCount": nil, "people": nil,
	} {
		if got := first.body[part]; !reflect.DeepEqual(got, value) {
			t.Errorf("the room's %s is %v, want %v", part, got, value)
		}
	}
	for _, got := range []answer{
		first, a.want(t, 200, "POST", "/rooms", `{"direct":["bob"]}`), a.want(t, 200, "POST", "/rooms", `{"direct":["amsg"]}`, userHeader, "bob"),
	} {
		if got.text != want || got.header.Get("Location") != "/rooms/"+id {
			t.Errorf("%s at %s, want %s", got.text, got.header.Get("Location"), want)
		}
	}
	for _, caller := range []string{"amsg", "bob"} {
		if got := a.want(t, 200, "GET", "/rooms/"+id, "", userHeader, caller); got.text != strings.TrimSuffix(want, "}")+`,"me":{"role":"member","read":0,"unread":0,"mentions":0}}` {
			t.Errorf("%s reads %s, want %s", caller, got.text, want)
		}
	}
	if got := a.want(t, 200, "GET", "/rooms", ""); got.text != `{"items":[]}` {
		t.Errorf("the directory lists %s", got.text)
	}
	checkProblem(t, "the settings", a.want(t, 403, "PUT", "/rooms/"+id, `{"name":"Ours"}`))
}

func TestPostRoom_NamesTheFieldAtFault(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	ten := `"` + strings.Join(strings.Split("0123456789", ""), `","`) + `"`
	for body, field := range map[string]string{
		`{}`:                                                 "visibility",
		`{"name":"x"}`:                                       "visibility",
		`{"visibility":"private"}`:                           "name",
		`{"visibility":"public","name":"x"}`:                 "visibility",
		`{"direct":[]}`:                                      "direct",
		`{"direct":[` + ten + `]}`:                           "direct",
		`{"direct":"bob"}`:                                   "direct",
		`{"direct":["bob","bob"]}`:                           "direct[1]",
		`{"direct":["bob","amsg"]}`:                          "direct[1]",
		`{"direct":["a#b"]}`:                                 "direct[0]",
		`{"direct":[""]}`:                                    "direct[0]",
		`{"direct":["bob"],"name":"x"}`:                      "name",
		`{"direct":["bob"],"topic":""}`:                      "topic",
		`{"direct":["bob"],"shards":1}`:                      "shards",
		`{"direct":["bob"],"place":[]}`:                      "place",
		`{"direct":["bob"],"slowModeSeconds":0}`:             "slowModeSeconds",
		`{"direct":["bob"],"posting":"everyone"}`:            "posting",
		`{"direct":["bob"],"visibility":"private"}`:          "visibility",
		`{"direct":["bob"],"requestId":"one"}`:               "requestId",
		`{"visibility":"private","name":"x","requestId":""}`: "requestId",
		`{"visibility":"private","name":"x","requestId":"61890a5d-ac96-474b-bcce-b302099a8057"}`: "requestId",
		`{"visibility":"private","name":"x","requestId":1}`:                                      "requestId",
	} {
		got := a.want(t, 422, "POST", "/rooms", body)
		checkProblem(t, body, got)
		if !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+field+" ") {
			t.Errorf("%s: %s, want the field %s", body, got.text, field)
		}
	}
}

// TestPostRoom_RequestOnTheWire retries a request for a private room.
func TestPostRoom_RequestOnTheWire(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	body := `{"visibility":"private","name":"Board","requestId":"` + freshID + `"}`
	first := a.want(t, 201, "POST", "/rooms", body)
	path := "/rooms/" + first.body["id"].(string)
	again := a.want(t, 200, "POST", "/rooms", body)
	if first.header.Get("Idempotent-Replay") != "" || again.header.Get("Idempotent-Replay") != "true" || again.text != first.text || again.header.Get("Location") != path {
		t.Errorf("the retry answers %s at %s, want %s at %s", again.text, again.header.Get("Location"), first.text, path)
	}
	other := a.want(t, 409, "POST", "/rooms", strings.Replace(body, "Board", "Another", 1))
	checkProblem(t, "other content", other)
	old := a.want(t, 409, "POST", "/rooms", strings.Replace(body, freshID, oldID, 1))
	checkProblem(t, "an old id", old)
	if other.body["type"] != "/problems/conflict" || old.body["type"] != "/problems/clock-skew" || old.body["serverTime"] != "2018-08-29T12:00:00.000Z" {
		t.Errorf("other content: %s; an old id: %s", other.text, old.text)
	}
	for _, people := range []string{`"bob"`, `"bob","cy"`} { // a direct room ignores the id
		a.want(t, 201, "POST", "/rooms", `{"direct":[`+people+`],"requestId":"`+freshID+`"}`)
	}
}
