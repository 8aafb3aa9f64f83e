package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"
)

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
