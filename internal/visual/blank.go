package visual

import (
	"strings"
	"unicode"
)

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
