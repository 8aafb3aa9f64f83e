package httpapi_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/httpapi"
)

// condition is what an operation does with a precondition.
type condition string

const (
	refused    condition = "refused"     // 400 for every value; every operation outside the table does this
	held       condition = "held"        // 304 for what the client holds
	only       condition = "only create" // 412 for what exists
	revision   condition = "revision"    // the whole ETag is the revision
	settings   condition = "settings"    // compares the revision in the ETag; retries find their content
	needed     condition = "needed"      // as revision, but any is refused, and a save needs it
	irrelevant condition = "irrelevant"  // a read that answers in full
)

// conditioned is what an operation with an ETag does with If-Match and If-None-Match.
type conditioned struct {
	etag, match, none condition
}

// conditions has each operation with an ETag or a precondition.
var conditions = map[string]conditioned{
	"GET /rooms/{room}":    {settings, irrelevant, held},
	"PUT /rooms/{room}":    {settings, settings, only},
	"PATCH /rooms/{room}":  {settings, settings, refused},
	"DELETE /rooms/{room}": {"", settings, refused},

	"GET /people/{user}":   {settings, irrelevant, held},
	"GET /people/me/heads": {settings, irrelevant, held},
	"PUT /people/{user}":   {settings, settings, refused},
	"PUT /people/me":       {settings, settings, refused},
	"PATCH /people/me":     {settings, settings, refused},
	// This deletes more than the profile, whose revision does not count the rest.
	"DELETE /people/{user}": {"", refused, refused},

	// A message's counts change without its revision, so a reader always gets all of it.
	"GET /rooms/{room}/messages/{id}":    {revision, irrelevant, irrelevant},
	"POST /rooms/{room}/messages":        {revision, refused, refused},
	"PATCH /rooms/{room}/messages/{id}":  {revision, revision, refused},
	"DELETE /rooms/{room}/messages/{id}": {revision, revision, refused},

	"GET /rooms/{room}/documents/{doc}/parts/{part}": {revision, irrelevant, held},
	"PUT /rooms/{room}/documents/{doc}/parts/{part}": {revision, needed, refused},
}

// TestConditions_AreDeclared compares the table with the document. An operation with an ETag must be
// in it, and so must each change of what has an ETag.
func TestConditions_AreDeclared(t *testing.T) {
	t.Parallel()
	_, doc := description(t)
	tagged := map[string]bool{"/people/me": true} // is a /people/{user}
	for path, item := range doc.Paths.Map() {
		ok := item.Get != nil && item.Get.Responses.Value("200").Value.Headers["ETag"] != nil
		tagged[path] = tagged[path] || ok
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			route := method + " " + path
			has := map[string]bool{}
			for _, p := range op.Parameters {
				has[p.Value.Name] = true
			}
			for status, r := range op.Responses.Map() {
				has["ETag"] = has["ETag"] || status < "300" && r.Value.Headers["ETag"] != nil
			}
			c, listed := conditions[route]
			takes := func(c condition) bool { return c != "" && c != refused && c != irrelevant }
			if has["ETag"] != (c.etag != "") || has["If-Match"] != takes(c.match) || has["If-None-Match"] != takes(c.none) {
				t.Errorf("%s declares %v: state in conditions what it does with each", route, has)
			}
			if tagged[path] && method != http.MethodGet && method != http.MethodPost && !listed {
				t.Errorf("%s changes what has an ETag: let it take If-Match, or state in conditions why not", route)
			}
		}
	}
}

// object is something with an ETag.
type object struct {
	path    string
	tag     string // its current ETag
	former  string // one that it had before; "" if it had none
	body    string // of a change
	headers []string
}

// objectOf creates the nth object that a route changes or reads, and changes it once.
func (a *api) objectOf(t *testing.T, route string, n int) object {
	t.Helper()
	path := fmt.Sprintf("/rooms/room-%d", n)
	o := object{path: path, body: `{"topic":"sun"}`}
	change := `{"topic":"rain"}`
	switch {
	case strings.Contains(route, "/heads"):
		o = object{path: "/people/me/heads", headers: []string{userHeader, fmt.Sprint("person-", n)}}
		a.want(t, 201, "PUT", path, "", o.headers...)
		o.former = a.want(t, 200, "GET", o.path, "", o.headers...).header.Get("ETag")
		a.want(t, 200, "PUT", "/people/me/rooms/"+fmt.Sprintf("room-%d", n), `{"muted":true}`, o.headers...)
	case strings.Contains(route, "/people"):
		o = object{path: "/people/me", body: `{"name":"B"}`, headers: []string{userHeader, fmt.Sprint("person-", n)}}
		if strings.Contains(route, "{user}") {
			o = object{path: fmt.Sprint("/people/person-", n), body: `{"name":"B"}`, headers: service}
		}
		change = `{"name":"A"}`
		a.want(t, 201, "PUT", o.path, `{"name":"N"}`, o.headers...)
		o.former = a.want(t, 200, "GET", o.path, "", o.headers...).header.Get("ETag")
		a.want(t, 200, "PUT", o.path, change, o.headers...)
	case strings.Contains(route, "{doc}"):
		a.want(t, 201, "PUT", path, "")
		o = object{path: path + "/documents/rules/parts/one", former: `"1"`, body: `{"text":"three"}`}
		a.want(t, 201, "PUT", o.path, `{"text":"one"}`)
		a.want(t, 200, "PUT", o.path, `{"text":"two"}`, "If-Match", `"1"`)
	case strings.Contains(route, "/messages"):
		a.want(t, 201, "PUT", path, "")
		sent := a.want(t, 201, "POST", path+"/messages", `{"text":"one"}`).header.Get("Location")
		o = object{path: sent, former: `"1"`, body: `{"text":"three"}`}
		a.want(t, 200, "PATCH", sent, `{"text":"two"}`)
	default:
		o.former = a.want(t, 201, "PUT", path, "").header.Get("ETag")
		a.want(t, 200, "PATCH", path, change)
	}
	o.tag = a.want(t, 200, "GET", o.path, "", o.headers...).header.Get("ETag")
	if strings.HasPrefix(route, "DELETE") || strings.HasPrefix(route, "GET") {
		o.body = ""
	}
	if strings.HasPrefix(route, "POST") {
		o.path = path + "/messages"
	}
	return o
}

