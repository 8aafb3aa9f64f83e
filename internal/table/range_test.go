package table

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
)

// TestPrefixRange_ContainsEveryKeyWithThePrefix tries real texts: an end such as "~" sorts before
// every emoji and every Chinese character.
func TestPrefixRange_ContainsEveryKeyWithThePrefix(t *testing.T) {
	r := PrefixRange("react#")
	for _, end := range []string{"👍#amsg", "❤#amsg", "😀", "漢字", "한국", "~", "é", "a", "A", "\U000F0000", "\U0010FFFE", ""} {
		if key := "react#" + end; key < r.Low || key > r.High {
			t.Errorf("%q is not found", key)
		}
	}
	for _, key := range []string{"react", "react\"x", "react$", "reacu", "reply#👍", "read#seattle"} {
		if key >= r.Low && key <= r.High {
			t.Errorf("%q is found", key)
		}
	}
	if last, _ := utf8.DecodeLastRuneInString(r.High); last != utf8.MaxRune {
		t.Errorf("the range ends with %U", last)
	}
}

func TestPrefixRange_IsThePrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Filter(func(s string) bool { return !strings.ContainsRune(s, chat.LastRune) })
		prefix, key := text.Draw(t, "prefix"), text.Draw(t, "key")
		if rapid.Bool().Draw(t, "begins so") {
			key = prefix + key
		}
		r := PrefixRange(prefix)
		if found := key >= r.Low && key <= r.High; found != strings.HasPrefix(key, prefix) {
			t.Fatalf("%q is found by %q: %v", key, prefix, found)
		}
	})
}
