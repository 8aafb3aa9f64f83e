package httpapi_test

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
)

// searchPath returns the path of a search with parameters, which are names and values.
func searchPath(path, query string, parameters ...string) string {
	values := url.Values{"q": {query}}
	for i := 0; i < len(parameters); i += 2 {
		values.Set(parameters[i], parameters[i+1])
	}
	return path + "?" + values.Encode()
}

// found returns the texts of the messages that a search finds, on all pages of a limit.
func (w *fedAPI) found(user, query string, limit int, parameters ...string) (texts []string) {
	w.t.Helper()
	parameters = append([]string{"limit", fmt.Sprint(limit)}, parameters...)
	for pages := 0; ; pages++ {
		body := w.by(user, "GET", searchPath("/search", query, parameters...), "").body
		items := body["items"].([]any)
		for _, item := range items {
			texts = append(texts, item.(map[string]any)["message"].(map[string]any)["text"].(string))
		}
		next, more := body["next"].(string)
		if to, ok := body["searchedTo"].(string); ok != more || more && len(to) != len("2018-08-29T12:00:00.000Z") || len(items) > limit || pages > 100 {
			w.t.Fatalf("%q: next %q, searchedTo %q, page %d of %d items", query, next, to, pages, len(items))
		}
		if !more {
			return texts
		}
		parameters = append(parameters[:2:2], append([]string{"cursor", next}, without(parameters[2:], "cursor")...)...)
	}
}

// without returns the parameters but one.
func without(parameters []string, name string) (others []string) {
	for i := 0; i < len(parameters); i += 2 {
		if parameters[i] != name {
			others = append(others, parameters[i:i+2]...)
		}
	}
	return others
}

// wantFound compares what a search finds, newest first and separated by |.
func (w *fedAPI) wantFound(user, query, want string, parameters ...string) {
	w.t.Helper()
	if got := strings.Join(w.found(user, query, 50, parameters...), "|"); got != want {
		w.t.Errorf("%s searches %s: %q, want %q", user, query, got, want)
	}
}

// say posts a message of a user a second after the last one, and returns its id. fields are further
// ones of the body.
func (w *fedAPI) say(user, room, text string, fields ...string) string {
	w.t.Helper()
	w.ahead += time.Second
	return w.by(user, "POST", "/rooms/"+room+"/messages", fmt.Sprintf(`{"text":%q%s}`, text, strings.Join(append([]string{""}, fields...), ","))).body["id"].(string)
}

// docRow is a line of the table of examples in docs/search.md.
var docRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| (yes|no) \\|$")

// TestSearch_MatchesAsInTheDocs sends the examples of docs/search.md.
func TestSearch_MatchesAsInTheDocs(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	page, err := os.ReadFile("../../docs/search.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := docRow.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 10 {
		t.Fatalf("%d examples", len(rows))
	}
	w.by("ann", "PUT", "/rooms/seattle", "")
	said := map[string]bool{}
	for _, row := range rows {
		if !said[row[2]] {
			w.say("ann", "seattle", row[2])
		}
		said[row[2]] = true
	}
	w.settle()
	for _, row := range rows {
		if got := slices.Contains(w.found("ann", row[1], 50), row[2]); got != (row[3] == "yes") {
			t.Errorf("%s in %q: %t, want %s", row[1], row[2], got, row[3])
		}
	}
}

