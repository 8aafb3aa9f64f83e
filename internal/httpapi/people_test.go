package httpapi_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

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
