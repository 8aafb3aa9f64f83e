package emoji

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// listHash is the hash of the list that scripts/emoji wrote for Version.
const listHash = "d878c7cca55d1055546d9da6b633c261d078f330d20bb077e4d4b63bf62b8406"

func TestVersion_IsThatOfTheList(t *testing.T) {
	sum := sha256.Sum256([]byte(list))
	if got := hex.EncodeToString(sum[:]); got != listHash {
		t.Errorf("the list has the hash %s: after scripts/emoji, change Version and the hash", got)
	}
	forms := strings.Split(strings.TrimSuffix(list, "\n"), "\n")
	if len(forms) != 3944 || len(qualified()) != len(forms) {
		t.Errorf("%d forms of %d emoji, want the 3944 of Emoji %s", len(forms), len(qualified()), Version)
	}
	if !slices.IsSortedFunc(forms, func(a, b string) int { return strings.Compare(keyOf(a), keyOf(b)) }) {
		t.Error("the list is not in order")
	}
	longest := 0
	for _, form := range forms {
		longest = max(longest, len(form))
		if !utf8.ValidString(form) || len(form) > MaxBytes {
			t.Errorf("%q is not valid, or longer than %d bytes", form, MaxBytes)
		}
		if key, ok := Key(form); !ok || Text(key) != form {
			t.Errorf("%q has the key %q, %v, which is shown as %q", form, key, ok, Text(key))
		}
	}
	if longest != 35 {
		t.Errorf("the longest form has %d bytes", longest)
	}
}

func TestKey_IsOneForAllForms(t *testing.T) {
	for key, forms := range map[string][]string{
		"❤":               {"❤", "❤\uFE0F"},
		"👍":               {"👍", "👍\uFE0F"},
		"👍🏽":              {"👍🏽"},
		"1\u20E3":         {"1\u20E3", "1\uFE0F\u20E3"},
		"#\u20E3":         {"#\uFE0F\u20E3"},
		"🏳\u200D🌈":        {"🏳\u200D🌈", "🏳\uFE0F\u200D🌈"},
		"👨\u200D👩\u200D👧": {"👨\u200D👩\u200D👧"},
		"🇩🇪":              {"🇩🇪"},
	} {
		for _, form := range forms {
			if got, ok := Key(form); !ok || got != key {
				t.Errorf("the key of %q is %q, %v, want %q", form, got, ok, key)
			}
		}
	}
	if got := Text("❤"); got != "❤\uFE0F" {
		t.Errorf("a heart is shown as %q", got)
	}
	if got := Text("a later emoji"); got != "a later emoji" {
		t.Errorf("an unknown key is shown as %q", got)
	}
}

func TestKey_RefusesWhatIsNoEmoji(t *testing.T) {
	for _, text := range []string{
		"", "a", "1", "#", "👍👍", "👍 ", " 👍", ":party:", "\uFE0F", "🏽", "🇩", "\u200D", "é", "👍\u200D", "\xff", "❤\uFE0E",
		strings.Repeat("\uFE0F", 20) + "❤",
	} {
		if key, ok := Key(text); ok {
			t.Errorf("%q is the emoji %q", text, key)
		}
	}
}

func TestCustom_IsANameBetweenColons(t *testing.T) {
	for text, want := range map[string]bool{":party:": true, "::": false, ":": false, "party": false, ":a": false, "👍": false} {
		if got := Custom(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzKey(f *testing.F) {
	for _, text := range []string{"❤\uFE0F", "👍🏽", "a", ":x:"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key, ok := Key(text)
		if again, same := Key(key); ok && (!same || again != key || strings.Contains(key, "\uFE0F")) {
			t.Errorf("%q has the key %q, whose key is %q, %v", text, key, again, same)
		}
	})
}
