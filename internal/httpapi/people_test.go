package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
)

// putEmployees puts the sample employees for which the keys of people were designed.
func putEmployees(t *testing.T, a *api) {
	t.Helper()
	a.want(t, 201, "PUT", "/people/me", `{"name":"Rhianna Cohen","title":"System Architect","state":"CA","hired":"1995-07-01"}`, userHeader, "e129")
	a.want(t, 200, "PATCH", "/people/me", `{"title":"Director of Technology"}`, userHeader, "e129")
	a.want(t, 201, "PUT", "/people/me", `{"name":"Davy Ivens","title":"Desktop Support","state":"TX","hired":"2010-02-16"}`, userHeader, "e146")
}

func TestListPeople_FindsByEachFact(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	putEmployees(t, a)
	for _, tt := range []struct{ question, want string }{
		{"/people/e129", `{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen","kind":"person","title":"Director of Technology","previousTitles":["System Architect"],"state":"CA","hired":"1995-07-01"}`},
		{"/people/e146", `{"user":"e146","name":"Davy Ivens","skeleton":"davy lvens","kind":"person","title":"Desktop Support","state":"TX","hired":"2010-02-16"}`},
		{"/people?state=CA", `{"items":[{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen","state":"CA"}]}`},
		{"/people?title=Director%20of%20Technology", `{"items":[{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen","title":"Director of Technology"}]}`},
		{"/people?had_title=System+Architect", `{"items":[{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen","previousTitle":"System Architect"}]}`},
		{"/people?name=Rhi", `{"items":[{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen"}]}`},
		{"/people?name=cohen", `{"items":[{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen"}]}`},
		{"/people?name=%20rhi", `{"items":[{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen"}]}`},
		{"/people?name=%25", `{"items":[]}`},
	} {
		if got := a.want(t, 200, "GET", tt.question, ""); got.text != tt.want {
			t.Errorf("%s answers %s, want %s", tt.question, got.text, tt.want)
		}
	}
}

func TestListPeople_Pages(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var want []string
	for i := range 5 {
		name := fmt.Sprintf("Ann %d", i/2)
		want = append(want, name)
		a.want(t, 201, "PUT", "/people/me", `{"name":"`+name+`","state":"CA"}`, userHeader, fmt.Sprint("e", i))
	}
	for _, question := range []string{"name=Ann", "state=CA"} {
		var got []string
		next := ""
		for {
			page := a.want(t, 200, "GET", "/people?limit=2&"+question+next, "")
			for _, p := range page.body["items"].([]any) {
				got = append(got, p.(map[string]any)["name"].(string))
			}
			cursor, more := page.body["next"].(string)
			if !more {
				break
			}
			next = "&cursor=" + url.QueryEscape(cursor)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s gives %v, want %v", question, got, want)
		}
		checkProblem(t, question, a.want(t, 400, "GET", "/people?title=Ann"+next, ""))
	}
}

func TestPutPerson_InvalidInput(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const put, list = "PUT /people/me", "GET /people"
	long := strings.Repeat("x", 101)
	a.wantRefused(t, []refusal{
		{"no body", put, ``, 400, ""},
		{"no name", put, `{"state":"CA"}`, 422, "name"},
		{"a title that ends in a space", put, `{"name":"R","title":"Clerk "}`, 422, "title"},
		{"a state with a separator", put, `{"name":"R","state":"#"}`, 422, "state"},
		{"a day that does not exist", put, `{"name":"R","hired":"1995-02-30"}`, 422, "hired"},
		{"an avatar without a scheme", put, `{"name":"R","avatar":"example.com/a.png"}`, 422, "avatar"},
		{"a status of two lines", put, `{"name":"R","status":{"text":"a\nb"}}`, 422, "status.text"},
		{"a status one letter too long", put, `{"name":"R","status":{"text":"` + long + `"}}`, 422, "status.text"},
		{"a word as an emoji", put, `{"name":"R","status":{"emoji":"sun"}}`, 422, "status.emoji"},
		{"an end that is no time", put, `{"name":"R","status":{"text":"x","until":"tomorrow"}}`, 422, "status.until"},
		{"an end of no status", put, `{"name":"R","status":{"until":"2018-08-30T12:00:00Z"}}`, 422, "status.until"},
		{"an unknown field of a status", put, `{"name":"R","status":{"mood":"x"}}`, 422, "status.mood"},
		{"a person of no alphabet", "GET /people/a%23b", "", 422, "user"},
		{"a person one letter too long", "GET /people/" + strings.Repeat("u", 65), "", 422, "user"},
		{"no question", list, "", 422, "name"},
		{"two questions", list + "?name=R&state=CA", "", 422, "state"},
		{"all questions", list + "?name=R&title=T&had_title=H&state=CA", "", 422, "title"},
		{"a state with a separator asked", list + "?state=CA%23", "", 422, "state"},
		{"a former title that ends in a space", list + "?had_title=Clerk%20", "", 422, "had_title"},
		{"an empty name asked", list + "?name=", "", 422, "name"},
		{"a blank name asked", list + "?name=%20", "", 422, "name"},
		{"two names", list + "?name=a&name=b", "", 422, "name"},
		{"an unknown parameter", list + "?city=Seattle", "", 422, "city"},
		{"ids and a name", list + "?ids=e129&name=R", "", 422, "ids"},
		{"an id of no alphabet", list + "?ids=e129,a%23b", "", 422, "ids"},
		{"an empty id", list + "?ids=e129,", "", 422, "ids"},
		{"more than 100 ids", list + "?ids=e" + strings.Repeat(",e", people.MaxIDs), "", 422, "ids"},
		{"an absurd cursor", list + "?state=CA&cursor=%00", "", 400, "cursor"},
	})
	if me := a.want(t, 200, "GET", "/people/me", ""); me.text != `{"user":"amsg","name":"amsg","skeleton":"arnsg","kind":"person"}` {
		t.Errorf("a refused profile is stored: %s", me.text)
	}
	atLimit := `{"name":"` + strings.Repeat("n", chat.MaxName) + `","title":"` + strings.Repeat("t", people.MaxTitle) + `","state":"` + strings.Repeat("s", people.MaxState) + `","hired":"1900-01-01"}`
	a.want(t, 201, "PUT", "/people/me", atLimit)
	a.want(t, 200, "GET", "/people?limit=200&state="+strings.Repeat("s", people.MaxState), "")
	for _, path := range []string{"/people/me", "/people/e129", "/people?state=CA"} {
		checkProblem(t, path, a.want(t, 401, "GET", path, "", userHeader, ""))
	}
	checkProblem(t, "a change without a token", a.want(t, 401, "PUT", "/people/me", `{"name":"R"}`, userHeader, ""))
}

