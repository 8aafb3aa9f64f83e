package httpapi_test

import (
	"fmt"
	"net/url"
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

func TestPatchMessage_WithoutIfMatch(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	path, _ := postOne(t, a)
	for i, ifMatch := range [][]string{nil, {"If-Match", "*"}} {
		body := fmt.Sprintf(`{"text":"edit %d"}`, i)
		edited := a.want(t, 200, "PATCH", path, body, ifMatch...)
		if edited.body["revision"] != float64(i+2) || edited.header.Get("Idempotent-Replay") != "" {
			t.Errorf("edited: %v %s", edited.header, edited.text)
		}
		again := a.want(t, 200, "PATCH", path, body, ifMatch...)
		if again.text != edited.text || again.header.Get("Idempotent-Replay") != "true" || again.header.Get("ETag") != edited.header.Get("ETag") {
			t.Errorf("the same text again: %v %s", again.header, again.text)
		}
	}
	gone := a.want(t, 200, "DELETE", path, "")
	if gone.body["revision"] != 4.0 || gone.body["deletedBy"] != "amsg" {
		t.Errorf("deleted: %s", gone.text)
	}
	if got := a.want(t, 200, "DELETE", path, ""); got.text != gone.text {
		t.Errorf("deleted again: %s", got.text)
	}
	checkProblem(t, "an edit of a deleted message", a.want(t, 409, "PATCH", path, `{"text":"back"}`))
}

func TestPatchMessage_InvalidInput(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	path, id := postOne(t, a)
	a.want(t, 200, "PATCH", path, `{"text":"two"}`, "If-Match", `"1"`)
	other := strings.Replace(path, url.PathEscape(id), url.PathEscape(id[:36]+"~bob"), 1)
	tests := []struct {
		name, method, path, body, ifMatch, user string
		status                                  int
		location                                string
	}{
		{"no body", "PATCH", path, "", `"2"`, "amsg", 400, ""},
		{"no text", "PATCH", path, `{}`, `"2"`, "amsg", 422, "text"},
		{"an empty text", "PATCH", path, `{"text":""}`, `"2"`, "amsg", 422, "text"},
		{"a text one byte too long", "PATCH", path, `{"text":"` + strings.Repeat("x", chat.MaxText+1) + `"}`, `"2"`, "amsg", 422, "text"},
		{"a text too long in bytes alone", "PATCH", path, `{"text":"` + strings.Repeat("é", chat.MaxText/2+1) + `"}`, `"2"`, "amsg", 422, "text"},
		{"a sender", "PATCH", path, `{"text":"x","user":"bob"}`, `"2"`, "amsg", 422, "user"},
		{"a revision in the body", "PATCH", path, `{"text":"x","revision":2}`, `"2"`, "amsg", 422, "revision"},
		{"an edit upon the former revision", "PATCH", path, `{"text":"x"}`, `"1"`, "amsg", 412, "If-Match"},
		{"an edit upon one that is not there", "PATCH", path, `{"text":"x"}`, `"3"`, "amsg", 412, "If-Match"},
		{"an edit upon two ETags", "PATCH", path, `{"text":"x"}`, `"1", "2"`, "amsg", 422, "If-Match"},
		{"an edit by another without If-Match", "PATCH", path, `{"text":"x"}`, "", "bob", 403, ""},
		{"a weak ETag", "PATCH", path, `{"text":"x"}`, `W/"2"`, "amsg", 422, "If-Match"},
		{"an ETag without quotes", "PATCH", path, `{"text":"x"}`, `2`, "amsg", 422, "If-Match"},
		{"an edit by another", "PATCH", path, `{"text":"x"}`, `"2"`, "bob", 403, ""},
		{"an edit by the owner", "PATCH", path, `{"text":"x"}`, `"2"`, "maker", 403, ""},
		{"an edit of an unknown message", "PATCH", other, `{"text":"x"}`, `"1"`, "bob", 404, ""},
		{"an edit in an unknown room", "PATCH", "/rooms/nowhere/messages/" + id, `{"text":"x"}`, `"1"`, "amsg", 404, ""},
		{"an edit of no message id", "PATCH", "/rooms/seattle/messages/one", `{"text":"x"}`, `"1"`, "amsg", 422, "id"},
		{"an edit without a token", "PATCH", path, `{"text":"x"}`, `"2"`, "", 401, ""},

		{"a deletion by another without If-Match", "DELETE", path, "", "", "bob", 403, ""},
		{"a deletion of the former revision", "DELETE", path, "", `"1"`, "amsg", 412, "If-Match"},
		{"a deletion of two ETags", "DELETE", path, "", `"1", "2"`, "amsg", 422, "If-Match"},
		{"a deletion by another", "DELETE", path, "", `*`, "bob", 403, ""},
		{"a deletion of an unknown message", "DELETE", other, "", `*`, "bob", 404, ""},
		{"a deletion in an unknown room", "DELETE", "/rooms/nowhere/messages/" + id, "", `*`, "amsg", 404, ""},
		{"a deletion of no message id", "DELETE", "/rooms/seattle/messages/one", "", `*`, "amsg", 422, "id"},
		{"a deletion without a token", "DELETE", path, "", `*`, "", 401, ""},

		{"versions of an unknown message", "GET", other + "/versions", "", "", "amsg", 404, ""},
		{"versions in a room in capitals", "GET", "/rooms/Seattle/messages/" + id + "/versions", "", "", "amsg", 422, "room"},
		{"no versions", "GET", path + "/versions?limit=0", "", "", "amsg", 422, "limit"},
		{"too many versions", "GET", path + "/versions?limit=201", "", "", "amsg", 422, "limit"},
		{"a made-up cursor", "GET", path + "/versions?cursor=x", "", "", "amsg", 400, ""},
		{"another parameter", "GET", path + "/versions?order=asc", "", "", "amsg", 422, "order"},
		{"a version that is put", "PUT", path + "/versions", `{"text":"forged"}`, "", "amsg", 0, ""},
		{"versions that are deleted", "DELETE", path + "/versions", "", `*`, "amsg", 0, ""},
	}
	for _, tt := range tests {
		headers := []string{userHeader, tt.user}
		if tt.ifMatch != "" {
			headers = append(headers, "If-Match", tt.ifMatch)
		}
		got := a.do(t, tt.method, tt.path, tt.body, headers...)
		if tt.status == 0 && got.status >= 400 { // the test's router responds, not ours
			continue
		}
		if got.status != tt.status {
			t.Errorf("%s: status %d, want %d: %s", tt.name, got.status, tt.status, got.text)
			continue
		}
		checkProblem(t, tt.name, got)
		if tt.location != "" && !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+tt.location+" ") {
			t.Errorf("%s: %s is not named: %s", tt.name, tt.location, got.text)
		}
	}
	got := a.want(t, 200, "GET", path+"/versions", "")
	if strings.Count(got.text, `"version":`) != 2 || !strings.Contains(got.text, `"text":"two"`) {
		t.Errorf("refused changes were made: %s", got.text)
	}
}

func TestCheckIfMatch_WithoutValue(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	sent := a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"hello"}`)
	path := "/rooms/seattle/messages/" + sent.body["id"].(string)
	for _, request := range []string{"PATCH " + path, "DELETE " + path, "PUT /rooms/seattle/documents/charter/parts/preamble"} {
		method, path, _ := strings.Cut(request, " ")
		body := `{"text":"other"}`
		if method == "DELETE" {
			body = ""
		}
		got := a.want(t, 422, method, path, body, "If-Match", "")
		if !strings.Contains(got.text, `"location":"If-Match","message":"must have a value"`) {
			t.Errorf("%s: %s", request, got.text)
		}
	}
	if got := a.want(t, 200, "GET", path, ""); got.body["text"] != "hello" {
		t.Errorf("the message is %s", got.text)
	}
}
