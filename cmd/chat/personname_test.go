package main

import (
	"strings"
	"testing"
)

func TestNamed_OnePersonForEachSpelling(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"dana": "dana", " DANA ": "dana", "Dana\tScott": "dana-scott", "Dana   Scott": "dana-scott", "bob@example.com": "bob@example.com",
		"Zoë O'Neill": "zoe-o-neill", "Łukasz Weiß": "lukasz-weiss", "Ann (work)": "ann-work", "a#b": "a-b", "U024BE7LH": "u024be7lh",
		"me": "me-2744ccd1", "..": "..-5ec1f7e7", "Дана": "931fc70d", "дана": "931fc70d", "Дана Scott": "scott-e9d5436f", "🙂": "d06f1525",
		strings.Repeat("x", 70): strings.Repeat("x", 55) + "-c71bd109",
	} {
		p, rule := named(text)
		if p.User != want || rule != "" || userRule(p.User) != "" || p.Name != strings.Join(strings.Fields(text), " ") {
			t.Errorf("%q gives %+v, %q, want the user %q", text, p, rule, want)
		}
		if again, _ := named(p.User); again.User != p.User {
			t.Errorf("the user id %q as a name gives %q", p.User, again.User)
		}
	}
	for _, text := range []string{"", "   ", "\u200b", "a\x00b", strings.Repeat("é", 51)} {
		if p, rule := named(text); rule == "" {
			t.Errorf("%q gives %+v", text, p)
		}
	}
}
