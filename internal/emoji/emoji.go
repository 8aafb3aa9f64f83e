// Package emoji has the emoji with which people react: those that Unicode recommends for general
// interchange, in a list that scripts/emoji writes.
package emoji

import (
	_ "embed" // the list
	"strings"
	"sync"
)

// Version is the version of Unicode Emoji that the list is of.
const Version = "17.0"

// MaxBytes bounds an emoji. The longest of the list has 35 bytes: a family of several people.
const MaxBytes = 40

// selector asks for the colored form of the character before it. Keyboards leave it out now and
// then, so two emoji that differ only in it are one.
const selector = "\uFE0F"

//go:embed emoji.txt
var list string

// qualified returns the emoji of the list in their fully qualified forms, by their keys.
var qualified = sync.OnceValue(func() map[string]string {
	forms := strings.Fields(list)
	all := make(map[string]string, len(forms))
	for _, form := range forms {
		all[keyOf(form)] = form
	}
	return all
})

func keyOf(form string) string { return strings.ReplaceAll(form, selector, "") }

// Key returns the key of an emoji, which is the same for all its forms: the text without U+FE0F. It
// reports false for a text that is not one emoji of the list.
func Key(text string) (key string, ok bool) {
	if len(text) > MaxBytes {
		return "", false
	}
	key = keyOf(text)
	_, ok = qualified()[key]
	return key, ok
}

// Text returns the form in which an emoji is shown, given its key. A key that this version does not
// know is returned as it is: a later version stored it.
func Text(key string) string {
	if form, ok := qualified()[key]; ok {
		return form
	}
	return key
}

// Custom reports whether a text has the form of a custom emoji's name, such as ":party:".
func Custom(text string) bool {
	return len(text) > 2 && strings.HasPrefix(text, ":") && strings.HasSuffix(text, ":")
}
