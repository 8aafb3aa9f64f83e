package search

import (
	"strings"
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
		if unicode.IsSpace(r) {
			if !spaces {
				emit(" ", at)
			}
			spaces = true
			continue
		}
		if part := folded(s[at:], r); part != "" {
			emit(part, at)
			spaces = false
		}
	}
}

const lower = "abcdefghijklmnopqrstuvwxyz"

// folded returns the form of the character r, with which s begins.
func folded(s string, r rune) string {
	switch {
	case r >= 'A' && r <= 'Z':
		return lower[r-'A' : r-'A'+1]
	case r < utf8.RuneSelf:
		return s[:1]
	case r == utf8.RuneError:
		return string(r) // also for an invalid byte, which must not reach the normalizer
	case r >= 0x3400 && r <= 0x9fff:
		return s[:utf8.RuneLen(r)] // Chinese characters are folded already
	}
	return cases.Fold().String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(s[:utf8.RuneLen(r)])))
}
