package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/app"
	"example.com/parley/internal/people"
	"example.com/parley/internal/test/faults"
)

// between is an API in which happen runs once, after a change has read the current state and before
// the transaction that writes it.
type between struct {
	*api
	happen func()
}

func newBetween(t *testing.T) *between {
	t.Helper()
	b := &between{}
	b.api = newAPIOver(t, faults.Altered(func(input any) any {
		if _, writes := input.(*dynamodb.TransactWriteItemsInput); writes && b.happen != nil {
			happen := b.happen
			b.happen = nil
			happen()
		}
		return nil
	}))
	return b
}

// TestIfMatch_OfTwoWritersOneWins lets a second writer with the same ETag write between the read and
// the write of the first.
func TestIfMatch_OfTwoWritersOneWins(t *testing.T) {
	t.Parallel()
	a := newBetween(t)
	const room, me, amsg = "/rooms/seattle", "/people/me", "/people/amsg"
	for _, tt := range []struct {
		first, body, second, second2 string
		headers                      []string
	}{
		{"PATCH " + room, `{"topic":"first"}`, "PATCH " + room, `{"topic":"second"}`, nil},
		{"PUT " + room, `{"topic":"first"}`, "PATCH " + room, `{"archived":true}`, nil},
		{"PATCH " + room, `{"topic":"first"}`, "PUT " + room, `{"name":"second"}`, nil},
		{"DELETE " + room, "", "PATCH " + room, `{"topic":"second"}`, nil},
		{"PATCH " + me, `{"title":"first"}`, "PATCH " + me, `{"title":"second"}`, nil},
		{"PUT " + me, `{"name":"first"}`, "PATCH " + me, `{"status":{"text":"second"}}`, nil},
		{"PUT " + amsg, `{"name":"first"}`, "PATCH " + me, `{"state":"CA"}`, service},
	} {
		path := room
		if strings.Contains(tt.first, "people") {
			path = me
		}
		a.do(t, "PATCH", room, `{"archived":false}`)
		a.do(t, "PUT", path, `{"name":"before"}`)
		tag := a.want(t, 200, "GET", path, "").header.Get("ETag")
		want := ""
		a.happen = func() {
			method, path, _ := strings.Cut(tt.second, " ")
			a.want(t, 200, method, path, tt.second2, "If-Match", tag)
			want = a.want(t, 200, "GET", path, "").text
		}
		method, first, _ := strings.Cut(tt.first, " ")
		got := a.want(t, 412, method, first, tt.body, append(tt.headers, "If-Match", tag)...)
		checkProblem(t, tt.first, got)
		if now := a.want(t, 200, "GET", path, "").text; want == "" || now != want {
			t.Errorf("%s has left %s, and the other writer wrote %s", tt.first, now, want)
		}
	}
}

// TestIfMatch_FirstProfileIsNotReplaced lets two writers save a profile that is not there yet.
func TestIfMatch_FirstProfileIsNotReplaced(t *testing.T) {
	t.Parallel()
	a := newBetween(t)
	tag := a.want(t, 200, "GET", "/people/me", "").header.Get("ETag")
	if !strings.HasPrefix(tag, `"0-`) {
		t.Errorf("the ETag before the profile is saved is %s", tag)
	}
	a.want(t, 412, "PUT", "/people/me", `{"name":"A"}`, "If-Match", "*")
	a.happen = func() { a.want(t, 201, "PUT", "/people/me", `{"name":"B"}`, "If-Match", tag) }
	a.want(t, 412, "PUT", "/people/me", `{"name":"A"}`, "If-Match", tag)
	if got := a.want(t, 200, "GET", "/people/me", ""); got.body["name"] != "B" {
		t.Errorf("the profile is %s", got.text)
	}
}

// TestPutRoom_OnlyCreates lets two requests of one owner create a room. The second to write must not
// replace the settings.
func TestPutRoom_OnlyCreates(t *testing.T) {
	t.Parallel()
	a := newBetween(t)
	a.happen = func() { a.want(t, 201, "PUT", "/rooms/seattle", `{"topic":"first"}`, "If-None-Match", "*") }
	got := a.want(t, 412, "PUT", "/rooms/seattle", `{"topic":"second"}`, "If-None-Match", "*")
	if !strings.Contains(got.text, `"location":"If-None-Match"`) {
		t.Errorf("the problem is %s", got.text)
	}
	if got := a.want(t, 200, "GET", "/rooms/seattle", ""); got.body["topic"] != "first" {
		t.Errorf("the room is %s", got.text)
	}
}

