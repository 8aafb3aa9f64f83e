package people

import (
	"strings"
	"unicode"
)

// MaxWords is the number of words of a name by which a person is found. More of them fit in
// chat.MaxName only if they are very short. Each word is an item, and a change of a name deletes
// the items of the former words in the transaction that puts the new ones.
const MaxWords = 20

// Fold returns a text in the form in which names are compared: without the distinction of upper and
// lower case. It maps each character to the first of those that Unicode's simple case folding does
// not distinguish. It leaves accents, and does not compose them with their letters.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		first := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			first = min(first, next)
		}
		return first
	}, s)
}

// Words returns the folded name from each of its first MaxWords words on, the longest text first.
// The first word begins with the name. Each other begins after a space or a mark of punctuation. A
// name begins with a text, or has a word that does, if one of the words begins with the folded
// text.
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
