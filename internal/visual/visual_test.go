package visual_test

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/parley/internal/visual"
)

func TestBlank(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a": false, ".": false, "\u200b☃": false, "👩\u200d🚀": false, "a\u0301": false, "\u0e01": false, "\U0001FAE9": false, "\u06dd": false,
		"\ufffc": true, "\ue000": false, "\u0378": false, "\ufffd": false,
		"": true, " \t\r\n": true, " \u00a0\u3000": true, "\u2028\u2029": true, "\u200b\u200d\u2060\ufeff": true, "\u0301": true, "\ufe0f": true,
		"\U000E0100": true, "\u2800": true, "\u115f\u1160\u3164\uffa0": true, "\u00ad": true, "\U000E0041\U000E007F": true, "\u034f": true,
		"\u202e\u2066\u200f\u061c": true, "\u17b4\u180b\u180e": true, "\u2061\u2065": true, "\U0001D159\U0001D173": true, "\x00\x7f": true,
	} {
		if visual.Blank(text) != want {
			t.Errorf("%q is blank: %v", text, !want)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		// These need their invisible characters.
		"Ben Boss": "Ben Boss", "Zoë Ångström": "Zoë Ångström", "Zoe\u0308": "Zoe\u0308", "Maria\u00a0José": "Maria\u00a0José",
		"علی\u200cرضا": "علی\u200cرضا", "क्\u200dष": "क्\u200dष", "ශ්\u200dරී": "ශ්\u200dරී", "നന്\u200dമ": "നന്\u200dമ",
		"渡\U000E0100 健": "渡\U000E0100 健", "葛\ufe00": "葛\ufe00", "ᠠ\u180bᠨ": "ᠠ\u180bᠨ",
		"Ann 👩🏽\u200d🚀": "Ann 👩🏽\u200d🚀", "❤\ufe0f\u200d🔥": "❤\ufe0f\u200d🔥", "1\ufe0f\u20e3": "1\ufe0f\u20e3",
		"🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F": "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F",
		// These do not.
		"Ben\u200bBoss": "BenBoss", "Ben\u200d Boss": "Ben Boss", "B\u200cen": "Ben", "Ben\u00ad": "Ben", "\ufeffBen": "Ben", "Ben\u2060": "Ben",
		"Ben\u3164Boss": "BenBoss", "Ben\uffa0": "Ben", "Ben\u115f": "Ben", "Ben\u2800Boss": "BenBoss", "Ben\U000E0042": "Ben", "Ben\ufe0f": "Ben",
		"Ben\u034f": "Ben", "\u202eBen\u202c": "Ben", "Ben\u2067": "Ben", "B\x00e\x7fn": "Ben", "Ben\u2028": "Ben", "Ben\ufffc": "Ben",
		"e\u0301\u0301": "e\u0301", "علی\u200c": "علی", "علی\u200c رضا": "علی رضا", "علی\u200c\u200cرضا": "علی\u200cرضا", "👩\u200d": "👩", "👩\u200dA": "👩A",
		"🏴\U000E0067\U000E0062": "🏴", "☃\ufe0f\ufe0f": "☃\ufe0f", " Ben ": "Ben", "\u200b Ben": "Ben",
		"\u200b\u2060": "", "\u0301": "", "": "",
	} {
		if got := visual.Clean(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

func TestClean_KeepsEveryEmoji(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("../emoji/emoji.txt")
	if err != nil {
		t.Fatal(err)
	}
	for emoji := range strings.FieldsSeq(string(list)) {
		if got := visual.Clean(emoji); got != emoji {
			t.Errorf("%q becomes %q", emoji, got)
		}
	}
}

func TestSkeleton(t *testing.T) {
	t.Parallel()
	for _, alike := range [][]string{
		{
			"Ben Boss", "BEN BOSS", "ben boss", "Ben  Boss", " Ben\u00a0Boss ", "Ben B\u043ess", "Ben\u200b Boss", "Ben\u2800 Boss", "Ben B0ss", "\u0412\u0435n Boss", "𝐁𝐞𝐧 Ｂｏｓｓ",
		},
		{"Ali", "ALI", "A1i", "AIl", "A\u0131i", "Ali\u0307"},
		{"Bram", "Brarn", "BRAM", "BRARN"},
		{"Zoë", "Zoe\u0308", "ZOË", "Zoe\u0308\u0308"},
		{"Ben Boss (ben1)", "Ben Boss （ben1）", "Ben Boss \u207dben1\u207e"},
		{"İnci", "inci", "Inci"},
		{"علی\u200cرضا", "علیرضا"},
	} {
		for _, name := range alike[1:] {
			if one, other := visual.Skeleton(alike[0]), visual.Skeleton(name); one != other {
				t.Errorf("%q has the skeleton %q, and %q has %q", alike[0], one, name, other)
			}
		}
	}
	for _, pair := range [][2]string{{"Ben Boss", "BenBoss"}, {"Ben Boss", "Ben Bass"}, {"Zoe", "Zoë"}, {"Nera", "Vera"}, {"Ann", "Anna"}, {"李", "季"}} {
		if one := visual.Skeleton(pair[0]); one == visual.Skeleton(pair[1]) {
			t.Errorf("both %q have the skeleton %q", pair, one)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, name := range []string{"Ben\u200bBoss", "علی\u200cرضا", "👩🏽\u200d🚀", "क्\u200dष", "🏴\U000E0067\U000E007F", "e\u0301\u200b\u0301", "\xff", " \u200b\u0301"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean := visual.Clean(name)
		if again := visual.Clean(clean); again != clean {
			t.Errorf("%q becomes %q, and then %q", name, clean, again)
		}
		if (clean == "") != visual.Blank(name) {
			t.Errorf("%q becomes %q, and is blank: %v", name, clean, visual.Blank(name))
		}
		skeleton := visual.Skeleton(name)
		if !utf8.ValidString(skeleton) || clean != "" && utf8.ValidString(name) && visual.Skeleton(clean) != skeleton {
			t.Errorf("%q has the skeleton %q, and %q has %q", name, skeleton, clean, visual.Skeleton(clean))
		}
		if again := visual.Skeleton(skeleton); again != skeleton {
			t.Errorf("the skeleton %q of %q has the skeleton %q", skeleton, name, again)
		}
	})
}
