package people_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/test/chattest"
)

// TestPerson_ApplyListsEachTitleOnce checks that after any sequence of titles, each of them is
// either current or former.
func TestPerson_ApplyListsEachTitleOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		titles := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "c", "A"}), 1, 30).Draw(t, "titles")
		var p people.Person
		had := map[string]bool{}
		for i, title := range titles {
			before := slices.Clone(p.Former)
			next := p.Apply(people.Draft{Name: "n", Title: &title})
			if !slices.Equal(p.Former, before) {
				t.Fatalf("step %d changed the previous person", i)
			}
			p = next
			if title != "" {
				had[title] = true
			}
		}
		listed := map[string]bool{}
		for _, title := range append(slices.Clone(p.Former), p.Title) {
			if listed[title] {
				t.Errorf("%q is twice in %q, %q", title, p.Former, p.Title)
			}
			listed[title] = true
		}
		delete(listed, "")
		if len(listed) != len(had) {
			t.Errorf("listed %v of %v", listed, had)
		}
	})
}

// TestQuery_RefusesForgedCursors has cursors that anyone could create. A position that the list
// cannot contain is refused before it reaches the store.
func TestQuery_RefusesForgedCursors(t *testing.T) {
	query := people.Query{Name: "Rhi", Page: chat.PageRequest{Limit: 1}}
	scope := chat.NewCursorScope("people").Int(int64(people.ByName)).Text("RHI")
	for name, tt := range map[string]struct {
		position chat.ListPosition
		ok       bool
	}{
		"a position in the list":    {chat.ListPosition{Sort: "RHIANNA COHEN", ID: "e129"}, true},
		"a name that is not folded": {chat.ListPosition{Sort: "Rhianna Cohen", ID: "e129"}, false},
		"a name before the list":    {chat.ListPosition{Sort: "ALICE", ID: "e129"}, false},
		"a name after the list":     {chat.ListPosition{Sort: "ZOE", ID: "e129"}, false},
		"a name not in UTF-8":       {chat.ListPosition{Sort: "RHI\xff", ID: "e129"}, false},
		"a user of another's field": {chat.ListPosition{Sort: "RHIANNA", ID: "e129#root"}, false},
		"no user":                   {chat.ListPosition{Sort: "RHIANNA"}, false},
	} {
		q := query
		q.Page.Cursor = tt.position.Cursor(scope)
		if _, err := q.Range(); (err == nil) != tt.ok || !tt.ok && chat.KindOf(err) != chat.BadCursor {
			t.Errorf("%s: %v, want ok %v", name, err, tt.ok)
		}
	}
}

func TestPutPerson_Avatar(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	const host = "https://example.com/"
	for _, good := range []string{
		"https://example.com", host + "a.png?size=64#x", "https://example.com:8443/a", "https://[2001:db8::1]/a", host + "%E2%98%83.png",
		host + strings.Repeat("a", people.MaxAvatar-len(host)), "",
	} {
		if p := putPerson(t, s, "e129", people.Draft{Name: "R", Avatar: &good}); p.Avatar != good {
			t.Errorf("%q is stored as %q", good, p.Avatar)
		}
	}
	for name, bad := range map[string]string{
		"no scheme": "example.com/a.png", "http": "http://example.com/a.png", "a script": "javascript:alert(1)", "data": "data:image/png;base64,AA",
		"upper case": "HTTPS://example.com", "no host": "https:///a.png", "only a port": "https://:443/", "opaque": "https:example.com",
		"a user": "https://bob@example.com/", "a password": "https://bob:secret@example.com/", "an empty user": "https://@example.com/",
		"a space": host + "a b", "a quote": host + `"onload="x`, "a tag": host + "<a>", "a backslash": `https:\\example.com`, "a line": host + "\n",
		"letters outside ASCII": host + "é.png", "a bad escape": host + "%zz", "a port beyond the last": "https://example.com:65536/",
		"an empty port": "https://example.com:/", "a name as a port": "https://example.com:https/", "a byte too much": host + strings.Repeat("a", people.MaxAvatar-len(host)+1),
	} {
		_, _, err := s.People.PutPerson(t.Context(), "e129", people.Draft{Name: "R", Avatar: &bad})
		chattest.WantKind(t, name, err, chat.Invalid)
	}
}
