package search_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/search"
)

// TestTerm_In has the texts that words and phrases find, and the parts that are highlighted.
func TestTerm_In(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text, term string
		phrase           bool
		want             string // the text with brackets around highlights; "" if nothing is found
	}{
		{"the beginning of a word", "The lakeside is calm", "lake", false, "The [lake]side is calm"},
		{"the middle of a word", "A snowflake", "flake", false, ""},
		{"the middle, then the beginning", "snowflake flakes", "flake", false, "snowflake [flake]s"},
		{"other case", "LAKE Lake", "lAkE", false, "[LAKE] [Lake]"},
		{"no accents in the query", "Zoë's café", "zoe", false, "[Zoë]'s café"},
		{"accents in the query", "Zoe's cafe", "café", false, "Zoe's [cafe]"},
		{"composed and decomposed", "cafe\u0301 open", "café", false, "[cafe\u0301] open"},
		{"full width", "ＦＵＬＬ width", "full", false, "[ＦＵＬＬ] width"},
		{"half width katakana", "ｶﾀｶﾅ", "カタ", false, "[ｶﾀ]ｶﾅ"},
		{"a ligature", "ﬁnally", "fi", false, "[ﬁ]nally"},
		{"a sharp s", "Straße", "strasse", false, "[Straße]"},
		{"two characters of Chinese", "我们明天去湖边", "明天", false, "我们[明天]去湖边"},
		{"one character of Chinese", "我们明天去湖边", "湖", false, "我们明天去[湖]边"},
		{"Chinese after Latin", "于Seattle集合", "seattle", false, "于[Seattle]集合"},
		{"Japanese", "東京タワーへ行く", "タワー", false, "東京[タワー]へ行く"},
		{"Thai", "ฉันไปทะเล", "ทะเล", false, "ฉันไป[ทะเล]"},
		{"Korean, the beginning of a word", "내일 호수에서", "호수", false, "내일 [호수]에서"},
		{"Korean, the middle of a word", "내일 큰호수에서", "호수", false, ""},
		{"Arabic without marks", "مُحَمَّد هنا", "محمد", false, "[مُحَمَّد] هنا"},
		{"Russian", "Завтра на Озеро", "озер", false, "Завтра на [Озер]о"},
		{"a number", "ticket 10423", "104", false, "ticket [104]23"},
		{"signs", "we use c++ and go", "c++", false, "we use [c++] and go"},
		{"an emoji", "nice 🎉🎉", "🎉", false, "nice [🎉🎉]"},
		{"after a sign", "see foo_bar/baz", "bar", false, "see foo_[bar]/baz"},
		{"a phrase", "the quick brown fox", "quick brown", true, "the [quick brown] fox"},
		{"a phrase that ends in a word", "the quick browns", "quick brown", true, ""},
		{"a phrase that begins in a word", "unquick brown", "quick brown", true, ""},
		{"a phrase over lines", "the quick \n  brown fox", "quick brown", true, "the [quick \n  brown] fox"},
		{"a phrase in Chinese", "我们明天去湖边", "明天去", true, "我们[明天去]湖边"},
		{"a phrase found at its second place", "quick browns, quick brown", "quick brown", true, "quick browns, [quick brown]"},
		{"a typographic apostrophe", "I think it’s fine", "it's", false, "I think [it’s] fine"},
		{"a hyphen that does not break", "an e\u2011book", "e-book", false, "an [e\u2011book]"},
		{"a soft hyphen", "gam\u00adma rays", "gamma", false, "[gam\u00adma] rays"},
		{"a tatweel", "محـــمد هنا", "محمد", false, "[محـــمد] هنا"},
		{"a phrase in quotes", "the “quick brown” fox", "quick brown", true, "the “[quick brown]” fox"},
		{"the flag of another country", "\U0001f3f4\U000e0067\U000e0062\U000e0073", "\U0001f3f4\U000e0067\U000e0062\U000e0077", false, ""},
		{"a number of Arabic under its sign", "\u0600١٢", "\u0600", false, "[\u0600]١٢"},
		{"invalid UTF-8", "\xff lake", "lake", false, "\xff [lake]"},
	} {
		term := search.Term{Text: search.Fold(tt.term), Phrase: tt.phrase}
		if got := term.In(search.Fold(tt.text)); got != (tt.want != "") {
			t.Errorf("%s: %q in %q: %t", tt.name, tt.term, tt.text, got)
		}
		var got strings.Builder
		end := 0
		for _, r := range search.Highlights(tt.text, []search.Term{term}) {
			got.WriteString(tt.text[end:r.From] + "[" + tt.text[r.From:r.To] + "]")
			end = r.To
		}
		got.WriteString(tt.text[end:])
		if tt.want != "" && got.String() != tt.want {
			t.Errorf("%s: highlighted %q, want %q", tt.name, got.String(), tt.want)
		}
	}
}

