// Package emoji contains the emoji with which people react: the emoji that Unicode recommends for
// general interchange, in a list that scripts/emoji writes.
package emoji

import (
	_ "embed" // the list
	"strings"
	"sync"
)

// Version is the list's version of Unicode Emoji.
const Version = "17.0"

// MaxBytes bounds an emoji. The longest in the list has 35 bytes: a family of several people.
const MaxBytes = 40

// selector asks for the colored form of the character before it. Keyboards sometimes omit it, so
// two emoji that differ only in it are the same.
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

// Key returns the key of an emoji, which is the same for all its forms: the text without U+FE0F.
// It reports false for a text that is not one emoji in the list.
func Key(text string) (key string, ok bool) {
	if len(text) > MaxBytes {
		return "", false
	}
	key = keyOf(text)
	_, ok = qualified()[key]
	return key, ok
}

// Text returns the form in which an emoji is shown, given its key. A key that this version does
// not know is returned unchanged: a later version stored it.
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
