package search_test

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/search"
)

func word(text string) search.Term   { return search.Term{Text: text} }
func phrase(text string) search.Term { return search.Term{Text: text, Phrase: true} }

// zone has its days two hours after UTC's.
var zone = time.FixedZone("", -2*3600)

func day(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, zone) }

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]search.Query{
		"Lake  Süd": {Terms: []search.Term{word("lake"), word("sud")}},
		`"the  Quick fox" -slow -"in the rain"`: {
			Terms: []search.Term{phrase("the quick fox")}, Without: []search.Term{word("slow"), phrase("in the rain")},
		},
		`a"b c"d`: {Terms: []search.Term{word("a"), phrase("b c"), word("d")}},
		"“lake union” -„light rain“ «a b»": {
			Terms: []search.Term{phrase("lake union"), phrase("a b")}, Without: []search.Term{phrase("light rain")},
		},
		`“lake union" tea`:                                    {Terms: []search.Term{phrase("lake union"), word("tea")}},
		"d’or צה״ל 15″":                                       {Terms: []search.Term{word("d'or"), word(`צה"ל`), word("15''")}},
		"\ufefflake \u200e\u200b -rain":                       {Terms: []search.Term{word("lake")}, Without: []search.Term{word("rain")}},
		"\u200efrom:bob\u200e has:link\u200b":                 {From: "bob", Features: search.HasLink},
		"in:seattle in a boat":                                {Room: "seattle", Terms: []search.Term{word("in"), word("a"), word("boat")}},
		"IN:#seattle from:@bob":                               {Room: "seattle", From: "bob"},
		"from:me mentions:me":                                 {From: "ann", Mentioned: "ann"},
		"mentions:e129":                                       {Mentioned: "e129"},
		"has:link has:FILE has:reaction is:thread":            {Features: search.HasLink | search.HasFile | search.HasReaction | search.InThread},
		"on:2026-11-26":                                       {Since: day(26), Until: day(27)},
		"after:2026-11-26":                                    {Since: day(27)},
		"before:2026-11-26":                                   {Until: day(26)},
		"after:2026-11-01 before:2026-11-26 after:2026-10-01": {Since: day(2), Until: day(26)},
		"12:30 https://example.com":                           {Terms: []search.Term{word("12:30"), word("https://example.com")}},
		"- c++":                                               {Terms: []search.Term{word("-"), word("c++")}},
		"明天 湖":                                                {Terms: []search.Term{word("明天"), word("湖")}},
	} {
		got, err := search.Parse(text, "ann", zone)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", text, err, d)
		}
	}
}

func TestParse_SaysWhereTheFaultIs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                       "must have a word, a phrase or a filter to search for",
		"   ":                    "must have a word, a phrase or a filter to search for",
		"-rain":                  "must have a word, a phrase or a filter to search for",
		`see "the fox`:           `must have another " after a phrase, at character 5`,
		"湖 “the fox":             `must have another " after a phrase, at character 3`,
		"\u200b":                 "must have a word, a phrase or a filter to search for",
		`see ""`:                 "must have a letter, a digit or a mark in each word and phrase, at character 5",
		"see \u0301":             "must have a letter, a digit or a mark in each word and phrase, at character 5",
		"湖 in:":                  "must have a value right after in:, at character 3",
		"in:Seattle!":            "must have the id of a room after in:, at character 1",
		"in:a in:b":              "must have in: once, at character 6",
		"from:a from:b":          "must have from: once, at character 8",
		"from:a/b":               "must have me or the id of a person after from:, at character 1",
		"mentions:a/b":           "must have me or the id of a person after mentions:, at character 1",
		"see -from:bob":          "must not exclude from:, only words and phrases, at character 5",
		"has:pictures":           "must have link, file or reaction after has:, at character 1",
		"is:pinned":              "must have thread after is:, at character 1",
		"on:yesterday":           "must have a day such as 2026-01-31 after on:, at character 1",
		"before:2026-02-30":      "must have a day such as 2026-01-31 after before:, at character 1",
		"after:2026":             "must have a day such as 2026-01-31 after after:, at character 1",
		strings.Repeat("a", 501): "must be at most 500 bytes of UTF-8",
		"\xff":                   "must be at most 500 bytes of UTF-8",
		"\xf3\xcc\x80":           "must be at most 500 bytes of UTF-8",
		strings.Repeat("a ", 21): "must have at most 20 words and phrases",
	} {
		_, err := search.Parse(text, "ann", zone)
		if e := (*chat.Error)(nil); !errors.As(err, &e) || e.Kind != chat.Invalid || e.Field != "q" || e.Detail != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzParse holds that a query either has something to search for or an error that names its field.
func FuzzParse(f *testing.F) {
	for _, text := range []string{`"a b" -c in:x`, "from:me has:link on:2026-11-26", `a"b`, "-", "is:thread 湖", "\xf3\xcc\x80"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := search.Parse(text, "ann", zone)
		if e := (*chat.Error)(nil); err != nil {
			if !errors.As(err, &e) || e.Field != "q" || !utf8.ValidString(e.Detail) {
				t.Fatalf("%v", err)
			}
			return
		}
		for _, term := range append(q.Terms, q.Without...) {
			if term.Text != search.Fold(term.Text) || strings.TrimSpace(term.Text) == "" {
				t.Fatalf("the term %q", term.Text)
			}
		}
	})
}