// TestPatchPerson_FactsAreOfServices lets only services change the facts of profiles. People try each
// fact of their own profile, and change their status and avatar.
func TestPatchPerson_FactsAreOfServices(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(o *app.Options) { o.ProfilesByServices = true })
	a.want(t, 201, "PUT", "/people/bob", `{"name":"Bob","title":"Agent","metadata":{"team":1}}`, service...)
	const status = `"status":{"text":"away"}`
	for _, tt := range []struct {
		user, method, body string
		status             int
		field              string
	}{
		{"bob", "PATCH", `{"name":"Boss"}`, 403, "name"},
		{"bob", "PATCH", `{"title":"Boss"}`, 403, "title"},
		{"bob", "PATCH", `{"title":""}`, 403, "title"},
		{"bob", "PATCH", `{"state":"CA"}`, 403, "state"},
		{"bob", "PATCH", `{"hired":"1995-07-01"}`, 403, "hired"},
		{"bob", "PATCH", `{"metadata":{"team":2}}`, 403, "metadata"},
		{"bob", "PATCH", `{"kind":"bot"}`, 403, "kind"},
		{"bob", "PATCH", `{"name":"Boss",` + status + `}`, 403, "name"},
		{"bob", "PUT", `{"name":"Bob"}`, 403, "title"},
		{"bob", "PATCH", `{"name":"Bob",` + status + `,"avatar":"https://example.com/b.png"}`, 200, ""},
		{"bob", "PUT", `{"name":"Bob","title":"Agent","metadata":{"team":1}}`, 200, ""},
		{"eve", "PATCH", `{"name":"Bob"}`, 403, "name"},
		{"eve", "PUT", `{"name":"Bob"}`, 403, "name"},
		{"eve", "PATCH", `{` + status + `}`, 200, ""},
	} {
		got := a.want(t, tt.status, tt.method, "/people/me", tt.body, userHeader, tt.user)
		if tt.field != "" && (!strings.Contains(got.text, `"location":"`) || !strings.Contains(got.text, tt.field) || !strings.Contains(got.text, "only services change")) {
			t.Errorf("%s %s: %s", tt.method, tt.body, got.text)
		}
	}
	if got := a.want(t, 200, "GET", "/people/me", "", userHeader, "bob"); got.body["title"] != "Agent" || got.body["name"] != "Bob" || got.body["previousTitles"] != nil {
		t.Errorf("bob is %s", got.text)
	}
	if got := a.want(t, 200, "GET", "/people/me", "", userHeader, "eve"); got.body["name"] != "eve" {
		t.Errorf("eve is %s", got.text)
	}
	a.bulk(t, "/bulk/people", `{"items":[{"user":"bob","name":"Robert"}]}`, "200")
	a.want(t, 200, "PATCH", "/people/me", `{"title":"Boss"}`, append(service[:len(service):len(service)], "Parley-Act-As", "bob")...)
}

