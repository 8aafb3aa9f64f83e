package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
)

// blanks are texts that show nothing.
var blanks = map[string]string{
	"spaces": " \u00a0\u3000", "zero width": "\u200b\u2060\ufeff", "a Hangul filler": "\u3164", "half of a filler": "\uffa0", "leading fillers": "\u115f\u1160",
	"a blank of Braille": "\u2800", "a mark": "\u0301", "a variation selector": "\ufe0f", "tags": "\U000E0061\U000E007F", "a soft hyphen": "\u00ad",
	"a joiner": "\u200d", "a null notehead": "\U0001D159",
}

// TestDefine_RefusesWhatShowsNothing sends texts that show nothing in each field that people read.
func TestDefine_RefusesWhatShowsNothing(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	a.want(t, 201, "PUT", "/rooms/seattle/documents/charter", "")
	a.want(t, 201, "PUT", "/people/me", `{"name":"Amsel"}`)
	sent := a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"x"}`).header.Get("Location")
	for _, tt := range []struct{ request, body, location string }{
		{"POST /rooms/seattle/messages", `{"text":"{}"}`, "text"},
		{"PATCH " + sent, `{"text":"{}"}`, "text"},
		{"POST /rooms/seattle/messages", `{"text":"{}","poll":{"options":["a","b"]}}`, "text"},
		{"POST /rooms/seattle/messages", `{"text":"x","poll":{"options":["a","{}"]}}`, "poll.options[1]"},
		{"POST /rooms/seattle/uploads", announcement(uploadID(1), `{"name":"{}"}`), "name"},
		{"PUT /rooms/seattle", `{"name":"{}"}`, "name"},
		{"PATCH /rooms/seattle", `{"topic":"{}"}`, "topic"},
		{"PUT /rooms/portland", `{"place":["USA","{}"]}`, "place"},
		{"POST /rooms", `{"visibility":"private","name":"{}"}`, "name"},
		{"PUT /people/me", `{"name":"{}"}`, "name"},
		{"PATCH /people/me", `{"title":"{}"}`, "title"},
		{"PATCH /people/me", `{"state":"{}"}`, "state"},
		{"PATCH /people/me", `{"status":{"text":"{}"}}`, "status.text"},
		{"PUT /rooms/seattle/documents/charter", `{"title":"{}"}`, "title"},
		{"PUT /rooms/seattle/documents/charter/parts/one", `{"text":"{}"}`, "text"},
		{"POST " + sent + "/reports", `{"reason":"{}"}`, "reason"},
	} {
		method, path, _ := strings.Cut(tt.request, " ")
		headers := []string{"If-Match", `"1"`}
		if method != "PATCH" || !strings.Contains(path, "messages") {
			headers = nil
		}
		for what, blank := range blanks {
			got := a.do(t, method, path, strings.ReplaceAll(tt.body, "{}", blank), headers...)
			checkProblem(t, tt.request+" with "+what, got)
			if got.status != 422 || !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+tt.location+" ") {
				t.Errorf("%s %s with %s: %d %s", tt.request, tt.body, what, got.status, got.text)
			}
		}
	}
	if items := a.want(t, 200, "GET", "/rooms/seattle/messages", "").body["items"].([]any); len(items) != 1 || items[0].(map[string]any)["text"] != "x" {
		t.Errorf("the room has %v", items)
	}
	a.want(t, 404, "GET", "/rooms/portland", "")
}

// TestPostBulk_RefusesWhatShowsNothing sends such names in bulk, where each entry is refused by itself.
func TestPostBulk_RefusesWhatShowsNothing(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for path, body := range map[string]string{
		"/bulk/people": `{"items":[{"user":"ada","name":"\u3164"},{"user":"bob","name":"B\u200bob"},{"user":"cy","name":"Cy"}]}`,
		"/bulk/rooms":  `{"items":[{"id":"ada","name":"\u3164"},{"id":"bob","name":"B\u200bob"},{"id":"cy","name":"Cy"}]}`,
	} {
		got := a.want(t, 200, "POST", path, body, userHeader, "desk", serviceHeader, "yes")
		if n := strings.Count(got.text, `/problems/invalid`); n != 2 || !strings.Contains(got.text, `"status":201`) {
			t.Errorf("%s answers %s", path, got.text)
		}
	}
}

// TestPutPerson_InvisibleCharacters keeps joiners where a script or an emoji needs them.
func TestPutPerson_InvisibleCharacters(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for name, status := range map[string]int{
		"Ben\u200b Boss": 422, "Ben\u200d Boss": 422, "Ben\u3164Boss": 422, "\u2067Ben": 422, "Ben\u202e": 422, "Ben\u00ad": 422, "e\u0301\u0301": 422,
		"علی\u200cرضا": 200, "ශ්\u200dරී": 200, "Ann 👩🏽\u200d🚀": 200, "渡\U000E0100 健": 200,
	} {
		a.do(t, "PUT", "/people/me", `{"name":"Before"}`)
		got := a.do(t, "PUT", "/people/me", `{"name":"`+name+`"}`)
		if got.status != status || status == 200 && got.body["name"] != name || status == 422 && !strings.Contains(fmt.Sprint(got.body["errors"]), "location:name ") {
			t.Errorf("%q: %d %s", name, got.status, got.text)
		}
		room := a.do(t, "PUT", "/rooms/seattle", `{"name":"`+name+`"}`)
		if refused := status == 422; (room.status == 422) != refused {
			t.Errorf("a room %q: %d %s", name, room.status, room.text)
		}
	}
}
