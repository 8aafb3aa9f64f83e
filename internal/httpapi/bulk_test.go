package httpapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/ratelimit"
)

// statuses returns the statuses of a bulk answer's results, in order.
func statuses(t *testing.T, got answer) string {
	t.Helper()
	var all []string
	for _, item := range got.body["items"].([]any) {
		all = append(all, fmt.Sprint(item.(map[string]any)["status"]))
	}
	return strings.Join(all, " ")
}

// bulk sends a bulk request of a service, and compares the statuses of its results.
func (a *api) bulk(t *testing.T, path, body, want string) answer {
	t.Helper()
	got := a.want(t, 200, "POST", path, body, service...)
	if all := statuses(t, got); all != want {
		t.Errorf("%s %s: the statuses are %s, want %s\n%s", path, body, all, want, got.text)
	}
	return got
}

// TestBulk_ProvisionsTwice sends people, rooms and memberships, and then the same again, which
// changes nothing.
func TestBulk_ProvisionsTwice(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, status := range []string{"201", "200"} {
		all := status + " " + status
		a.bulk(t, "/bulk/people", `{"items":[{"user":"e129","name":"Rhianna","title":"Director"},{"user":"e146","name":"Davy","kind":"bot"}]}`, all)
		a.bulk(t, "/bulk/rooms", `{"items":[{"id":"seattle","topic":"rain"},{"id":"tacoma"}]}`, all)
		a.bulk(t, "/bulk/memberships", `{"strict":true,"items":[{"room":"seattle","user":"e129","role":"moderator"},{"room":"seattle","user":"e146","role":"member"}]}`, all)
	}
	if got := a.want(t, 200, "GET", "/people/e129", ""); got.body["title"] != "Director" {
		t.Errorf("the person is %s", got.text)
	}
	if got := a.want(t, 200, "GET", "/rooms/seattle", ""); got.body["topic"] != "rain" || got.body["createdBy"] != "desk" {
		t.Errorf("the room is %s", got.text)
	}
	if got := a.want(t, 200, "GET", "/rooms/seattle/members/e129", ""); got.body["role"] != "moderator" {
		t.Errorf("the member is %s", got.text)
	}
	var audit []string
	for _, line := range a.want(t, 200, "GET", "/rooms/seattle/audit", "", service...).body["items"].([]any) {
		audit = append(audit, line.(map[string]any)["action"].(string))
	}
	if slices.Sort(audit); strings.Join(audit, " ") != "member.role member.role member.role room.created" {
		t.Errorf("the audit has %v", audit)
	}
	a.bulk(t, "/bulk/memberships", `{"items":[{"room":"tacoma","user":"e129","role":"owner"}]}`, "201")
}

// TestBulk_AddsToRoomsOfOthers adds members to a room in which the service has no role.
func TestBulk_AddsToRoomsOfOthers(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "owner")
	const body = `{"items":[{"room":"seattle","user":"bob","role":"member"},{"room":"seattle","user":"eve","role":"moderator"}]}`
	a.bulk(t, "/bulk/memberships", body, "201 403")
	a.bulk(t, "/bulk/memberships", body, "200 403")
}

// TestBulk_RefusedEntryStopsNoOther has an entry for each reason to refuse one.
func TestBulk_RefusedEntryStopsNoOther(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "owner")
	got := a.bulk(t, "/bulk/people", `{"items":[{"user":"a","name":"A"},{"user":"b"},{"user":"c","name":"C","nick":"c"},{"user":"no one","name":"D"},`+
		`{"user":"e","name":"E","hired":"1995-02-30"},{"user":"a","name":"Again"},5,null,{"user":"f","name":5},{"user":"g","name":null},{"user":"z","name":"Z"}]}`,
		"201 422 422 422 422 409 422 422 422 422 201")
	for i, location := range []string{"", "name", "nick", "user", "hired", "", "body", "body", "name", "name", ""} {
		result := got.body["items"].([]any)[i].(map[string]any)
		p, _ := result["problem"].(map[string]any)
		faults, _ := p["errors"].([]any)
		if (p == nil) != (result["status"] == 201.0) || (location == "") != (faults == nil) || faults != nil && faults[0].(map[string]any)["location"] != location {
			t.Errorf("entry %d is answered with %v, want a fault of %q", i, result, location)
		}
	}
	if got := a.want(t, 200, "GET", "/people/a", ""); got.body["name"] != "A" {
		t.Errorf("a repeated entry changed %s", got.text)
	}
	a.bulk(t, "/bulk/rooms", `{"items":[{"id":"seattle"},{"id":"Seattle"},{"id":"x","shards":65},{"id":"x","name":""},{"id":"y"}]}`, "409 422 422 422 201")
	got = a.bulk(t, "/bulk/memberships", `{"strict":true,"items":[{"room":"y","user":"a","role":"member"},{"room":"y","user":"aa","role":"member"},`+
		`{"room":"nowhere","user":"a","role":"member"},{"room":"y","user":"z","role":"banned"}]}`, "201 422 404 422")
	if strict := got.body["items"].([]any)[1].(map[string]any); strict["room"] != "y" || strict["user"] != "aa" {
		t.Errorf("the result of an unknown user is %v", strict)
	}
}

