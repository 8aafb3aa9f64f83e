// Package visual knows how texts look: which of them show nothing, which characters of a name are
// invisible, and which names look alike. It implements the parts of Unicode's security mechanisms
// (UTS 39) that names need. Its table is made of Unicode's confusables.txt, which is under the
// Unicode License v3. The script scripts/confusables writes it. ADR 84 has the reasons.
package visual

import (
	_ "embed" // the table
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// TextRule returns the rule that a text breaks, or "": it must show something.
func TextRule(s string) string {
	if Blank(s) {
		return "must have a visible character"
	}
	return ""
}

// LineRule returns the rule that a line of text breaks, or "". It must be valid UTF-8, without line
// breaks, control characters and marks of direction. It must show something, or be empty.
func LineRule(s string) string {
	if !utf8.ValidString(s) {
		return "must be valid UTF-8"
	}
	for _, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.MaxRune || r == '\u2028' ||
			r == '\u2029' {
			return "must not contain line breaks or control characters"
		}
	}
	if s == "" {
		return ""
	}
	return TextRule(s)
}

// NameRule returns the rule that a line breaks as a name, or "". It must show something, without
// the invisible characters that Clean removes.
func NameRule(s string) string {
	if rule := TextRule(s); rule != "" {
		return rule
	}
	if Clean(s) != strings.TrimSpace(s) {
		return "must not contain invisible characters, except where an emoji or a script needs them"
	}
	return ""
}

// The characters that Unicode calls symbols and that fonts draw as nothing.
const (
	brailleBlank = '\u2800'
	nullNotehead = '\U0001D159'
	objectPlace  = '\uFFFC' // of an object, which plain text does not have
)

// Blank reports whether a text shows nothing. Such a text has only white space, combining marks,
// control, format and ignorable characters, and blank symbols. Fillers of Hangul, variation
// selectors, tags and marks of direction are among them.
func Blank(s string) bool { return !strings.ContainsFunc(s, shows) }

// shows reports whether a character shows something without another character before it.
func shows(r rune) bool { return !ignorable(r) && !unicode.In(r, unicode.M, unicode.Z) }

// ignorable reports whether r shows nothing by itself: Unicode's default ignorable characters, the
// other control and format characters, and blank symbols. Spaces are not ignorable.
func ignorable(r rune) bool {
	switch {
	case r == brailleBlank || r == nullNotehead || r == objectPlace:
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false // such as the Arabic end of ayah, which is a format character
	}
	return unicode.In(
		r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector,
	)
}

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