// TestListPeople_DirectoryForServices lets services search, but nobody for whom a service acts. A
// refusal does not depend on who exists.
func TestListPeople_DirectoryForServices(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(o *app.Options) { o.Directory = people.ForServices })
	putEmployees(t, a)
	const found = `{"items":[{"user":"e129","name":"Rhianna Cohen","skeleton":"rhlanna cohen"}]}`
	if got := a.want(t, 200, "GET", "/people?name=rhi", "", serviceHeader, "yes"); got.text != found {
		t.Errorf("a service finds %s", got.text)
	}
	refused := a.want(t, 403, "GET", "/people?name=rhi", "")
	checkProblem(t, "a user", refused)
	for path, headers := range map[string][]string{
		"/people?name=nobody":      nil,
		"/people?state=CA":         nil,
		"/people?had_title=Nobody": nil,
		"/people?name=rhi&limit=1": {serviceHeader, "yes", "Parley-Act-As", "bob"},
	} {
		if got := a.want(t, 403, "GET", path, "", headers...); got.text != refused.text {
			t.Errorf("%s answers %s, not %s", path, got.text, refused.text)
		}
	}
	checkProblem(t, "a service by state", a.want(t, 403, "GET", "/people?state=CA", "", serviceHeader, "yes"))
	if got := a.want(t, 200, "GET", "/people?ids=e129", ""); got.text != found {
		t.Errorf("by id: %s", got.text)
	}
	if got := a.want(t, 200, "GET", "/people/e146", ""); got.text != `{"user":"e146","name":"Davy Ivens","skeleton":"davy lvens","kind":"person"}` {
		t.Errorf("another person is %s", got.text)
	}
	if got := a.want(t, 200, "GET", "/people/me", "", userHeader, "e146"); got.body["title"] != "Desktop Support" {
		t.Errorf("oneself is %s", got.text)
	}
}

// TestPicture_IsShownByEveryAnswer sends a picture of a person and names it. Others get its address
// by ids.
func TestPicture_IsShownByEveryAnswer(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"hello"}`, userHeader, "e129")
	const portrait = `{"type":"image/webp","bytes":5,"sha256":"` + fileSum + `"}`
	a.send(t, a.want(t, 200, "POST", "/people/me/picture", portrait, userHeader, "e129").links(t))
	a.want(t, 200, "PATCH", "/people/me", `{"picture":"`+fileSum+`"}`, userHeader, "e129")
	a.want(t, 201, "PUT", "/people/e146", `{"name":"Davy"}`, service...)
	a.want(t, 200, "PUT", "/people/e129", `{"name":"Rhianna"}`, service...)

	const card = `"name":"Rhianna","skeleton":"rhlanna","picture":"` + fileSum + `"`
	for _, path := range []string{"/people?ids=e129", "/rooms/seattle/messages?include=people"} {
		if got := a.want(t, 200, "GET", path, ""); !strings.Contains(got.text, card) {
			t.Errorf("%s is %s", path, got.text)
		}
	}
	if got := a.want(t, 200, "GET", "/people/e129", ""); !strings.Contains(got.text, `"picture":"`+fileSum+`"`) {
		t.Errorf("the profile is %s", got.text)
	}
	var found struct {
		Items []struct {
			PictureLink *struct {
				URL       string
				ExpiresAt time.Time
			}
		}
	}
	if err := json.Unmarshal([]byte(a.want(t, 200, "GET", "/people?ids=e129,e146", "").text), &found); err != nil {
		t.Fatal(err)
	}
	link := found.Items[0].PictureLink
	if found.Items[1].PictureLink != nil || link == nil || !link.ExpiresAt.After(start.Add(29*time.Minute)) {
		t.Fatalf("the links are %+v", found.Items)
	}
	if got := a.bucket.Get(link.URL); got.Code != 200 || got.Body.String() != fileText {
		t.Errorf("by the link: %d %s", got.Code, got.Body)
	}
	if got := a.want(t, 200, "GET", "/people?name=rhianna", ""); strings.Contains(got.text, "pictureLink") {
		t.Errorf("people found by name are %s", got.text)
	}
}

// TestPicture_RemovedAfterItsLinksLeavesNothing removes a picture when no link can bring bytes any
// more: its object is deleted, and no empty one takes its place.
func TestPicture_RemovedAfterItsLinksLeavesNothing(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	a := newAPI(t, func(o *app.Options) { o.Clock = func() time.Time { return start.Add(time.Duration(ahead.Load())) } })
	const portrait = `{"type":"image/webp","bytes":5,"sha256":"` + fileSum + `"}`
	a.send(t, a.want(t, 200, "POST", "/people/me/picture", portrait, userHeader, "e129").links(t))
	a.want(t, 200, "PATCH", "/people/me", `{"picture":"`+fileSum+`"}`, userHeader, "e129")
	ahead.Store(int64(25 * time.Hour))
	a.want(t, 200, "PATCH", "/people/me", `{"picture":""}`, userHeader, "e129")
	if keys := a.bucket.Keys(t); len(keys) > 0 {
		t.Errorf("the bucket has %q", keys)
	}
}
