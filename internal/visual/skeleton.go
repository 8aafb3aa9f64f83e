package visual

import (
	_ "embed" // the table
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Version is the version of Unicode whose confusables.txt the table has. The table adds i and the
// forms of parentheses.
const Version = "16.0.0"

//go:embed confusables.txt
var table string

// prototypes returns what each character of the table looks like, in its final form.
var prototypes = sync.OnceValue(func() map[rune]string {
	all := make(map[rune]string, strings.Count(table, "\n"))
	for line := range strings.Lines(table) {
		r, size := utf8.DecodeRuneInString(line)
		all[r] = strings.TrimSuffix(line[size+1:], "\n")
	}
	return all
})

// dotAbove is invisible over the letters that have a dot.
const dotAbove = "\u0307"

// Skeleton returns the form that a name shares with the names that look like it: its skeleton by
// UTS 39, without regard to case and to the amount of white space. As I looks like l, and ignoring
// case is i, the three are equal. It is for comparison only, and may differ between versions.
func Skeleton(name string) string {
	var b strings.Builder
	space, last := false, ""
	for _, r := range norm.NFD.String(strings.ToValidUTF8(name, string(utf8.RuneError))) {
		if unicode.Is(unicode.Z, r) {
			space, last = b.Len() > 0, ""
			continue
		}
		part := prototype(r)
		hidden := part == last && unicode.Is(unicode.Mn, r) || part == dotAbove && (last == "l" || last == "j")
		if ignorable(r) || hidden {
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteString(part)
		last = part
	}
	return norm.NFD.String(b.String())
}

// prototype returns what a character looks like.
func prototype(r rune) string {
	if to, ok := prototypes()[r]; ok {
		return to
	}
	r = unicode.ToLower(r)
	if to, ok := prototypes()[r]; ok {
		return to
	}
	return string(r)
}
