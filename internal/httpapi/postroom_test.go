package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestPostRoom_DirectOnTheWire opens a direct room from both sides.
func TestPostRoom_DirectOnTheWire(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	first := a.want(t, 201, "POST", "/rooms", `{"direct":["bob"]}`)
	id := first.body["id"].(string)
	want := `{"id":"` + id + `","name":"","topic":"","visibility":"private","kind":"direct","direct":["amsg","bob"],` +
		`"posting":"everyone","slowModeSeconds":0,"archived":false,"createdBy":"amsg","createdAt":"2018-08-29T12:00:00.000Z"}`
	for _, got := range []answer{
		first, a.want(t, 200, "POST", "/rooms", `{"direct":["bob"]}`), a.want(t, 200, "POST", "/rooms", `{"direct":["amsg"]}`, userHeader, "bob"),
	} {
		if got.text != want || got.header.Get("Location") != "/rooms/"+id {
			t.Errorf("%s at %s, want %s", got.text, got.header.Get("Location"), want)
		}
	}
	for _, caller := range []string{"amsg", "bob"} {
		if got := a.want(t, 200, "GET", "/rooms/"+id, "", userHeader, caller); got.text != want {
			t.Errorf("%s reads %s, want %s", caller, got.text, want)
		}
	}
	if got := a.want(t, 200, "GET", "/rooms", ""); got.text != `{"rooms":[]}` {
		t.Errorf("the directory lists %s", got.text)
	}
	checkProblem(t, "the settings", a.want(t, 403, "PUT", "/rooms/"+id, `{"name":"Ours"}`))
}

func TestPostRoom_NamesTheFieldAtFault(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	ten := `"` + strings.Join(strings.Split("0123456789", ""), `","`) + `"`
	for body, field := range map[string]string{
		`{}`:                                        "visibility",
		`{"name":"x"}`:                              "visibility",
		`{"visibility":"private"}`:                  "name",
		`{"visibility":"public","name":"x"}`:        "visibility",
		`{"direct":[]}`:                             "direct",
		`{"direct":[` + ten + `]}`:                  "direct",
		`{"direct":"bob"}`:                          "direct",
		`{"direct":["bob","bob"]}`:                  "direct[1]",
		`{"direct":["bob","amsg"]}`:                 "direct[1]",
		`{"direct":["a#b"]}`:                        "direct[0]",
		`{"direct":[""]}`:                           "direct[0]",
		`{"direct":["bob"],"name":"x"}`:             "name",
		`{"direct":["bob"],"topic":""}`:             "topic",
		`{"direct":["bob"],"shards":1}`:             "shards",
		`{"direct":["bob"],"place":[]}`:             "place",
		`{"direct":["bob"],"slowModeSeconds":0}`:    "slowModeSeconds",
		`{"direct":["bob"],"posting":"everyone"}`:   "posting",
		`{"direct":["bob"],"visibility":"private"}`: "visibility",
	} {
		got := a.want(t, 422, "POST", "/rooms", body)
		checkProblem(t, body, got)
		if !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+field+" ") {
			t.Errorf("%s: %s, want the field %s", body, got.text, field)
		}
	}
}
