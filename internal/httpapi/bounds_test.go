package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/people"
	"example.com/parley/internal/search"
)

// TestRoomSettings_AtAndBeyondTheirBounds sets each setting to its bound, and one beyond. The
// answer shows what was set.
func TestRoomSettings_AtAndBeyondTheirBounds(t *testing.T) {
	t.Parallel()
	a, tested := newAPI(t), map[string]bool{}
	long := func(n int) string { return strings.Repeat("x", n) }
	places := func(n int, level string) string {
		return `"place":["` + strings.Repeat(level+`","`, n-1) + level + `"]`
	}
	for _, tt := range []struct{ name, at, beyond, location string }{
		{"name", `"name":"` + long(chat.MaxName) + `"`, `"name":"` + long(chat.MaxName+1) + `"`, "name"},
		{"name in bytes", `"name":"` + strings.Repeat("é", chat.MaxName/2) + `"`, `"name":"` + strings.Repeat("é", chat.MaxName/2+1) + `"`, "name"},
		{"topic", `"topic":"` + long(chat.MaxTopic) + `"`, `"topic":"` + long(chat.MaxTopic+1) + `"`, "topic"},
		{"shards", `"shards":64`, `"shards":65`, "shards"},
		{"slow mode", `"slowModeSeconds":86400`, `"slowModeSeconds":86401`, "slowModeSeconds"},
		{"no slow mode", `"slowModeSeconds":0`, `"slowModeSeconds":-1`, "slowModeSeconds"},
		{"levels of a place", places(6, "x"), places(7, "x"), "place"},
		{"a level of a place", places(1, long(chat.MaxPlaceLevel)), places(1, long(chat.MaxPlaceLevel+1)), "place[0]"},
		{"letters of a level", places(1, "São Paulo"), places(1, "a#b"), "place"},
		{"parts of a level", places(2, "a"), places(1, "a/b"), "place"},
		{"an empty level", places(1, "a"), places(2, ""), "place[0]"},
		{"room mentions", `"roomMentions":"members"`, `"roomMentions":"everyone"`, "roomMentions"},
		{"pinning", `"pinning":"members"`, `"pinning":"everyone"`, "pinning"},
		{"posting", `"posting":"moderators"`, `"posting":"nobody"`, "posting"},
		{"archived", `"archived":true`, `"archived":1`, "archived"},
		{"receipts", `"receipts":false`, `"receipts":1`, "receipts"},
		{"system messages", `"systemMessages":false`, `"systemMessages":1`, "systemMessages"},
		{"visibility", `"visibility":"public"`, `"visibility":"private"`, "visibility"},
		{"metadata", `"metadata":{"color":"red"}`, `"metadata":"red"`, "metadata"},
	} {
		room := "/rooms/" + strings.ReplaceAll(tt.name, " ", "-")
		got := a.do(t, "PUT", room, "{"+tt.beyond+"}")
		if got.status != 422 || !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+tt.location+" ") {
			t.Errorf("%s beyond its bound: %d %s", tt.name, got.status, got.text)
		}
		a.want(t, 404, "GET", room, "")
		var sent map[string]any
		if err := json.Unmarshal([]byte("{"+tt.at+"}"), &sent); err != nil {
			t.Fatal(err)
		}
		shown := a.want(t, 201, "PUT", room, "{"+tt.at+"}").body
		for setting, value := range sent {
			if tested[setting] = true; value != "" && !reflect.DeepEqual(shown[setting], value) {
				t.Errorf("%s: the answer has %v instead of %v", tt.name, shown[setting], value)
			}
		}
	}
	for field := range reflect.TypeFor[httpapi.RoomSettings]().Fields() {
		if setting, _, _ := strings.Cut(field.Tag.Get("json"), ","); !tested[setting] {
			t.Errorf("no row sets %s: add one at its bound, or to a value that is not its default", setting)
		}
	}
}

// bytesOf returns a text of n bytes in half as many characters, or in one more.
func bytesOf(n int) string {
	return strings.Repeat("é", n/2) + strings.Repeat("x", n%2)
}

