package httpapi_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"parley/internal/chat"
)

// Every bound of a room's settings, at the limit and one beyond.
func TestSettingsAreTakenUpToTheirBoundsAndNotBeyond(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	long := func(n int) string { return strings.Repeat("x", n) }
	places := func(n int, level string) string {
		return `"place":["` + strings.Repeat(level+`","`, n-1) + level + `"]`
	}
	for _, tt := range []struct{ name, at, beyond, location string }{
		{"name", `"name":"` + long(chat.MaxName) + `"`, `"name":"` + long(chat.MaxName+1) + `"`, "body.name"},
		{"name in bytes", `"name":"` + strings.Repeat("é", chat.MaxName/2) + `"`, `"name":"` + strings.Repeat("é", chat.MaxName/2+1) + `"`, "body.name"},
		{"topic", `"topic":"` + long(chat.MaxTopic) + `"`, `"topic":"` + long(chat.MaxTopic+1) + `"`, "body.topic"},
		{"shards", `"shards":64`, `"shards":65`, "body.shards"},
		{"slow mode", `"slowModeSeconds":86400`, `"slowModeSeconds":86401`, "body.slowModeSeconds"},
		{"no slow mode", `"slowModeSeconds":0`, `"slowModeSeconds":-1`, "body.slowModeSeconds"},
		{"levels of a place", places(6, "x"), places(7, "x"), "body.place"},
		{"a level of a place", places(1, long(chat.MaxPlaceLevel)), places(1, long(chat.MaxPlaceLevel+1)), "body.place"},
		{"letters of a level", places(1, "São Paulo"), places(1, "a#b"), "body.place"},
		{"parts of a level", places(2, "a"), places(1, "a/b"), "body.place"},
		{"an empty level", places(1, "a"), places(2, ""), "body.place"},
		{"posting", `"posting":"moderators"`, `"posting":"nobody"`, "body.posting"},
	} {
		room := "/rooms/" + strings.ReplaceAll(tt.name, " ", "-")
		got := a.do(t, "PUT", room, "{"+tt.beyond+"}")
		if got.status != 422 || !strings.Contains(fmt.Sprint(got.body["errors"]), tt.location) {
			t.Errorf("%s beyond its bound: %d %s", tt.name, got.status, got.text)
		}
		a.want(t, 404, "GET", room, "")
		a.want(t, 201, "PUT", room, "{"+tt.at+"}")
	}
}

func TestTheDirectoryFindsWholeLevels(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for room, place := range map[string]string{
		"seattle": `["USA","WA","Seattle"]`, "tacoma": `["USA","WA","Tacoma"]`, "portland": `["USA","OR","Portland"]`, "berlin": `["Germany","Berlin"]`, "nowhere": `[]`,
	} {
		a.want(t, 201, "PUT", "/rooms/"+room, `{"place":`+place+`}`)
	}
	for place, want := range map[string]string{
		"USA": "portland seattle tacoma", "USA/WA": "seattle tacoma", "USA/WA/Seattle": "seattle", "US": "", "usa": "", "USA/W": "", "Germany": "berlin",
	} {
		var got []string
		for _, r := range a.want(t, 200, "GET", "/rooms?place="+url.QueryEscape(place), "").body["rooms"].([]any) {
			got = append(got, r.(map[string]any)["room"].(string))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("rooms at %s: %v, want %s", place, got, want)
		}
	}
	for _, place := range []string{"USA//WA", "/", "a#b", "1/2/3/4/5/6/7"} {
		checkProblem(t, place, a.want(t, 422, "GET", "/rooms?place="+url.QueryEscape(place), ""))
	}
}
