package visual

import (
	"strings"
	"unicode"
	"unicode/utf8"
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