// TestDefine_BoundsCountBytes checks the bounds that count bytes. The schema's maxLength counts
// characters. A text of two-byte characters at the byte bound has half as many characters. The
// schema admits a longer text, which the service refuses.
func TestDefine_BoundsCountBytes(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	a.want(t, 201, "PUT", "/rooms/seattle/documents/charter", "")
	sent := a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"x"}`).header.Get("Location")
	for _, tt := range []struct {
		name, request, body string // {} is the text
		bound               int
		location            string
	}{
		{"a room's name", "PUT /rooms/seattle", `{"name":"{}"}`, chat.MaxName, "name"},
		{"a private room's name", "POST /rooms", `{"visibility":"private","name":"{}"}`, chat.MaxName, "name"},
		{"a topic", "PUT /rooms/seattle", `{"topic":"{}"}`, chat.MaxTopic, "topic"},
		{"a level of a place", "PUT /rooms/seattle", `{"place":["USA","{}"]}`, chat.MaxPlaceLevel, "place"},
		{"a level asked for", "GET /rooms?place=USA/{}", "", chat.MaxPlaceLevel, "place"},
		{"a document's title", "PUT /rooms/seattle/documents/charter", `{"title":"{}"}`, chat.MaxName, "title"},
		{"a part", "PUT /rooms/seattle/documents/charter/parts/one", `{"text":"{}"}`, chat.MaxText, "text"},
		{"a message", "POST /rooms/seattle/messages", `{"text":"{}"}`, chat.MaxText, "text"},
		{"an edit", "PATCH " + sent, `{"text":"{}"}`, chat.MaxText, "text"},
		{"a person's name", "PUT /people/me", `{"name":"{}"}`, chat.MaxName, "name"},
		{"a title", "PUT /people/me", `{"name":"R","title":"{}"}`, people.MaxTitle, "title"},
		{"a state", "PUT /people/me", `{"name":"R","state":"{}"}`, people.MaxState, "state"},
		{"a name asked for", "GET /people?name={}", "", chat.MaxName, "name"},
		{"a title asked for", "GET /people?title={}", "", people.MaxTitle, "title"},
		{"a former title asked for", "GET /people?had_title={}", "", people.MaxTitle, "had_title"},
		{"a state asked for", "GET /people?state={}", "", people.MaxState, "state"},
		{"a query", "GET /search?q={}", "", search.MaxQuery, "q"},
		{"an event's detail", "POST /devices/phone/events", `{"events":[{"type":"x","at":"2018-08-29T12:00:00Z","detail":"{}"}]}`, activity.MaxEventDetail, "events[0].detail"},
	} {
		method, path, _ := strings.Cut(tt.request, " ")
		ask := func(text string) answer {
			headers := []string{}
			if method == "PATCH" {
				headers = []string{"If-Match", `"1"`}
			}
			return a.do(t, method, strings.ReplaceAll(path, "{}", url.QueryEscape(text)), strings.ReplaceAll(tt.body, "{}", text), headers...)
		}
		over := ask(bytesOf(tt.bound + 1))
		checkProblem(t, tt.name, over)
		if over.status != 422 || !strings.Contains(fmt.Sprint(over.body["errors"]), "location:"+tt.location+" ") || !strings.Contains(over.text, "bytes") {
			t.Errorf("%s a byte over its bound: %d %s", tt.name, over.status, over.text)
		}
		if at := ask(bytesOf(tt.bound)); at.status >= 300 {
			t.Errorf("%s at its bound: %d %s", tt.name, at.status, at.text)
		}
	}
}

// asciiOnly are the bounded fields whose characters are one byte each.
var asciiOnly = map[string]bool{"room": true, "doc": true, "part": true, "device": true, "id": true, "user": true, "type": true, "hired": true, "direct": true, "mentions": true}

// TestOpenAPI_SaysWhichBoundsCountBytes checks every bound of a text in the OpenAPI document.
func TestOpenAPI_SaysWhichBoundsCountBytes(t *testing.T) {
	t.Parallel()
	_, doc := description(t)
	bounds := 0
	check := func(where, name, description string, schema *openapi3.Schema) {
		if schema.Items != nil {
			schema = schema.Items.Value
		}
		if schema.MaxLength == nil || asciiOnly[name] {
			return
		}
		bounds++
		if !strings.Contains(description, fmt.Sprint(*schema.MaxLength)+" bytes") {
			t.Errorf("%s: %s has maxLength %d, which its description does not give in bytes: %s", where, name, *schema.MaxLength, description)
		}
	}
	for name, schema := range doc.Components.Schemas {
		for field, of := range schema.Value.Properties {
			check(name, field, of.Value.Description, of.Value)
		}
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			for _, p := range op.Parameters {
				check(method+" "+path, p.Value.Name, p.Value.Description, p.Value.Schema.Value)
			}
		}
	}
	if bounds < 15 {
		t.Errorf("only %d bounds are found", bounds)
	}
}

func TestListRooms_FindsWholeLevels(t *testing.T) {
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
		for _, r := range a.want(t, 200, "GET", "/rooms?place="+url.QueryEscape(place), "").body["items"].([]any) {
			got = append(got, r.(map[string]any)["id"].(string))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("rooms at %s: %v, want %s", place, got, want)
		}
	}
	level := strings.Repeat("x", chat.MaxPlaceLevel)
	longest := strings.Repeat(level+"/", chat.MaxPlaceLevels-1) + level
	if got := a.want(t, 200, "GET", "/rooms?place="+longest, ""); got.text != `{"items":[]}` {
		t.Errorf("at the longest place there is %s", got.text)
	}
	for _, place := range []string{longest + "x", "USA//WA", "/", "a#b", "1/2/3/4/5/6/7"} {
		checkProblem(t, place, a.want(t, 422, "GET", "/rooms?place="+url.QueryEscape(place), ""))
	}
}

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
