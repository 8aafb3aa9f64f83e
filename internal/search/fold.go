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
// place of the character in bytes. Accents and further spaces have none.
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
	folded string // empty for accents, and " " for each space
	class  class
}

// class is how a character takes part in words.
type class uint8

const (
	noWord   class = iota
	inWord         // a word begins and ends between it and characters of other classes
	unspaced       // a word begins and ends on both of its sides
)

// lastFolded is more than all characters that are folded or letters: those that follow have
// themselves as their form, except for variation selectors.
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
	if unicode.IsSpace(r) {
		return " "
	}
	return cases.Fold().String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(string(r))))
}

// unspacedScripts are the scripts without spaces between words.
var unspacedScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
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
