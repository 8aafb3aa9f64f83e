package search

import (
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns a text in the form in which texts are compared.
func Fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	fold(s, func(part string, _ int) { b.WriteString(part) })
	return b.String()
}

// fold calls emit with the form of each character of a text in which texts are compared, and the
// place of the character in bytes. Accents, invisible characters and further spaces have none.
func fold(s string, emit func(part string, at int)) {
	spaces := false
	for at, r := range s {
		var part string
		if r < utf8.RuneSelf {
			part = formsOfASCII[r].folded
		} else {
			part = formOf(r).folded
		}
		if part == " " && spaces || part == "" {
			continue
		}
		spaces = part == " "
		emit(part, at)
	}
}

// form is what comparisons know of a character.
type form struct {
	folded string // empty for accents and invisible characters, and " " for each space
	class  class
}

// class is how a character takes part in words.
type class uint8

const (
	noWord   class = iota
	inWord         // a word begins and ends between it and characters of other classes
	unspaced       // a word begins and ends on both of its sides
)

// lastFolded is more than all characters that are folded or letters. Those that follow have
// themselves as their form, except for variation selectors. So have tags, which are invisible, but
// tell the flag of Scotland from the flag of Wales.
const lastFolded = 0x33480

// forms are the forms of characters that were needed. They take 30 times as long to compute.
var forms [lastFolded]atomic.Pointer[form]

// formOf returns the form of a character.
func formOf(r rune) *form {
	if r >= lastFolded {
		if unicode.Is(unicode.Mn, r) {
			return &form{}
		}
		return &form{folded: string(r)}
	}
	if known := forms[r].Load(); known != nil {
		return known
	}
	f := &form{folded: folded(r), class: classOf(r)}
	forms[r].Store(f)
	return f
}

// folded computes the folded form of a character.
func folded(r rune) string {
	switch {
	case unicode.IsSpace(r):
		return " "
	case r == '\u00b4': // an acute accent as an apostrophe, which NFKD makes a space
		return "'"
	}
	return cases.Fold().String(strings.Map(sign, norm.NFKD.String(string(r))))
}

// Signs that people do not tell apart, and that keyboards and word processors put for each other.
const (
	apostrophes = "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u02b9\u02bb\u02bc\u02bd\u055a\u05f3"
	// quotes begin and end a phrase of a query.
	quotes = "\"\u201c\u201d\u201e\u201f\u00ab\u00bb\u301d\u301e\u301f\uff02"
	// gershayim is compared as a quote, and is a part of words.
	gershayim = '\u05f4'
	minus     = '\u2212'
	// bullet is a hyphen that begins the items of lists.
	bullet  = '\u2043'
	tatweel = '\u0640' // which lengthens the line between two letters
	// waves are written for a tilde, as in spans of Japanese.
	waves = "\u301c\u3030"
)

// sign returns the sign as which a character of a decomposed text is compared, or -1 for none.
func sign(r rune) rune {
	switch {
	case unicode.Is(unicode.Mn, r), r == tatweel, invisible(r):
		return -1
	case strings.ContainsRune(apostrophes, r):
		return '\''
	case strings.ContainsRune(quotes, r), r == gershayim:
		return '"'
	case strings.ContainsRune(waves, r):
		return '~'
	case unicode.Is(unicode.Pd, r), r == minus, r == bullet:
		return '-'
	}
	return r
}

// invisible reports whether a character shows nothing: it joins, separates, hyphenates or directs
// the characters around it. Signs of Arabic that enclose a number also are Cf, and show.
func invisible(r rune) bool {
	return r < lastFolded && (unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r))
}

// unspacedScripts are the scripts without spaces between words.
var unspacedScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
	unicode.Tibetan,
}

// classOf computes the class of a character.
func classOf(r rune) class {
	switch {
	case unicode.In(r, unspacedScripts...):
		return unspaced
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mc, r):
		return inWord
	}
	return noWord
}

// classAt returns the class of the character of a text at a place, and its length.
func classAt(s string, at int) (class, int) {
	if c := s[at]; c < utf8.RuneSelf {
		return formsOfASCII[c].class, 1
	}
	r, size := utf8.DecodeRuneInString(s[at:])
	return formOf(r).class, size
}

var formsOfASCII = func() (all [utf8.RuneSelf]form) {
	for r := range rune(utf8.RuneSelf) {
		all[r] = *formOf(r)
	}
	return all
}()
