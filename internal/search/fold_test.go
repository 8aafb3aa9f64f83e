package search_test

import (
	"testing"

	"example.com/parley/internal/search"
)

// invalid are texts that are not UTF-8. The first one made the normalizer of golang.org/x/text
// before 0.39.0 run forever (GO-2026-5970).
var invalid = []string{
	"\xf3\xcc\x80", "a\xf3\xcc\x80b", "\xff\xc0", "\xcc", "e\xcc", "\x80\x80\x80\x80", "\xed\xa0\x80", "\xc0\xaf", "\xf4\x90\x80\x80", "\xe2\x82", "\xf0\x9f\x98",
}

// TestFold_InvalidBytes folds texts that are not UTF-8. No request can send or import one, and a
// block has only folded texts. Should one arrive in another way, each invalid byte is compared as
// U+FFFD, and the normalizer gets only valid characters.
func TestFold_InvalidBytes(t *testing.T) {
	t.Parallel()
	for _, text := range invalid {
		wantSameFold(t, text)
	}
}

// FuzzFold holds that Fold ends, and compares invalid bytes as U+FFFD.
func FuzzFold(f *testing.F) {
	for _, text := range append(invalid, "The quick brown fox", "ﬁ Straße cafe\u0301 我们明天", "\ufffd \u0300") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { wantSameFold(t, text) })
}

// wantSameFold compares the folds of a text and of its characters.
func wantSameFold(t *testing.T, text string) {
	t.Helper()
	if got, want := search.Fold(text), search.Fold(string([]rune(text))); got != want {
		t.Errorf("%q is folded to %q, want %q", text, got, want)
	}
}
