package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
)

const goodID = "0165858d-fe7b-7102-8304-05060708090a"

func TestPostMessage_InvalidInput(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	const post, list, put = "POST /rooms/seattle/messages", "GET /rooms/seattle/messages", "PUT /rooms/new"
	a.wantRefused(t, []refusal{
		{"a time of the client's", post, `{"text":"x","sentAt":"2018-08-29T12:00:00Z"}`, 422, "sentAt"},
		{"a key in the wrong case", post, `{"Text":"x"}`, 422, "Text"},
		{"both cases of a key", post, `{"text":"x","Text":"y"}`, 422, "Text"},
		{"invalid UTF-8", post, "{\"text\":\"a\xff\"}", 400, "body"},
		{"half a surrogate pair", post, `{"text":"\ud800"}`, 400, "body"},
		{"trailing bytes", post, `{"text":"x"} {}`, 400, "body"},
		{"half a body", post, `{"text":"x`, 400, "body"},
		{"no body", post, ``, 400, ""},
		{"no object", post, `"x"`, 422, "body"},
		{"null", post, `null`, 422, "body"},
		{"a text that is null", post, `{"text":null}`, 422, "text"},
		{"an id of version 4", post, `{"id":"0165858d-fe7b-4102-8304-05060708090a","text":"x"}`, 422, "id"},
		{"an id with another user", post, `{"id":"` + goodID + `~bob","text":"x"}`, 422, "id"},
		{"an empty id", post, `{"id":"","text":"x"}`, 422, "id"},

		{"a room in capitals", "POST /rooms/Seattle/messages", `{"text":"x"}`, 422, "room"},
		{"a room with a separator", "GET /rooms/a%23b/messages", "", 422, "room"},
		{"a room that ends in a dash", "PUT /rooms/a-", "", 422, "room"},
		{"a room of 65 bytes", "PUT /rooms/" + strings.Repeat("a", 65), "", 422, "room"},
		{"a room of the private form", "PUT /rooms/p-" + strings.Repeat("a", 20), "", 404, ""},
		{"no shards", put, `{"shards":-1}`, 422, "shards"},
		{"half a shard", put, `{"shards":1.5}`, 422, "shards"},
		{"an empty name", put, `{"name":""}`, 422, "name"},
		{"a name of two lines", put, `{"name":"a\nb"}`, 422, "name"},

		{"limit 0", list + "?limit=0", "", 422, "limit"},
		{"a huge limit", list + "?limit=99999999999999999999", "", 422, "limit"},
		{"a limit without a value", list + "?limit=", "", 422, "limit"},
		{"a user without a value", list + "?user=", "", 422, "user"},
		{"an unknown parameter", list + "?page=2", "", 422, "page"},
		{"an order that is none", list + "?order=up", "", 422, "order"},
		{"a user with a separator", list + "?user=a%23b", "", 422, "user"},
		{"a month that is none", list + "?at=2018-13", "", 422, "at"},
		{"a day that does not exist", list + "?at=2018-02-30", "", 422, "at"},
		{"half a field", list + "?at=2018-0", "", 422, "at"},
		{"a separator in a time", list + "?at=2018%23", "", 422, "at"},
		{"a day that does not exist in from", list + "?from=2018-02-30T00:00:00Z", "", 422, "from"},
		{"a time without a zone", list + "?to=2018-02-03T00:00:00", "", 422, "to"},
		{"at and from", list + "?at=2018&from=2018-02-03T00:00:00Z", "", 422, "at"},
		{"to before from", list + "?from=2018-02-03T00:00:01Z&to=2018-02-03T00:00:00Z", "", 422, "to"},
		{"around and user", list + "?user=amsg&around=" + goodID + "~amsg", "", 422, "around"},
		{"around nothing", list + "?around=x", "", 422, "around"},
		{"around an unknown message", list + "?around=" + goodID + "~amsg", "", 404, ""},
		{"around and before", list + "?before=" + goodID + "~amsg&around=" + goodID + "~amsg", "", 422, "around"},
		{"before and after", list + "?before=" + goodID + "~amsg&after=" + goodID + "~amsg", "", 422, "before"},
		{"before and a cursor", list + "?before=" + goodID + "~amsg&cursor=x", "", 422, "before"},
		{"before nothing", list + "?before=x", "", 422, "before"},
		{"after nothing", list + "?after=" + goodID, "", 422, "after"},
		{"before an unknown message", list + "?before=" + goodID + "~amsg", "", 404, ""},
		{"after an unknown message", list + "?user=amsg&after=" + goodID + "~amsg", "", 404, ""},
		{"an absurd cursor", list + "?cursor=%00", "", 400, "cursor"},
		{"a long cursor", list + "?cursor=" + strings.Repeat("A", 5000), "", 400, "cursor"},
		{"a query that cannot be decoded", list + "?user=%zz", "", 400, ""},
		{"a message id without a user", list + "/" + goodID, "", 422, "id"},
		{"a message id that is none", list + "/x~amsg", "", 422, "id"},
		{"an unknown message", list + "/" + goodID + "~amsg", "", 404, ""},
	})
	if got := a.want(t, 200, "GET", "/rooms/seattle/messages", ""); got.text != `{"items":[],"since":"`+beginning+`"}` {
		t.Errorf("something was stored: %s", got.text)
	}
	a.want(t, 404, "GET", "/rooms/new", "")
}

