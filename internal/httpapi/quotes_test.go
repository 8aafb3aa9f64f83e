package httpapi_test

import (
	"strings"
	"testing"
)

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
