package main

import (
	"fmt"
	"strings"
	"unicode"
)

// nextLine begins each further line of a text, so that a text cannot fake separate output lines.
const nextLine = "\n    "

// harmless returns a text that is safe to print on a terminal. Control characters become their
// pictures, and marks that reverse the writing direction become U+FFFD.
func harmless(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		switch {
		case r == '\n':
			b.WriteString(nextLine)
		case r == '\t':
			b.WriteByte(' ')
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == 0x7f:
			b.WriteRune('\u2421')
		case isHarmful(r):
			b.WriteRune(unicode.ReplacementChar)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// harmlessJSON returns JSON on one line, in which such characters are escaped.
func harmlessJSON(raw []byte) string {
	var b strings.Builder
	for _, r := range string(raw) {
		switch {
		case r == '\n' || r == '\r' || r == '\t': // between the tokens
			b.WriteByte(' ')
		case isHarmful(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isHarmful reports whether a character is a control character, a separator of lines, or changes
// the writing direction of the following text.
func isHarmful(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}