// TestSearch_Filters asks with each filter, twice.
func TestSearch_Filters(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	begun := time.Now().UTC().Truncate(24 * time.Hour).Add(-72*time.Hour + 22*time.Hour) // 22:00 in UTC
	at := func(day int) { w.ahead = time.Until(begun.AddDate(0, 0, day)) }
	at(0)
	w.by("ann", "PUT", "/rooms/seattle", "")
	w.by("bob", "PUT", "/rooms/seattle/members/me", `{"role":"member"}`)
	w.by("ann", "PUT", "/rooms/tacoma", "")
	root := w.say("bob", "seattle", "first lake")
	at(1)
	liked := w.say("ann", "seattle", "second lake https://example.com", `"mentions":["bob"]`)
	w.say("ann", "tacoma", "third lake")
	w.by("bob", "PUT", "/rooms/seattle/messages/"+liked+"/reactions/"+thumb, "")
	at(2)
	id := chat.NewUUID(time.Now().Add(w.ahead), [10]byte{9}).String()
	w.upload(t, "seattle", id, "bob", `{"name":"Lake Union.png"}`)
	w.say("bob", "seattle", "fourth", `"attachments":["`+id+`"]`)
	w.say("ann", "seattle", "a reply", `"thread":"`+root+`"`)
	w.ahead = 0
	day := func(n int) string { return begun.AddDate(0, 0, n).Format(time.DateOnly) }
	for range 2 { // the first searches build the index
		w.settle()
		for query, want := range map[string]string{
			"lake":                                  "fourth|third lake|second lake https://example.com|first lake",
			"lake in:seattle":                       "fourth|second lake https://example.com|first lake",
			"lake in:#tacoma":                       "third lake",
			"from:bob":                              "fourth|first lake",
			"from:me lake":                          "third lake|second lake https://example.com",
			"lake -second -union -third":            "first lake",
			`"lake union"`:                          "fourth",
			"on:" + day(1):                          "third lake|second lake https://example.com",
			"before:" + day(1):                      "first lake",
			"after:" + day(1):                       "a reply|fourth",
			"after:" + day(0) + " before:" + day(2): "third lake|second lake https://example.com",
			"has:link":                              "second lake https://example.com",
			"has:file":                              "fourth",
			"has:reaction":                          "second lake https://example.com",
			"mentions:bob":                          "second lake https://example.com",
			"mentions:me":                           "",
			"is:thread":                             "a reply|first lake",
			"is:thread from:me":                     "a reply",
			"nothing":                               "",
		} {
			w.wantFound("ann", query, want)
		}
		w.wantFound("ann", "on:"+day(1), "first lake", "zone", "Asia/Tokyo") // where it is 7:00 of the next day
		w.wantFound("bob", "mentions:me", "second lake https://example.com")
	}
	items := w.by("ann", "GET", searchPath("/search", "lake has:file"), "").text
	if want := `"marks":[]`; strings.Contains(items, want) || !strings.Contains(items, `"fileMarks":[[{"from":0,"to":4}]]`) {
		t.Errorf("the marks of a file are %s", items)
	}
}

// TestSearch_MarksCountUTF16 compares marks with the text as JavaScript has it.
func TestSearch_MarksCountUTF16(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	w.by("ann", "PUT", "/rooms/seattle", "")
	for query, tt := range map[string]struct{ text, marked string }{
		"lake":          {"🚣🚣 Lakes and lake", "Lake|lake"},
		"小湖":            {"👨‍👩‍👧 在小湖边", "小湖"},
		"sud und":       {"Süd 😀 und Su\u0308d", "Süd|und|Su\u0308d"},
		`"ab cd" 𠮷`:     {"𠮷 AB  CD", "𠮷|AB  CD"},
		"from:me plain": {"in plain words", "plain"},
	} {
		w.say("ann", "seattle", tt.text)
		units := utf16.Encode([]rune(tt.text))
		items := w.by("ann", "GET", searchPath("/rooms/seattle/search", query), "").body["items"].([]any)
		if len(items) != 1 {
			t.Errorf("%s: %d results", query, len(items))
			continue
		}
		var marked []string
		for _, mark := range items[0].(map[string]any)["marks"].([]any) {
			m := mark.(map[string]any)
			marked = append(marked, string(utf16.Decode(units[int(m["from"].(float64)):int(m["to"].(float64))])))
		}
		if got := strings.Join(marked, "|"); got != tt.marked {
			t.Errorf("%s: %q is marked, want %q", query, got, tt.marked)
		}
	}
}

// TestSearch_NamesThePlaceOfAFault sends queries that cannot be read.
func TestSearch_NamesThePlaceOfAFault(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	w.by("ann", "PUT", "/rooms/seattle", "")
	w.say("ann", "seattle", "a lake")
	w.say("ann", "seattle", "a lake")
	next := w.by("ann", "GET", searchPath("/search", "lake", "limit", "1"), "").body["next"].(string)
	for _, tt := range []struct {
		path   string
		status int
		holds  string
	}{
		{searchPath("/search", "湖 on:yesterday"), 422, "q must have a day such as 2026-01-31 after on:, at character 3."},
		{searchPath("/search", `see "the fox`), 422, `at character 5`},
		{searchPath("/search", "-rain"), 422, `"location":"q"`},
		{searchPath("/search", "-from:bob lake"), 422, `at character 1`},
		{"/search", 422, `"location":"q"`},
		{"/search?q=", 422, `"location":"q"`},
		{searchPath("/search", "lake", "limit", "51"), 422, `"location":"limit"`},
		{searchPath("/search", "lake", "zone", "Mars/Olympus"), 422, `"location":"zone"`},
		{searchPath("/search", "lake", "zone", "Local"), 422, `"location":"zone"`},
		{searchPath("/search", "lake", "zone", "../etc/passwd"), 422, `"location":"zone"`},
		{searchPath("/search", "lake", "around", "yes"), 422, `"location":"around"`},
		{searchPath("/rooms/seattle/search", "in:tacoma lake"), 422, `"location":"q"`},
		{searchPath("/rooms/seattle/search", "in:seattle lake"), 200, "a lake"},
		{searchPath("/search", "lakes", "cursor", next), 400, "/problems/bad-cursor"},
		{searchPath("/search", "lake in:seattle", "cursor", next), 400, "/problems/bad-cursor"},
		{searchPath("/search", "lake", "cursor", next, "limit", "2"), 200, "a lake"},
	} {
		got := w.do(t, "GET", tt.path, "", userHeader, "ann")
		if got.status != tt.status || !strings.Contains(got.text, tt.holds) {
			t.Errorf("%s: %d %s, want %d with %s", tt.path, got.status, got.text, tt.status, tt.holds)
		}
	}
}