// values are the values of a precondition, each named by what it is.
var values = []struct {
	name string
	of   func(o object) string
}{
	{"right", func(o object) string { return o.tag }},
	{"stale", func(o object) string { return o.former }},
	{"any", func(object) string { return "*" }},
	{"weak", func(o object) string { return "W/" + o.tag }},
	{"list", func(o object) string { return `"x", ` + o.tag }},
	{"malformed", func(o object) string { return strings.Trim(o.tag, `"`) }},
	{"foreign", func(object) string { return `"zzz"` }},
	{"empty", func(object) string { return "" }},
}

// wanted has the status for each of values, in order. 200 stands for every success.
var wanted = map[string]map[condition]string{
	"If-Match": {
		settings:   "200 412 200 422 422 422 422 422",
		revision:   "200 412 200 422 422 422 422 422",
		needed:     "200 412 422 422 422 422 422 422",
		refused:    "400 400 400 400 400 400 400 422",
		irrelevant: "200 200 200 200 200 200 200 422",
	},
	"If-None-Match": {
		held:       "304 200 304 304 304 200 200 200",
		only:       "422 422 412 422 422 422 422 422",
		refused:    "400 400 400 400 400 400 400 422",
		irrelevant: "200 200 200 200 200 200 200 200",
	},
}

// TestConditions_AreHonored makes the requests of the table with each value of each header. A
// refused one changes nothing.
func TestConditions_AreHonored(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	n := 0
	for _, route := range slices.Sorted(maps.Keys(conditions)) {
		method, _, _ := strings.Cut(route, " ")
		for header, c := range map[string]condition{"If-Match": conditions[route].match, "If-None-Match": conditions[route].none} {
			for i, status := range strings.Fields(wanted[header][c]) {
				n++
				o := a.objectOf(t, route, n)
				got := a.do(t, method, o.path, o.body, append(o.headers, header, values[i].of(o))...)
				if cmp.Or(map[int]string{201: "200", 202: "200", 204: "200"}[got.status], fmt.Sprint(got.status)) != status {
					t.Errorf("%s with the %s value of %s answers %d, want %s: %s", route, values[i].name, header, got.status, status, got.text)
				}
				if got.status < 400 {
					continue
				}
				checkProblem(t, route, got)
				if !strings.Contains(got.text, `"location":"`+header+`"`) {
					t.Errorf("%s does not name %s: %s", route, header, got.text)
				}
				if method == http.MethodPost {
					continue
				}
				if now := a.want(t, 200, "GET", o.path, "", o.headers...).header.Get("ETag"); now != o.tag {
					t.Errorf("%s was refused, and has changed the ETag from %s to %s", route, o.tag, now)
				}
			}
		}
	}
}

// TestDefine_RefusesIgnoredPreconditions sends preconditions to every change that does not take them,
// in a list or for an object without an ETag.
func TestDefine_RefusesIgnoredPreconditions(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	in := m.room(t, false, true)
	asked := map[string]bool{}
	for _, r := range rows() {
		if _, listed := conditions[r.route]; listed || strings.HasPrefix(r.route, "GET ") || asked[r.route] {
			continue
		}
		asked[r.route] = true
		caller := "owner"
		if strings.Contains(r.route, "/bulk/") {
			caller = desk
		}
		for _, header := range []string{"If-Match", "If-None-Match"} {
			got := m.ask(t, r, in, caller, header, "*")
			if got.status != 400 || !strings.Contains(got.text, `"location":"`+header+`"`) {
				t.Errorf("%s with %s answers %d: %s", r.route, header, got.status, got.text)
			}
		}
	}
	for _, route := range httpapi.Routes() {
		if _, listed := conditions[route.Key()]; !listed && !asked[route.Key()] && !route.Public && route.Method != http.MethodGet && route.Method != http.MethodHead {
			t.Errorf("%s is not asked", route.Key())
		}
	}
}
