package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
)

// givenMetadata has unusual numbers and escapes, and white space around its tokens.
const (
	givenMetadata  = "{ \"z\":1.50,\n\"a\" : [ 1e300, -0, 12345678901234567890123, null ],\t\"s\":\"\\u0041\\/ <é>\", \"\":{} }"
	storedMetadata = `{"z":1.50,"a":[1e300,-0,12345678901234567890123,null],"s":"\u0041\/ <é>","":{}}`
)

func TestPostMessage_MetadataIsReturnedAsGiven(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	holds := func(what string, got answer, want string) {
		t.Helper()
		if !strings.Contains(got.text, `"metadata":`+want) || strings.Count(got.text, `"metadata"`) != 1 {
			t.Errorf("%s: %s, want the metadata %s", what, got.text, want)
		}
	}
	const messages = "/rooms/seattle/messages"
	id := chat.NewUUID(start, [10]byte{1}).String()
	post := `{"id":"` + id + `","text":"one","metadata":%s}`
	posted := a.want(t, 201, "POST", messages, fmt.Sprintf(post, givenMetadata))
	holds("posted", posted, storedMetadata)
	path := posted.header.Get("Location")
	holds("read", a.want(t, 200, "GET", path, ""), storedMetadata)
	holds("listed", a.want(t, 200, "GET", messages, ""), storedMetadata)
	a.want(t, 200, "POST", messages, fmt.Sprintf(post, storedMetadata)) // a retry
	for _, other := range []string{`{}`, strings.Replace(storedMetadata, "1.50", "1.5", 1)} {
		checkProblem(t, "other metadata", a.want(t, 409, "POST", messages, fmt.Sprintf(post, other)))
	}
	checkProblem(t, "no metadata", a.want(t, 409, "POST", messages, `{"id":"`+id+`","text":"one"}`))

	edited := a.want(t, 200, "PATCH", path, `{"metadata":{"b":2}}`)
	holds("edited", edited, `{"b":2}`)
	if edited.body["text"] != "one" || edited.body["revision"] != 2.0 {
		t.Errorf("an edit of only the metadata: %s", edited.text)
	}
	if again := a.want(t, 200, "PATCH", path, `{"text":"one","metadata":{ "b":2 }}`); again.text != edited.text || again.header.Get("Idempotent-Replay") != "true" {
		t.Errorf("the same content again: %v %s", again.header, again.text)
	}
	holds("an edit of only the text", a.want(t, 200, "PATCH", path, `{"text":"two"}`), `{"b":2}`)
	holds("emptied", a.want(t, 200, "PATCH", path, `{"metadata":{}}`), `{}`)
	versions := a.want(t, 200, "GET", path+"/versions", "")
	for _, want := range []string{`"text":"one","metadata":` + storedMetadata, `"text":"one","metadata":{"b":2}`, `"text":"two","metadata":{"b":2}`, `"text":"two","metadata":{}`} {
		if !strings.Contains(versions.text, want) {
			t.Errorf("versions: %s, want %s", versions.text, want)
		}
	}
	gone := a.want(t, 200, "DELETE", path, "")
	versions = a.want(t, 200, "GET", path+"/versions", "")
	if strings.Contains(gone.text+versions.text, "metadata") {
		t.Errorf("after the deletion: %s %s", gone.text, versions.text)
	}
	if strings.Contains(a.logs.String(), "12345678901234567890123") {
		t.Error("metadata is in the log")
	}
}

func TestPostMessage_InvalidMetadata(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	path, _ := postOne(t, a)
	long := func(n int) string { return `{"x":"` + strings.Repeat("y", n-len(`{"x":""}`)) + `"}` }
	for _, tt := range []struct {
		name, metadata string
		status         int
		location       string
	}{
		{"null", `null`, 422, "metadata"},
		{"an array", `[{}]`, 422, "metadata"},
		{"a text", `"{}"`, 422, "metadata"},
		{"a number", `1`, 422, "metadata"},
		{"a byte too many", long(chat.MaxMetadata + 1), 422, "metadata"},
		{"a duplicate key", `{"a":1,"a":2}`, 400, ""},
		{"a duplicate key within", `{"a":[{"b":1,"\u0062":2}]}`, 400, ""},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", 400, ""},
		{"half a surrogate", `{"a":"\ud800"}`, 400, ""},
		{"an open object", `{"a":{}`, 400, ""},
		{"a trailing comma", `{"a":1,}`, 400, ""},
	} {
		for request, body := range map[string]string{
			"POST /rooms/seattle/messages": `{"text":"x","metadata":` + tt.metadata + `}`,
			"PATCH " + path:                `{"metadata":` + tt.metadata + `}`,
		} {
			method, path, _ := strings.Cut(request, " ")
			got := a.do(t, method, path, body)
			if got.status != tt.status || tt.location != "" && !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+tt.location+" ") {
				t.Errorf("%s, %s: %d %s, want %d", method, tt.name, got.status, got.text, tt.status)
				continue
			}
			checkProblem(t, tt.name, got)
		}
	}
	if got := a.want(t, 200, "GET", "/rooms/seattle/messages", ""); strings.Contains(got.text, "metadata") || strings.Count(got.text, `"text"`) != 1 {
		t.Errorf("something was stored: %s", got.text)
	}
	a.want(t, 200, "PATCH", path, `{"text":"`+"x"+strings.Repeat(`\u0001`, chat.MaxText-1)+`","metadata": `+long(chat.MaxMetadata)+`}`)
}

func TestPutRoom_Metadata(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const seattle = "/rooms/seattle"
	a.want(t, 201, "PUT", seattle, `{"metadata":`+givenMetadata+`}`)
	private := a.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x","metadata":`+givenMetadata+`}`)
	for _, path := range []string{seattle, "/rooms", private.header.Get("Location")} {
		if got := a.want(t, 200, "GET", path, ""); !strings.Contains(got.text, `"metadata":`+storedMetadata) {
			t.Errorf("%s: %s", path, got.text)
		}
	}
	for _, kept := range []string{`{"topic":"rain"}`, `{"metadata":` + storedMetadata + `}`} {
		if got := a.want(t, 200, "PATCH", seattle, kept); !strings.Contains(got.text, `"metadata":`+storedMetadata) {
			t.Errorf("after %s: %s", kept, got.text)
		}
	}
	for _, invalid := range []string{`[]`, `null`, `{"x":"` + strings.Repeat("y", chat.MaxMetadata) + `"}`} {
		got := a.want(t, 422, "PUT", seattle, `{"metadata":`+invalid+`}`)
		checkProblem(t, "invalid metadata", got)
		if !strings.Contains(fmt.Sprint(got.body["errors"]), "location:metadata ") {
			t.Errorf("metadata is not named: %s", got.text)
		}
	}
	if got := a.want(t, 200, "PUT", seattle, `{"metadata":{}}`); !strings.Contains(got.text, `"metadata":{}`) {
		t.Errorf("emptied: %s", got.text)
	}
}
