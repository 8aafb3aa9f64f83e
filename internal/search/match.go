package search

import (
	"strings"
	"unicode/utf8"
)

// Term is a word or a phrase of a query.
type Term struct {
	Text   string // folded
	Phrase bool   // a word must end after the text
}

// Range is a part of a text, in bytes.
type Range struct{ From, To int }

const (
	// MaxMarks is the maximum number of parts that are marked in a text: nobody looks at more.
	// A text that repeats a word would have 16,000, which are 20 times as long as itself.
	MaxMarks = 100
	// maxHead is the part of a term that package strings looks for: it finds that in one pass,
	// whatever the text and the term are.
	maxHead = 32
	// tryCost is the steps of a place where the head of a term occurs, in addition to its bytes.
	tryCost = 16
	// comparedBytes is the number of bytes that are compared in a step.
	comparedBytes = 16
)

// In reports whether a folded text contains the term.
func (t Term) In(folded string) bool {
	at, _ := t.next(folded, 0)
	return at >= 0
}

// head returns the beginning of the term.
func (t Term) head() string { return t.Text[:min(len(t.Text), maxHead)] }

// next returns where a folded text contains the term, at or after a place, or -1. The steps are
// about one for each byte that it looked at: after a place where no word begins, it continues where
// the next one may.
func (t Term) next(folded string, from int) (at, steps int) {
	for at = from; ; {
		n := strings.Index(folded[at:], t.head())
		if n < 0 {
			return -1, steps + tryCost + len(folded) - at
		}
		at += n
		steps += tryCost + n
		if boundary(folded, at) {
			if steps += len(t.Text) / comparedBytes; t.isAt(folded, at) {
				return at, steps
			}
		}
		next := nextBoundary(folded, at)
		steps += next - at
		at = next
	}
}

// isAt reports whether a folded text contains the term at a place where a word may begin.
func (t Term) isAt(folded string, at int) bool {
	return strings.HasPrefix(folded[at:], t.Text) && (!t.Phrase || boundary(folded, at+len(t.Text)))
}

// boundary reports whether a word of a folded text may begin or end at a place.
func boundary(folded string, at int) bool {
	if at == 0 || at == len(folded) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(folded[:at])
	after, _ := classAt(folded, at)
	return after != inWord || formOf(before).class != inWord
}

// nextBoundary returns the first place after another where a word may begin or end.
func nextBoundary(folded string, at int) int {
	before, size := classAt(folded, at)
	if at += size; before != inWord {
		return at
	}
	for at < len(folded) {
		if c := folded[at]; c < utf8.RuneSelf { // as below, faster
			if formsOfASCII[c].class != inWord {
				return at
			}
			at++
			continue
		}
		after, size := classAt(folded, at)
		if after != inWord {
			return at
		}
		at += size
	}
	return at
}

// highlights returns the parts of a text that terms match, in order and without overlaps, at most
// MaxMarks, and the steps that it took.
func highlights(text string, terms []Term) (all []Range, steps int) {
	var b strings.Builder
	var places []int32 // in text, of each byte of the folded text
	fold(text, func(part string, at int) {
		b.WriteString(part)
		for range len(part) {
			places = append(places, int32(at)) //nolint:gosec // within a text
		}
	})
	folded := b.String()
	marked, steps := marksIn(folded, terms)
	for i := range marked {
		if !marked[i] {
			continue
		}
		from, to := int(places[i]), end(text, places, i)
		if last := len(all) - 1; last >= 0 && (i > 0 && marked[i-1] || all[last].To > from) {
			all[last].To = to
			continue
		}
		if len(all) == MaxMarks {
			break
		}
		all = append(all, Range{from, to})
	}
	return all, steps + foldCost*len(folded)
}

// marksIn returns which bytes of a folded text terms match, and the steps that it took.
func marksIn(folded string, terms []Term) (marked []bool, steps int) {
	marked = make([]bool, len(folded))
	for _, t := range terms {
		for from := 0; from < len(folded); {
			at, took := t.next(folded, from)
			if steps += took; at < 0 {
				break
			}
			from = at + len(t.Text)
			steps += len(t.Text)
			for i := at; i < from; i++ {
				marked[i] = true
			}
		}
	}
	return marked, steps
}

// end returns where the character ends whose folded form has the byte i: before the next one that
// has a form, so that accents belong to their letters.
func end(text string, places []int32, i int) int {
	for _, next := range places[i:] {
		if next > places[i] {
			return int(next)
		}
	}
	return len(text)
}
