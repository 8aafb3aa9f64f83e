package people_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"Rhianna Cohen":    {"RHIANNA COHEN", "COHEN"},
		"anne-marie O'Dea": {"ANNE-MARIE O'DEA", "MARIE O'DEA", "O'DEA", "DEA"},
		"(Bob)":            {"(BOB)", "BOB)"},
		"Åsa  ñandú":       {"ÅSA  ÑANDÚ", "ÑANDÚ"},
		"a#b":              {"A#B", "B"},
		"☃":                {"☃"},
		"Σίσυφος":          {"ΣΊΣΥΦΟΣ"},
		"\u212aelvin ſ":    {"KELVIN S", "S"},
		"李 小龍":             {"李 小龍", "小龍"},
		"":                 nil,
	} {
		if got := people.Words(name); !slices.Equal(got, want) {
			t.Errorf("the words of %q are %q, want %q", name, got, want)
		}
	}
	if n := len(people.Words(strings.Repeat("a ", chat.MaxName/2))); n != people.MaxWords {
		t.Errorf("50 words are %d", n)
	}
}

// TestFold_AgreesWithEqualFold compares the folded texts with the comparison of the standard
// library.
func TestFold_AgreesWithEqualFold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune("aAbBkKK\u212asSſßẞσςΣåÅÅéÉiİıI☃İ"))
		a := string(rapid.SliceOfN(letters, 1, 3).Draw(t, "a"))
		b := string(rapid.SliceOfN(letters, 1, 3).Draw(t, "b"))
		if got := people.Fold(a) == people.Fold(b); got != strings.EqualFold(a, b) {
			t.Errorf("%q and %q are the same: %v", a, b, got)
		}
	})
}

// TestFirstMatch_IsTheLeastWordThatBegins recounts by comparing every place of a name.
func TestFirstMatch_IsTheLeastWordThatBegins(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune("aAb  -'é"))
		name := string(rapid.SliceOfN(letters, 1, 12).Draw(t, "name"))
		text := string(rapid.SliceOfN(letters, 1, 3).Draw(t, "text"))
		want := ""
		before := ' '
		for i, r := range name {
			starts := i == 0 || (unicode.IsLetter(r) && !unicode.IsLetter(before))
			before = r
			if begins := len(name)-i >= len(text) && strings.EqualFold(name[i:i+len(text)], text); !starts || !begins {
				continue
			}
			if word := strings.ToUpper(name[i:]); want == "" || word < want {
				want = word
			}
		}
		if got := people.FirstMatch(name, people.Fold(text)); got != want {
			t.Errorf("%q finds %q at %q, want %q", text, name, got, want)
		}
	})
}
