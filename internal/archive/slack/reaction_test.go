package slack

import (
	"strings"
	"testing"

	"example.com/parley/internal/emoji"
)

func TestEmojiOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"+1": "👍", "thumbsup": "👍", "heart": "❤", "simple_smile": "🙂", "flag-de": "🇩🇪",
		"clap::skin-tone-3": "👏🏼", "+1::skin-tone-6": "👍🏿", "woman-running::skin-tone-2": "🏃🏻\u200D♀",
		"people_holding_hands::skin-tone-2-4": "🧑🏻\u200D🤝\u200D🧑🏽", "handshake::skin-tone-5": "🤝🏾",
		"rocket::skin-tone-3": "🚀", "clap::skin-tone-9": "👏", "clap::upside-down": "👏", "v::skin-tone-4": "✌🏽",
		"party-gopher": "", "": "", "::skin-tone-3": "", "skin-tone-3": "",
	} {
		if got, ok := emojiOf(name); ok != (want != "") || ok && got != want {
			t.Errorf("emojiOf(%q) = %q, %v, want %q", name, got, ok, want)
		}
	}
}

// TestShortNames_AreEmoji checks that a reaction with any of Slack's names can be stored, except
// for the names of single tones.
func TestShortNames_AreEmoji(t *testing.T) {
	t.Parallel()
	if n := len(shortNames()); n < 1900 {
		t.Errorf("%d names", n)
	}
	for name, text := range shortNames() {
		if _, ok := emoji.Key(text); !ok && !strings.HasPrefix(name, skinTonePrefix) {
			t.Errorf("%s is %q, which is no emoji", name, text)
		}
	}
}