// TestPutRoom_WithIfMatchNeverCreates: an id is free, taken by others, deleted, or of a hidden room.
func TestPutRoom_WithIfMatchNeverCreates(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/taken", "", userHeader, "bob")
	a.want(t, 201, "PUT", "/rooms/deleted", "")
	a.want(t, 204, "DELETE", "/rooms/deleted", "")
	a.want(t, 201, "PUT", "/rooms/p-hidden", "", userHeader, "crm", serviceHeader, "yes")
	for path, want := range map[string][2]int{ // as amsg, and as a service
		"/rooms/free": {412, 412}, "/rooms/taken": {409, 409}, "/rooms/deleted": {412, 412}, "/rooms/p-hidden": {404, 412}, "/rooms/p-free": {404, 412},
	} {
		for _, match := range []string{"*", `"0-AAAAAAAAAAAAAAAA"`} {
			a.want(t, want[0], "PUT", path, `{"topic":"x"}`, "If-Match", match)
			a.want(t, want[1], "PUT", path, `{"topic":"x"}`, append(service, "If-Match", match)...)
		}
	}
	a.want(t, 422, "PUT", "/rooms/free", "", "If-Match", "*", "If-None-Match", "*")
	a.want(t, 404, "GET", "/rooms/free", "")
}

// TestIfMatch_ARepeatFindsItsContent repeats changes whose answers may have been lost, with the ETag
// on which they were based.
func TestIfMatch_ARepeatFindsItsContent(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	a.want(t, 201, "PUT", "/people/me", `{"name":"A","title":"Clerk"}`)
	for _, tt := range []struct{ method, path, body, other string }{
		{"PATCH", "/rooms/seattle", `{"topic":"rain"}`, `{"topic":"sun"}`},
		{"PUT", "/rooms/seattle", `{"topic":"snow"}`, `{"topic":"sun"}`},
		{"PATCH", "/rooms/seattle", `{"archived":true}`, `{"archived":false}`},
		{"PATCH", "/people/me", `{"title":"Lead"}`, `{"title":"Clerk"}`},
		{"PUT", "/people/me", `{"name":"A","title":"Lead"}`, `{"name":"A","title":"Chief"}`},
	} {
		tag := a.want(t, 200, "GET", tt.path, "").header.Get("ETag")
		first := a.want(t, 200, tt.method, tt.path, tt.body, "If-Match", tag)
		again := a.want(t, 200, tt.method, tt.path, tt.body, "If-Match", tag)
		if first.text != again.text || first.header.Get("ETag") != again.header.Get("ETag") || first.header.Get("ETag") == tag {
			t.Errorf("%s %s: first %s %s, then %s %s", tt.method, tt.path, first.header.Get("ETag"), first.text, again.header.Get("ETag"), again.text)
		}
		a.want(t, 200, tt.method, tt.path, tt.other, "If-Match", first.header.Get("ETag"))
		a.want(t, 412, tt.method, tt.path, tt.body, "If-Match", tag)
	}
}

// TestETag_RevisionCountsSettings makes changes around a room and a profile. Only what their owners
// set raises the revision.
func TestETag_RevisionCountsSettings(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	revision := func(path string) string {
		before, _, _ := strings.Cut(a.want(t, 200, "GET", path, "").header.Get("ETag"), "-")
		return strings.TrimPrefix(before, `"`)
	}
	for _, tt := range []struct {
		method, path, body, room, person string
		headers                          []string
	}{
		{"POST", "/rooms/seattle/messages", `{"text":"x"}`, "0", "0", nil},
		{"PUT", "/rooms/seattle/members/bob", `{"role":"member"}`, "0", "0", nil},
		{"PUT", "/rooms/seattle/documents/rules", `{"title":"x"}`, "0", "0", nil},
		{"PUT", "/people/me/rooms/seattle", `{"favorite":true}`, "0", "0", nil},
		{"PATCH", "/rooms/seattle", `{"shards":4}`, "0", "0", nil},
		{"PATCH", "/rooms/seattle", `{}`, "0", "0", nil},
		{"PATCH", "/rooms/seattle", `{"topic":"x"}`, "1", "0", nil},
		{"PATCH", "/rooms/seattle", `{"archived":true}`, "2", "0", nil},
		{"PATCH", "/rooms/seattle", `{"archived":false}`, "3", "0", nil},
		{"PUT", "/people/me", `{"name":"A"}`, "3", "1", nil},
		{"PATCH", "/people/me", `{"status":{"text":"x"}}`, "3", "2", nil},
		{"PUT", "/people/amsg", `{"name":"B"}`, "3", "3", service},
		{"PUT", "/people/amsg", `{"name":"B"}`, "3", "3", service},
	} {
		if got := a.do(t, tt.method, tt.path, tt.body, tt.headers...); got.status >= 300 {
			t.Errorf("%s %s: %s", tt.method, tt.path, got.text)
		}
		if room, person := revision("/rooms/seattle"), revision("/people/me"); room != tt.room || person != tt.person {
			t.Errorf("after %s %s %s the room has revision %s, the person %s, want %s and %s", tt.method, tt.path, tt.body, room, person, tt.room, tt.person)
		}
	}
}

