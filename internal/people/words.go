package people

import (
	"strings"
	"unicode"
)

// MaxWords is the number of words of a name by which a person is found. More fit in chat.MaxName
// only if they are very short. Each word is an item. Changing a name deletes the old words' items
// in the transaction that puts the new ones.
const MaxWords = 20

// Fold returns a text in the form in which names are compared, ignoring case. It maps each
// character to the first that is equal under Unicode's simple case folding. It keeps accents, and
// does not compose them with their letters.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		first := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			first = min(first, next)
		}
		return first
	}, s)
}

// Words returns the folded name from the start of each of its first MaxWords words, longest text
// first. The first word starts with the name. Each other word starts after a space or a
// punctuation mark. A name or one of its words begins with a text if one of these results begins
// with the folded text.
func Words(name string) []string {
	folded := Fold(name)
	var words []string
	inWord := false
	for i, r := range folded {
		part := !unicode.In(r, unicode.Z, unicode.P)
		if i == 0 || part && !inWord {
			words = append(words, folded[i:])
		}
		if inWord = part; len(words) == MaxWords {
			break
		}
	}
	return words
}

// FirstMatch returns the word of a name under which a list of the words that begin with a folded
// text shows the person. Other words of the name may begin with the text too, but people are listed
// once. It returns "" if the name has no such word.
func FirstMatch(name, folded string) string {
	first := ""
	for _, word := range Words(name) {
		if strings.HasPrefix(word, folded) && (first == "" || word < first) {
			first = word
		}
	}
	return first
}
