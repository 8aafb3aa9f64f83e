package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
)

// postOne creates a room and posts a message in it. It returns the message's path and id.
func postOne(t *testing.T, a *api) (path, id string) {
	t.Helper()
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "maker")
	posted := a.want(t, 201, "POST", "/rooms/seattle/messages", `{"id":"`+chat.NewUUID(start, [10]byte{1}).String()+`","text":"one"}`)
	if posted.header.Get("ETag") != `"1"` || posted.body["revision"] != 1.0 {
		t.Errorf("posted: %v %s", posted.header, posted.text)
	}
	return posted.header.Get("Location"), posted.body["id"].(string)
}

func TestPatchMessage_ThenDelete(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	path, id := postOne(t, a)
	const when = `"2018-08-29T12:00:00.000Z"`
	common := `{"id":"` + id + `","room":"seattle","user":"amsg","text":"%s","sentAt":` + when + `,"receivedAt":` + when + `,"revision":%d`
	second := a.want(t, 200, "PATCH", path, `{"text":"two"}`, "If-Match", `"1"`)
	if want := fmt.Sprintf(common, "two", 2) + `,"editedAt":` + when + `}`; second.text != want || second.header.Get("ETag") != `"2"` {
		t.Errorf("edited: %v %s\nwant %s", second.header, second.text, want)
	}
	again := a.want(t, 200, "PATCH", path, `{"text":"two"}`, "If-Match", `"1"`)
	if again.text != second.text || again.header.Get("Idempotent-Replay") != "true" || again.header.Get("ETag") != `"2"` {
		t.Errorf("the edit again: %v %s", again.header, again.text)
	}
	if got := a.want(t, 200, "GET", path, "", userHeader, "bob"); got.text != second.text || got.header.Get("ETag") != `"2"` {
		t.Errorf("read: %v %s", got.header, got.text)
	}
	versions := path + "/versions"
	const edit, original = `{"version":2,"text":"%s","user":"amsg","at":` + when + `}`, `{"version":1,"text":"%s","user":"amsg","at":` + when + `}`
	if got := a.want(t, 200, "GET", versions, ""); got.text != fmt.Sprintf(`{"items":[`+edit+`,`+original+`]}`, "two", "one") {
		t.Errorf("versions: %s", got.text)
	}
	page := a.want(t, 200, "GET", versions+"?limit=1", "")
	rest := a.want(t, 200, "GET", fmt.Sprintf("%s?limit=1&cursor=%s", versions, page.body["next"]), "")
	if rest.text != fmt.Sprintf(`{"items":[`+original+`]}`, "one") {
		t.Errorf("the second page: %s", rest.text)
	}

	gone := a.want(t, 200, "DELETE", path, "", "If-Match", `"2"`, userHeader, "maker")
	if want := fmt.Sprintf(common, "", 3) + `,"editedAt":` + when + `,"deletedAt":` + when + `,"deletedBy":"maker"}`; gone.text != want || gone.header.Get("ETag") != `"3"` {
		t.Errorf("deleted: %v %s\nwant %s", gone.header, gone.text, want)
	}
	for _, ifMatch := range []string{`"2"`, `"3"`, "*"} {
		if got := a.want(t, 200, "DELETE", path, "", "If-Match", ifMatch); got.text != gone.text {
			t.Errorf("deleted again: %s", got.text)
		}
	}
	if got := a.want(t, 200, "GET", versions, ""); got.text != fmt.Sprintf(`{"items":[`+edit+`,`+original+`]}`, "", "") {
		t.Errorf("versions: %s", got.text)
	}
	if got := a.want(t, 200, "GET", "/rooms/seattle/messages", ""); got.text != `{"items":[`+gone.text+`],"since":"`+beginning+`"}` {
		t.Errorf("listed: %s", got.text)
	}
	replay := a.want(t, 200, "POST", "/rooms/seattle/messages", `{"id":"`+id[:36]+`","text":"one"}`)
	if replay.text != gone.text || replay.header.Get("Idempotent-Replay") != "true" || replay.header.Get("ETag") != `"3"` {
		t.Errorf("posted again: %v %s", replay.header, replay.text)
	}
	conflict := a.want(t, 409, "PATCH", path, `{"text":"back"}`, "If-Match", `"3"`)
	checkProblem(t, "an edit of a deleted message", conflict)
	if strings.Contains(a.logs.String(), `"two"`) {
		t.Error("a text is in the log")
	}
}

// TestPostMessage_QuoteShowsEverywhere quotes a message, and then edits and deletes it.
func TestPostMessage_QuoteShowsEverywhere(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	path, id := postOne(t, a)
	posted := a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"two","quote":"`+id+`"}`, userHeader, "maker")
	holds := func(what, text, want string) {
		t.Helper()
		if !strings.Contains(text, want) || strings.Count(text, `"quote"`) != 1 {
			t.Errorf("%s: %s, want %s", what, text, want)
		}
	}
	quoted := func(text string) string {
		return `"quote":{"id":"` + id + `","user":"` + id[37:] + `","text":"` + text + `"`
	}
	holds("posted", posted.text, quoted("one"))
	own := posted.header.Get("Location")
	holds("edited", a.want(t, 200, "PATCH", own, `{"text":"three"}`, userHeader, "maker").text, quoted("one"))
	a.want(t, 200, "PATCH", path, `{"text":"later"}`)
	holds("read", a.want(t, 200, "GET", own, "").text, quoted("later"))
	a.want(t, 204, "PUT", "/people/me/blocks/"+id[37:], "", userHeader, "bob")
	holds("read by one who blocked the sender", a.want(t, 200, "GET", own, "", userHeader, "bob").text, quoted("later")+`,"blocked":true}`)
	a.want(t, 200, "DELETE", path, "")
	holds("listed", a.want(t, 200, "GET", "/rooms/seattle/messages?limit=1", "").text, quoted(""))
	if gone := a.want(t, 200, "DELETE", own, "", userHeader, "maker"); strings.Contains(gone.text, "quote") {
		t.Errorf("deleted: %s", gone.text)
	}
	for name, bad := range map[string]string{"unknown": id[:35] + "1" + id[36:], "no id": "x"} {
		got := a.want(t, 422, "POST", "/rooms/seattle/messages", `{"text":"x","quote":"`+bad+`"}`)
		if checkProblem(t, name, got); !strings.Contains(got.text, `quote`) {
			t.Errorf("%s: %s", name, got.text)
		}
	}
}