// FuzzHighlights compares highlights with matches: a text has some if and only if it contains a
// term, they are in order, and they begin and end between characters.
func FuzzHighlights(f *testing.F) {
	f.Add("The quick brown fox", "quick", true)
	f.Add("ﬁ Straße cafe\u0301 我们明天", "明", false)
	f.Add("\xff\xc0", "\xff", false)
	f.Fuzz(func(t *testing.T, text, word string, phrase bool) {
		term := search.Term{Text: search.Fold(word), Phrase: phrase}
		if term.Text == "" {
			return
		}
		marks := search.Highlights(text, []search.Term{term})
		if found := term.In(search.Fold(text)); found != (len(marks) > 0) {
			t.Fatalf("found %t, highlighted %v", found, marks)
		}
		end := 0
		for i, r := range marks {
			if r.From < end || r.To <= r.From || r.To > len(text) || i > 0 && r.From == end {
				t.Fatalf("highlights %v of %d bytes", marks, len(text))
			}
			if utf8.ValidString(text) && !utf8.ValidString(text[r.From:r.To]) {
				t.Fatalf("the highlight %q splits a character", text[r.From:r.To])
			}
			end = r.To
		}
		if again := search.Fold(search.Fold(text)); again != search.Fold(text) {
			t.Fatalf("folded again, %q is %q", search.Fold(text), again)
		}
	})
}

// TestHighlights_AreBounded marks a text that repeats a word.
func TestHighlights_AreBounded(t *testing.T) {
	t.Parallel()
	marks := search.Highlights(strings.Repeat("a ", chat.MaxText/2), []search.Term{{Text: "a"}})
	if want := (search.Range{From: 2 * (search.MaxMarks - 1), To: 2*search.MaxMarks - 1}); len(marks) != search.MaxMarks || marks[len(marks)-1] != want {
		t.Errorf("%d marks, the last %v, want %d and %v", len(marks), marks[len(marks)-1], search.MaxMarks, want)
	}
}

// cases reads a file of cases that the page's tests also read.
func cases[C any](t *testing.T, name string) (all []C) {
	t.Helper()
	file, err := os.ReadFile("testdata/" + name)
	if err == nil {
		err = json.Unmarshal(file, &all)
	}
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	return all
}

// TestTerm_InWhatPeopleType has a word and a text with it in each case.
func TestTerm_InWhatPeopleType(t *testing.T) {
	t.Parallel()
	for _, c := range cases[[2]string](t, "folds.json") {
		if !(search.Term{Text: search.Fold(c[0])}).In(search.Fold(c[1])) {
			t.Errorf("%q is not found in %q", c[0], c[1])
		}
	}
}

// TestQuery_HasLink has a text in each case, and whether the page shows a link in it.
func TestQuery_HasLink(t *testing.T) {
	t.Parallel()
	for _, c := range cases[[2]any](t, "links.json") {
		text, _ := c[0].(string)
		if got := (search.Query{Features: search.HasLink}).Match(chat.Message{Text: text}); got != c[1] {
			t.Errorf("%q has a link: %t", text, got)
		}
	}
}

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
