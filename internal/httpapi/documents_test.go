package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
)

const (
	charter  = "/rooms/seattle/documents/charter"
	preamble = charter + "/parts/preamble"
)

func TestPutPart_KeepsVersions(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	first := a.want(t, 201, "PUT", preamble, `{"text":"We, the people"}`)
	const wantFirst = `{"part":"preamble","version":1,"text":"We, the people","savedBy":"amsg","savedAt":"2018-08-29T12:00:00.000Z"}`
	if first.text != wantFirst || first.header.Get("ETag") != `"1"` || first.header.Get("Idempotent-Replay") != "" {
		t.Errorf("first save: %v %s", first.header, first.text)
	}
	second := a.want(t, 200, "PUT", preamble, `{"text":"We, the rain"}`, "If-Match", `"1"`, userHeader, "bob")
	if second.body["version"] != 2.0 || second.header.Get("ETag") != `"2"` {
		t.Errorf("second save: %v %s", second.header, second.text)
	}
	again := a.want(t, 200, "PUT", preamble, `{"text":"We, the rain"}`, "If-Match", `"1"`, userHeader, "bob")
	if again.header.Get("Idempotent-Replay") != "true" || again.text != second.text || again.header.Get("ETag") != `"2"` {
		t.Errorf("the save again: %v %s", again.header, again.text)
	}
	blind := a.want(t, 428, "PUT", preamble, `{"text":"other"}`)
	checkProblem(t, "a save without If-Match", blind)
	if blind.body["type"] != "/problems/precondition-required" || !strings.Contains(blind.text, "If-Match") {
		t.Errorf("a save without If-Match: %s", blind.text)
	}
	for _, stale := range [][]string{{"If-Match", `"1"`}, {"If-Match", `"3"`}} {
		got := a.want(t, 412, "PUT", preamble, `{"text":"other"}`, stale...)
		checkProblem(t, "a stale save", got)
		if got.body["type"] != "/problems/stale" || !strings.Contains(got.text, "If-Match") {
			t.Errorf("stale save %v: %s", stale, got.text)
		}
	}
	if got := a.want(t, 200, "GET", preamble, ""); got.text != second.text || got.header.Get("ETag") != `"2"` {
		t.Errorf("the newest: %v %s", got.header, got.text)
	}
	if got := a.want(t, 200, "GET", preamble+"/versions", ""); got.text != `{"items":[`+second.text+","+first.text+`]}` {
		t.Errorf("versions: %s", got.text)
	}
	page := a.want(t, 200, "GET", preamble+"/versions?limit=1", "")
	rest := a.want(t, 200, "GET", fmt.Sprintf("%s/versions?limit=1&cursor=%s", preamble, page.body["next"]), "")
	if rest.text != `{"items":[`+first.text+`]}` {
		t.Errorf("the second page: %s", rest.text)
	}
	if got := a.want(t, 200, "GET", preamble+"/versions/1", ""); got.text != first.text {
		t.Errorf("version 1: %s", got.text)
	}
	a.want(t, 404, "GET", preamble+"/versions/3", "")
	for _, method := range []string{"PUT", "DELETE", "PATCH", "POST"} {
		for _, path := range []string{preamble + "/versions/1", preamble + "/versions", charter + "/parts/v0_preamble"} {
			if got := a.do(t, method, path, `{"text":"forged"}`); got.status < 400 {
				t.Errorf("%s %s answers %d", method, path, got.status)
			}
		}
	}
}