// refusal is a request that is refused.
type refusal struct {
	name, request, body string
	status              int
	location            string // of the fault; "" if it names none
}

// wantRefused sends requests that must be refused.
func (a *api) wantRefused(t *testing.T, all []refusal, headers ...string) {
	t.Helper()
	for _, tt := range all {
		method, path, _ := strings.Cut(tt.request, " ")
		got := a.do(t, method, path, tt.body, headers...)
		if got.status != tt.status {
			t.Errorf("%s: status %d, want %d: %s", tt.name, got.status, tt.status, got.text)
			continue
		}
		checkProblem(t, tt.name, got)
		if tt.location != "" && !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+tt.location+" ") {
			t.Errorf("%s: %s is not named: %s", tt.name, tt.location, got.text)
		}
	}
}

func checkProblem(t *testing.T, name string, got answer) {
	t.Helper()
	if got.header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%s: content type %q", name, got.header.Get("Content-Type"))
	}
	kind, _ := got.body["type"].(string)
	if !strings.HasPrefix(kind, "/problems/") || got.body["title"] == "" || got.body["status"] != float64(got.status) {
		t.Errorf("%s: no whole problem: %s", name, got.text)
	}
	if _, ok := got.body["retryable"].(bool); !ok {
		t.Errorf("%s: does not say whether it is retryable: %s", name, got.text)
	}
	checkDetail(t, name, got)
	for _, leak := range []string{"httpapi", "chat.", "dynamo", "huma", ".go", "$schema"} {
		if strings.Contains(got.text, leak) {
			t.Errorf("%s: shows %q: %s", name, leak, got.text)
		}
	}
}

// checkDetail checks that the detail is a sentence about the first field at fault.
func checkDetail(t *testing.T, name string, got answer) {
	t.Helper()
	detail, _ := got.body["detail"].(string)
	if !strings.HasSuffix(detail, ".") || strings.Contains(detail, "expected ") || strings.Contains(detail, "is invalid: ") {
		t.Errorf("%s: the detail is no sentence in our words: %s", name, got.text)
	}
	faults, _ := got.body["errors"].([]any)
	if len(faults) == 0 || got.status != 422 {
		return
	}
	first := faults[0].(map[string]any)
	want := strings.Replace(fmt.Sprintf("%s %s.", first["location"], first["message"]), "body ", "The body ", 1)
	if detail != want {
		t.Errorf("%s: the detail is %q, want %q", name, detail, want)
	}
}

// TestProblemTransformer_InPlainWords compares a few complete problems, which clients show and
// log.
func TestProblemTransformer_InPlainWords(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	const post, events = "POST /rooms/seattle/messages", "POST /devices/phone/events"
	for _, tt := range []struct {
		request, body string
		want          string // the title and the detail
	}{
		{post, `{"text":""}`, "Validation failed: text must have a visible character."},
		{post, `{}`, "Validation failed: text is required."},
		{post, `{"Text":"x"}`, "Validation failed: Text is not a known field; remove it."},
		{post, `{"text":"x","sender":"bob"}`, "Validation failed: sender is not a known field; remove it."},
		{post, `{"text":1}`, "Validation failed: text must be a string."},
		{post, `{"text":"x","id":"1"}`, "Validation failed: id must be a UUIDv7, such as 01890a5d-ac96-774b-bcce-b302099a8057."},
		{post, `[]`, "Validation failed: The body must be an object."},
		{post, `{"text":"x","text":"x"}`, "Malformed request: The body must not contain a key twice."},
		{post, ``, "Malformed request: Send a JSON body."},
		{post, `{"text":"` + strings.Repeat(" ", 7*chat.MaxText) + `"}`, "Content too large: Send a body of at most 204800 bytes."},
		{events, `{"events":[{"at":"2018-08-29T12:00:00Z"}]}`, "Validation failed: events[0].type is required."},
		{events, `{"events":[{"type":"x","At":"2018-08-29T12:00:00Z"}]}`, "Validation failed: events[0].At is not a known field; remove it."},
		{events, `{"events":[]}`, "Validation failed: events must not be empty."},
		{"POST /rooms", `{"visibility":"public","name":"x"}`, "Validation failed: visibility must be private."},
		{"PUT /rooms/seattle", `{"posting":"nobody"}`, "Validation failed: posting must be one of everyone, members, moderators."},
		{"GET /rooms/seattle/messages?limit=201", "", "Validation failed: limit must be at most 200."},
		{"GET /rooms/seattle/messages?limit=ten", "", "Validation failed: limit must be a whole number."},
		{"GET /rooms/seattle/messages?page=2", "", "Validation failed: page is not a known parameter; remove it."},
		{"GET /rooms/seattle/messages?user=&at=", "", "Validation failed: at must have a value."},
		{"GET /rooms/seattle/messages?limit=1&limit=2", "", "Validation failed: limit must be given once."},
		{"GET /people?ids=bob&ids=", "", "Validation failed: ids must have a value."},
		{"GET /rooms/nowhere", "", "Not found: There is no such room."},
	} {
		method, path, _ := strings.Cut(tt.request, " ")
		got := a.do(t, method, path, tt.body)
		if words := fmt.Sprintf("%s: %s", got.body["title"], got.body["detail"]); words != tt.want {
			t.Errorf("%s %.60s is refused with\n%s\nwant\n%s", tt.request, tt.body, words, tt.want)
		}
	}
}

