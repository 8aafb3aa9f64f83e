package httpapi_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

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