// TestSearch_TypingPassesAndAFloodDoesNot searches 30 rooms as somebody who types, and one room as
// fast as a script.
func TestSearch_TypingPassesAndAFloodDoesNot(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rooms, perSecond, seconds, atLeast, atMost int
	}{{30, 5, 60, 300, 300}, {1, 20, 20, 150, 250}} {
		w := newFedAPI(t, func(o *app.Options) { o.Limits = ratelimit.For(0) })
		w.ahead = -time.Hour
		for n := range tt.rooms {
			room := fmt.Sprint("room-", n)
			w.by("owner", "PUT", "/rooms/"+room, "")
			w.by("owner", "PUT", "/rooms/"+room+"/members/amsg", `{"role":"member"}`)
			for i := range 5 {
				w.say("owner", room, fmt.Sprint("lake ", i))
			}
		}
		w.settle()
		begun := time.Now()
		accepted, before := 0, w.calls.Load()
		for n := range tt.seconds * tt.perSecond {
			w.ahead = time.Until(begun.Add(time.Duration(n) * time.Second / time.Duration(tt.perSecond)))
			got := w.do(t, "GET", searchPath("/search", fmt.Sprint("lake -", n)), "")
			if got.status == 200 {
				accepted++
			} else if got.status != 429 || got.body["limit"] != "reads" {
				t.Fatal(got.text)
			}
		}
		t.Logf("%d of %d searches pass, with %d calls", accepted, tt.seconds*tt.perSecond, w.calls.Load()-before)
		if accepted < tt.atLeast || accepted > tt.atMost {
			t.Errorf("at %d searches a second %d pass in %d seconds, want %d to %d", tt.perSecond, accepted, tt.seconds, tt.atLeast, tt.atMost)
		}
	}
}

// TestSearch_ChargesForItsWork asks one question ten times. The work is charged while it is done, so
// that the budget of reads pays for some, and the others wait. Another person's searches pass.
func TestSearch_ChargesForItsWork(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t, func(o *app.Options) { o.Limits = ratelimit.For(0) })
	w.ahead = -time.Hour
	w.by("owner", "PUT", "/rooms/room", "")
	for _, user := range []string{"amsg", "bob"} {
		w.by("owner", "PUT", "/rooms/room/members/"+user, `{"role":"member"}`)
	}
	text := "x b" + strings.Repeat("a", chat.MaxText-3)
	for range 250 {
		w.say("owner", "room", text)
	}
	w.settle()
	w.ahead = 0
	query := "x -x" // which finds nothing
	for i := range 17 {
		query += " -" + strings.Repeat("a", 22-i%10)
	}
	at := time.Now()
	ask := func(user, query string) (status int, limit any) {
		w.ahead = time.Until(at) // the budget does not grow while a slow machine answers
		got := w.do(t, "GET", searchPath("/rooms/room/search", query, "limit", "1"), "", userHeader, user)
		return got.status, got.body["limit"]
	}
	for w.ahead < time.Hour { // build the index
		got := w.do(t, "GET", searchPath("/rooms/room/search", "missing"), "", userHeader, "owner")
		if w.ahead += 15 * time.Second; got.status == 200 && got.body["next"] == nil {
			break
		}
	}
	answers := map[int]int{}
	for range 10 {
		status, limit := ask("amsg", query)
		if answers[status]++; status == 429 && limit != "reads" {
			t.Errorf("the limit is %v", limit)
		}
	}
	if answers[200] < 2 || answers[429] < 3 || answers[200]+answers[429] != 10 {
		t.Errorf("ten searches are answered %v", answers)
	}
	if status, _ := ask("bob", "x"); status != 200 {
		t.Errorf("another person's search: %d", status)
	}
	at = at.Add(10 * time.Second)
	if status, _ := ask("amsg", query); status != 200 {
		t.Errorf("ten seconds later: %d", status)
	}
}
