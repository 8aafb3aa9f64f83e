package chat

import (
	"strings"
	"unicode"
)

// Visible reports whether a text has a visible character: one that is not a space, a combining
// mark, a control or format character, or otherwise ignorable.
func Visible(s string) bool {
	const brailleBlank = '\u2800' // Unicode calls it a symbol
	return strings.ContainsFunc(s, func(r rune) bool {
		return r != brailleBlank && !unicode.In(r, unicode.M, unicode.Z, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Other_Default_Ignorable_Code_Point)
	})
}
