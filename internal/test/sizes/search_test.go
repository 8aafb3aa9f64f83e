package sizes_test

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/search"
	"example.com/parley/internal/test/nightly"
)

// searched are texts of which a room has some of the largest, the oldest first.
var searched = []string{
	repeated,
	"a" + strings.Repeat("\u0301", (chat.MaxText-1)/2),
	strings.Repeat("ba ", chat.MaxText/3),
	strings.Repeat("\ufdfa", chat.MaxText/3), // each is folded to 33 bytes
	strings.Repeat("the lake is calm today ", chat.MaxText/23),
	"x b" + strings.Repeat("a", chat.MaxText-3), // takes the most steps for excluded words
}

// searches are queries of these texts, by name.
func searches() map[string]string {
	excluded := "x"
	for i := range 18 {
		excluded += " -" + strings.Repeat("a", 22-i%10)
	}
	return map[string]string{
		"innocent": "lake", "rare": "missing", "one letter": "a", "18 excluded words": excluded,
		"20 letters":   strings.Repeat("a ", 19) + "b",
		"20 phrases":   strings.Repeat(`"a" `, 19) + `"b a"`,
		"20 ligatures": strings.Repeat("\ufdfa ", 20),
		"nobody":       "a from:nobody", "no day": "a before:2001-01-01", "filters": "-a -b from:" + person(owner),
	}
}

// TestSearch_IsBoundedInStepsAndBytes searches the largest texts, hostile and innocent, as often as
// next says. It prints the largest page of each query.
func TestSearch_IsBoundedInStepsAndBytes(t *testing.T) {
	if !nightly.Enabled() {
		t.Skip("make nightly runs it, in a minute")
	}
	const (
		each     = 25
		maxPages = 200
		// maxOver is what a request may do beyond its budget: read a page of the past, or the messages of
		// 100 changes, and search one text.
		maxOver = search.MaxSteps / 2
	)
	w := newWorld(t)
	w.must(person(owner), "PUT", room, `{"name":"x"}`)
	w.openStream()
	n := 40_000
	for _, text := range searched {
		w.each(each, func(i int) {
			w.put(w.message(owner, n+i), chat.Message{Text: text, ReceivedAt: w.begun.Add(-time.Hour).Add(time.Duration(n+i) * time.Millisecond)})
		})
		n += each
	}
	w.pump()
	all := searches()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		q := all[name]
		query, err := search.Parse(q, chat.UserID(person(owner)), time.UTC)
		if err != nil {
			t.Fatal(name, err)
		}
		pages, steps, bytes := 0, 0, 0
		for page := (chat.PageRequest{Limit: 50}); pages == 0 || page.Cursor != ""; pages++ {
			got, err := w.services.Search.Search(t.Context(), chat.UserID(person(owner)), search.Request{Query: query, Page: page})
			for again := 0; again < 5 && chat.KindOf(err) == chat.Unavailable; again++ { // the engine is slow on a busy machine
				got, err = w.services.Search.Search(t.Context(), chat.UserID(person(owner)), search.Request{Query: query, Page: page})
			}
			if err != nil || pages > maxPages {
				t.Fatalf("%s: page %d: %v", name, pages, err)
			}
			steps, page.Cursor = max(steps, got.Steps), got.Next
		}
		cursor := ""
		for range pages + 1 {
			got := w.do(request{method: "GET", path: room + "/search?limit=50&q=" + url.QueryEscape(q) + cursor, user: person(owner)})
			var page struct{ Next string }
			if err := json.Unmarshal(got.body, &page); err != nil || got.status != 200 {
				t.Fatalf("%s: %d, %v", name, got.status, err)
			}
			bytes, cursor = max(bytes, len(got.body)), "&cursor="+url.QueryEscape(page.Next)
			if page.Next == "" {
				break
			}
		}
		t.Logf("%-20s %3d pages %6d thousand steps %5d KB", name, pages, steps/1000, bytes>>10)
		if steps > search.MaxSteps+maxOver || bytes > maxAnswer {
			t.Errorf("%s: a page of %d steps and %d bytes, want at most %d and %d", name, steps, bytes, search.MaxSteps+maxOver, maxAnswer)
		}
	}
}