func TestGetDocument_ReadsEveryPart(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	created := a.want(t, 201, "PUT", charter, `{"title":"The charter","read":"everyone","write":"owners"}`)
	const document = `"room":"seattle","document":"charter","title":"The charter","createdBy":"amsg","createdAt":"2018-08-29T12:00:00.000Z"`
	if created.text != `{`+document+`,"read":"everyone","write":"owners"}` {
		t.Errorf("created: %s", created.text)
	}
	if got := a.want(t, 200, "GET", charter, ""); got.text != `{`+document+`,"read":"everyone","write":"owners","parts":[]}` {
		t.Errorf("without parts: %s", got.text)
	}
	a.want(t, 403, "PUT", preamble, `{"text":"x"}`, userHeader, "bob")
	one := a.want(t, 201, "PUT", preamble, `{"text":"x"}`)
	two := a.want(t, 201, "PUT", charter+"/parts/rules", `{"text":"y"}`)
	got := a.want(t, 200, "GET", charter, "", userHeader, "bob")
	if want := `{` + document + `,"read":"everyone","write":"owners","parts":[` + one.text + "," + two.text + `]}`; got.text != want {
		t.Errorf("with parts: %s\nwant %s", got.text, want)
	}
	page := a.want(t, 200, "GET", charter+"?limit=1", "")
	rest := a.want(t, 200, "GET", fmt.Sprintf("%s?limit=1&cursor=%s", charter, page.body["next"]), "")
	if !strings.HasSuffix(rest.text, `"parts":[`+two.text+`]}`) {
		t.Errorf("the second page: %s", rest.text)
	}
	list := a.want(t, 200, "GET", "/rooms/seattle/documents", "", userHeader, "bob")
	if list.text != `{"items":[{`+document+`}]}` {
		t.Errorf("the room's documents: %s", list.text)
	}
	changed := a.want(t, 200, "PATCH", charter, `{"title":"New","read":"owners"}`)
	if changed.body["title"] != "New" || changed.body["read"] != "owners" || changed.body["write"] != "owners" {
		t.Errorf("changed: %s", changed.text)
	}
	for _, path := range []string{charter, preamble, preamble + "/versions", preamble + "/versions/1"} {
		checkProblem(t, path, a.want(t, 403, "GET", path, "", userHeader, "bob"))
	}
	a.want(t, 403, "PUT", charter, `{"title":"Bob's"}`, userHeader, "bob")
}

func TestPutDocument_InvalidInput(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	a.want(t, 201, "PUT", preamble, `{"text":"x"}`)
	const save, put = "PUT " + preamble, "PUT " + charter
	long := strings.Repeat("a", 65)
	for _, tag := range []string{`"0"`, `"01"`, `"99999999999999999999"`} {
		a.wantRefused(t, []refusal{{"the ETag " + tag, save, `{"text":"x"}`, 422, "If-Match"}}, "If-Match", tag)
	}
	a.wantRefused(t, []refusal{
		{"no body", save, ``, 400, ""},
		{"no text", save, `{}`, 422, "text"},

		{"a document in capitals", "PUT /rooms/seattle/documents/Charter/parts/a", `{"text":"x"}`, 422, "doc"},
		{"a document with a separator", "PUT /rooms/seattle/documents/a%23b/parts/a", `{"text":"x"}`, 422, "doc"},
		{"a document of 65 bytes", "PUT /rooms/seattle/documents/" + long, `{}`, 422, "doc"},
		{"a part of 65 bytes", "PUT " + charter + "/parts/" + long, `{"text":"x"}`, 422, "part"},
		{"a document that begins with a dash", "GET /rooms/seattle/documents/-a", "", 422, "doc"},
		{"a part with a separator", "PUT " + charter + "/parts/a_b", `{"text":"x"}`, 422, "part"},
		{"a part that ends in a dash", "GET " + charter + "/parts/a-", "", 422, "part"},

		{"a title of two lines", put, `{"title":"a\nb"}`, 422, "title"},
		{"writers that are none", put, `{"write":"nobody"}`, 422, "write"},

		{"an unknown part", "GET " + charter + "/parts/nothing", "", 404, ""},
		{"the versions of an unknown part", "GET " + charter + "/parts/nothing/versions", "", 404, ""},
		{"version 0", "GET " + preamble + "/versions/0", "", 422, "n"},
		{"a version below zero", "GET " + preamble + "/versions/-1", "", 422, "n"},
		{"a version past all", "GET " + preamble + "/versions/1000000000", "", 422, "n"},
		{"a version that is no number", "GET " + preamble + "/versions/new", "", 422, "n"},
	})
	if got := a.want(t, 200, "GET", preamble+"/versions", ""); len(got.body["items"].([]any)) != 1 {
		t.Errorf("something was stored: %s", got.text)
	}
	if got := a.want(t, 200, "GET", "/rooms/seattle/documents?limit=200", ""); strings.Count(got.text, `"document":`) != 1 {
		t.Errorf("documents: %s", got.text)
	}
}