// TestBulk_RefusesTheRequest has the requests that are refused as a whole.
func TestBulk_RefusesTheRequest(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	many := strings.TrimSuffix(strings.Repeat("{},", 1001), ",")
	for body, status := range map[string]int{
		`{"items":[`: 400, `{}`: 422, `{"items":[]}`: 422, `{"items":[` + many + `]}`: 422, `{"items":[{}],"strict":5}`: 422, `{"items":{}}`: 422,
		`{"items":[{"user":"a","user":"b"}]}`: 400, `{"items":["` + strings.Repeat("x", 1<<20) + `"]}`: 413,
	} {
		if got := a.do(t, "POST", "/bulk/memberships", body, service...); got.status != status {
			t.Errorf("%.40s: %d %s, want %d", body, got.status, got.text, status)
		}
	}
	for _, headers := range [][]string{{userHeader, "amsg"}, via("amsg")} {
		for _, path := range []string{"/bulk/people", "/bulk/rooms", "/bulk/memberships"} {
			a.want(t, 403, "POST", path, `{"items":[{}]}`, headers...)
		}
	}
}

// TestBulk_ChargesEachEntry has budgets for some of the entries only. The others say when to repeat
// them.
func TestBulk_ChargesEachEntry(t *testing.T) {
	t.Parallel()
	at := start
	a := newAPI(t, func(o *app.Options) {
		o.Clock = func() time.Time { return at }
		o.Limits[ratelimit.Rooms] = ratelimit.Limit{Each: time.Minute, Window: 2 * time.Minute}
	})
	const body = `{"items":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}]}`
	made := 0
	for range 4 {
		got := a.want(t, 200, "POST", "/bulk/rooms", body, service...)
		for _, item := range got.body["items"].([]any) {
			result := item.(map[string]any)
			switch result["status"] {
			case 201.0:
				made++
			case 429.0:
				p := result["problem"].(map[string]any)
				if p["limit"] != "rooms" || p["retryable"] != true || result["retryAfter"].(float64) < 1 {
					t.Errorf("a refused entry is answered with %v", result)
				}
			}
		}
		at = at.Add(5 * time.Minute)
	}
	if made != 4 {
		t.Errorf("%d rooms were made, want 4", made)
	}
}

// TestBulk_FillsOneRoom adds many people to one room, which the service owns.
func TestBulk_FillsOneRoom(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(o *app.Options) { o.Clock = time.Now }) // the audit has a place for each instant
	a.bulk(t, "/bulk/rooms", `{"items":[{"id":"seattle"}]}`, "201")
	var items []string
	for i := range 100 {
		items = append(items, fmt.Sprintf(`{"room":"seattle","user":"e%d","role":"member"}`, i))
	}
	a.bulk(t, "/bulk/memberships", `{"items":[`+strings.Join(items, ",")+`]}`, strings.TrimSpace(strings.Repeat("201 ", 100)))
}

// TestBulk_AThousandEntries sends the largest request.
func TestBulk_AThousandEntries(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var items []string
	for i := range 1000 {
		items = append(items, fmt.Sprintf(`{"user":"e%d","name":"Person %d"}`, i, i))
	}
	got := a.want(t, 200, "POST", "/bulk/people", `{"items":[`+strings.Join(items, ",")+`]}`, service...)
	all := got.body["items"].([]any)
	if len(all) != 1000 {
		t.Fatalf("%d results", len(all))
	}
	for i, item := range all {
		result := item.(map[string]any)
		if result["user"] != fmt.Sprint("e", i) || result["status"] != 201.0 && result["status"] != 503.0 {
			t.Fatalf("entry %d is answered with %v", i, result)
		}
	}
	t.Logf("%d are created in one request", strings.Count(got.text, ":201"))
}
