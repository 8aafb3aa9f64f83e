package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Term is a word or a phrase of a query.
type Term struct {
	Text   string // folded
	Phrase bool   // a word must end after the text
}

// Range is a part of a text, in bytes.
type Range struct{ From, To int }

// In reports whether a folded text contains the term.
func (t Term) In(folded string) bool { return t.next(folded, 0) >= 0 }

// next returns where a folded text contains the term, at or after a place, or -1.
func (t Term) next(folded string, from int) int {
	for {
		at := strings.Index(folded[from:], t.Text)
		if at < 0 {
			return -1
		}
		at += from
		if boundary(folded, at) && (!t.Phrase || boundary(folded, at+len(t.Text))) {
			return at
		}
		_, size := utf8.DecodeRuneInString(folded[at:])
		from = at + size
	}
}

// boundary reports whether a word of a folded text may begin or end at a place.
func boundary(folded string, at int) bool {
	if at == 0 || at == len(folded) {
		return true
	}
	if before, after := folded[at-1], folded[at]; before < utf8.RuneSelf && after < utf8.RuneSelf {
		return !inASCIIWord(before) || !inASCIIWord(after) // as below, faster
	}
	before, _ := utf8.DecodeLastRuneInString(folded[:at])
	after, _ := utf8.DecodeRuneInString(folded[at:])
	return !inWord(before) || !inWord(after) || unicode.In(before, unspaced...) || unicode.In(after, unspaced...)
}

// inWord reports whether a character is part of a word.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mc, r)
}

// inASCIIWord is inWord for a folded character of ASCII.
func inASCIIWord(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

// unspaced are the scripts without spaces between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// Highlights returns the parts of a text that terms match, in order and without overlaps.
func Highlights(text string, terms []Term) []Range {
	var b strings.Builder
	var places []int // in text, of each byte of the folded text
	fold(text, func(part string, at int) {
		b.WriteString(part)
		for range len(part) {
			places = append(places, at)
		}
	})
	folded := b.String()
	marked := make([]bool, len(folded))
	for _, t := range terms {
		for at := t.next(folded, 0); at >= 0; at = t.next(folded, at+len(t.Text)) {
			for i := at; i < at+len(t.Text); i++ {
				marked[i] = true
			}
		}
	}
	var all []Range
	for i := range marked {
		if !marked[i] {
			continue
		}
		from, to := places[i], end(text, places, i)
		if last := len(all) - 1; last >= 0 && (i > 0 && marked[i-1] || all[last].To > from) {
			all[last].To = to
		} else {
			all = append(all, Range{from, to})
		}
	}
	return all
}

// end returns where the character ends whose folded form has the byte i: before the next one that
// has a form, so that accents belong to their letters.
func end(text string, places []int, i int) int {
	for _, next := range places[i:] {
		if next > places[i] {
			return next
		}
	}
	return len(text)
}