// TestGetPerson_ETagHidesHiddenChanges changes facts that the directory shows to nobody.
func TestGetPerson_ETagHidesHiddenChanges(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(o *app.Options) { o.Directory = people.ForServices })
	tags := func() [2]string {
		var seen [2]string
		for i, user := range []string{"bob", "amsg"} {
			seen[i] = a.want(t, 200, "GET", "/people/amsg", "", userHeader, user).header.Get("ETag")
		}
		return seen
	}
	a.want(t, 201, "PUT", "/people/me", `{"name":"A","title":"Clerk"}`)
	before := tags()
	a.want(t, 200, "PATCH", "/people/me", `{"title":"Lead"}`)
	if after := tags(); after[0] != before[0] || after[1] == before[1] {
		t.Errorf("bob and the person saw the ETags %v, and %v after the change", before, after)
	}
}

// TestPatchRoom_ShardsHaveNoRevision: If-Match does not guard them, so they are not changed with it.
func TestPatchRoom_ShardsHaveNoRevision(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	tag := a.want(t, 201, "PUT", "/rooms/seattle", `{"shards":2}`).header.Get("ETag")
	got := a.want(t, 422, "PATCH", "/rooms/seattle", `{"shards":4,"topic":"x"}`, "If-Match", tag)
	if !strings.Contains(got.text, `"location":"shards"`) || !strings.Contains(got.text, "If-Match") {
		t.Errorf("the problem is %s", got.text)
	}
	if got := a.want(t, 200, "PATCH", "/rooms/seattle", `{"shards":2,"topic":"y"}`, "If-Match", tag); got.body["topic"] != "y" {
		t.Errorf("the room is %s", got.text)
	}
	a.want(t, 200, "PATCH", "/rooms/seattle", `{"shards":4}`, "If-Match", "*")
}

// TestCheckConditions_ValuesOfTwoLines sends a header twice, as no gateway does. It must not be taken
// for the first of its values.
func TestCheckConditions_ValuesOfTwoLines(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	tag := a.want(t, 201, "PUT", "/rooms/seattle", "").header.Get("ETag")
	r := httptest.NewRequest(http.MethodDelete, "/rooms/seattle", nil)
	r.Header = http.Header{userHeader: {"amsg"}, "If-Match": {tag, `"7-AAAAAAAAAAAAAAAA"`}}
	w := httptest.NewRecorder()
	if a.handler.ServeHTTP(w, r); w.Code != 422 || !strings.Contains(w.Body.String(), `"location":"If-Match","message":"must be given once"`) {
		t.Errorf("it answers %d %s", w.Code, w.Body)
	}
}

// TestGetRoom_IfNoneMatchComparesAllOfTheETag: a member who joins does not raise the revision, and
// changes the answer.
func TestGetRoom_IfNoneMatchComparesAllOfTheETag(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	const path = "/rooms/seattle?include=count"
	before := a.want(t, 200, "GET", path, "").header.Get("ETag")
	a.want(t, 304, "GET", path, "", "If-None-Match", before)
	a.want(t, 201, "PUT", "/rooms/seattle/members/me", `{"role":"member"}`, userHeader, "bob")
	if after := a.want(t, 200, "GET", path, "", "If-None-Match", before).header.Get("ETag"); after == before || after[:3] != before[:3] {
		t.Errorf("the ETag was %s, and is %s after somebody joined", before, after)
	}
}