func TestCheckMedia_FormIsRefused(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	got := a.want(t, 415, "POST", "/rooms/seattle/messages", `text=x`, "Content-Type", "application/x-www-form-urlencoded")
	checkProblem(t, "a form", got)
	a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"x"}`, "Content-Type", "application/json; charset=utf-8")
}

func TestCallerOf_WithoutATokenThereAreOnlyDocuments(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, request := range []string{
		"PUT /rooms/seattle", "GET /rooms/seattle", "POST /rooms/seattle/messages", "GET /rooms/seattle/messages", "GET /rooms/seattle/messages/" + goodID + "~amsg",
	} {
		method, path, _ := strings.Cut(request, " ")
		body := ""
		if method == "POST" {
			body = `{"text":"x"}`
		}
		for _, subject := range []string{"", "a#b", strings.Repeat("u", 65)} {
			got := a.want(t, 401, method, path, body, userHeader, subject)
			checkProblem(t, request, got)
			if got.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s: no challenge", request)
			}
		}
	}
	a.want(t, 200, "GET", "/openapi.json", "", userHeader, "")
	if docs := a.want(t, 200, "GET", "/docs", "", userHeader, ""); strings.Contains(docs.text, "http://") || strings.Contains(docs.text, "https://") {
		t.Error("the docs page refers to something outside")
	}
}

func FuzzPostMessage(f *testing.F) {
	a := newAPI(f)
	a.want(f, 201, "PUT", "/rooms/seattle", "")
	for _, body := range []string{
		`{"text":"x"}`, `{"text":"x","text":"y"}`, `{"id":"` + goodID + `","text":"x"}`, `{"Text":"x"}`, "\xff", `{"text":"\ud800"}`, `[]`, `{"text":1e999}`, ``,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		got := a.do(t, "POST", "/rooms/seattle/messages", body)
		switch got.status {
		case 200, 201: // the engine reuses an id: a retry
			if (got.status == 200) != (got.header.Get("Idempotent-Replay") == "true") {
				t.Errorf("%q answers %d, replay %q", body, got.status, got.header.Get("Idempotent-Replay"))
			}
			if text, _ := got.body["text"].(string); text == "" || len(text) > chat.MaxText {
				t.Errorf("%q was stored as a text of %d bytes", body, len(text))
			}
		case 400, 409, 413, 422:
		default:
			t.Errorf("%q answers %d: %s", body, got.status, got.text)
		}
	})
}

// TestShorten_LongArrayIsRefusedOnce sends as many faults as fit in a body. A response that names
// each would have 6 MB, more than a function may return.
func TestShorten_LongArrayIsRefusedOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	got := a.want(t, 422, "POST", "/devices/phone/events", `{"events":[{}`+strings.Repeat(`,{}`, 65_000)+`]}`)
	checkProblem(t, "a long array", got)
	if got.body["detail"] != "events must have at most 25 elements." {
		t.Errorf("the detail is %v", got.body["detail"])
	}
	if faults := got.body["errors"].([]any); len(got.text) > 4<<10 || len(faults) != 20 {
		t.Errorf("the answer has %d bytes and %d faults", len(got.text), len(faults))
	}
}

// TestAddFault_ManyUnknownFields breaks as many rules as a body without arrays can.
func TestAddFault_ManyUnknownFields(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var fields []string
	for i := range 15_000 {
		fields = append(fields, fmt.Sprintf(`"f%d":1`, i))
	}
	got := a.want(t, 422, "PUT", "/rooms/seattle", "{"+strings.Join(fields, ",")+"}")
	checkProblem(t, "many fields", got)
	if faults := got.body["errors"].([]any); len(faults) != 20 {
		t.Errorf("%d faults are named", len(faults))
	}
}
