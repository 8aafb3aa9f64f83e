package visual

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The characters that are invisible in most places and change the look of a text in a few.
const (
	nonJoiner    = '\u200C'
	joiner       = '\u200D'
	textForm     = '\uFE0E' // asks for the plain form of the character before it
	emojiForm    = '\uFE0F' // asks for the colored form
	keycap       = '\u20E3'
	blackFlag    = '\U0001F3F4' // begins the flag of a region, which tags name
	firstTag     = '\U000E0020'
	endOfTags    = '\U000E007F'
	firstPicture = '\U0001F000'
	lastPicture  = '\U0001FAFF'
	information  = '\u2139' // a letter by Unicode, and an emoji
)

// joining are the scripts that need the joiner and the non-joiner: the cursive ones, such as
// Arabic for Persian, and the scripts of India and its neighbors.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Mongolian, unicode.Nko, unicode.Adlam,
	unicode.Hanifi_Rohingya,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Newa, unicode.Tirhuta, unicode.Sharada,
	unicode.Grantha,
	unicode.Khojki, unicode.Khudawadi, unicode.Modi, unicode.Kaithi, unicode.Chakma, unicode.Meetei_Mayek,
	unicode.Balinese,
	unicode.Javanese, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// varying are the scripts whose letters have variants that a variation selector names, such as Han
// for Japanese names.
var varying = []*unicode.RangeTable{
	unicode.Han, unicode.Mongolian, unicode.Myanmar, unicode.Phags_Pa, unicode.Manichaean,
}

// Clean returns a name without its invisible characters, or "" if the rest shows nothing. These
// are control, format and ignorable characters, blank symbols, and a combining mark that repeats
// the one before it. Joiners stay in emoji and where a script needs them, variation selectors after
// a character that has variants, and tags in the flag of a region. Clean trims the ends.
func Clean(name string) string {
	name = strings.ToValidUTF8(name, string(utf8.RuneError))
	var b strings.Builder
	before := rune(-1) // the last character that stays
	for at, r := range name {
		if stays(before, r, name[at+utf8.RuneLen(r):]) {
			b.WriteRune(r)
			before = r
		}
	}
	if clean := strings.TrimSpace(b.String()); !Blank(clean) {
		return clean
	}
	return ""
}

// stays reports whether r shows something after the character before, or changes other characters.
func stays(before, r rune, rest string) bool {
	next, size := utf8.DecodeRuneInString(rest)
	if size == 0 {
		next = -1
	}
	switch {
	case r == joiner && (isEmoji(before) || before == emojiForm):
		return isEmoji(next)
	case r == joiner || r == nonJoiner:
		return isLetter(before, joining) && isLetter(next, joining)
	case r == textForm || r == emojiForm:
		return isSymbol(before) || isLetter(before, varying) || next == keycap
	case unicode.Is(unicode.Variation_Selector, r):
		return isSymbol(before) || isLetter(before, varying)
	case r >= firstTag && r <= endOfTags:
		return (before == blackFlag || before >= firstTag && before < endOfTags) && tagged(r, rest)
	case unicode.Is(unicode.Mn, r):
		return r != before && !ignorable(r)
	}
	return !ignorable(r)
}

// tagged reports whether r and the tags after it reach the end of a flag's tags.
func tagged(r rune, rest string) bool {
	if r == endOfTags {
		return true
	}
	i := strings.IndexFunc(rest, func(t rune) bool { return t < firstTag || t >= endOfTags })
	return i >= 0 && strings.HasPrefix(rest[i:], string(endOfTags))
}

// isEmoji reports whether r can be a part of an emoji. In the block of pictures, this includes the
// characters of later versions of Unicode.
func isEmoji(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sm) || r >= firstPicture && r <= lastPicture
}

// isSymbol reports whether r has forms that a variation selector selects.
func isSymbol(r rune) bool {
	return r == information || unicode.In(r, unicode.So, unicode.Sm, unicode.Po, unicode.Pd) && shows(r)
}

func isLetter(r rune, scripts []*unicode.RangeTable) bool {
	return unicode.In(r, unicode.L, unicode.M) && unicode.In(r, scripts...)
}
