package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"parley/internal/chat"
)

// A name becomes a user id by writing every byte outside the alphabet, and
// escapeMark itself, as escapeMark and two upper-case hexadecimal digits.
//
// What would be longer than a user id ends in longMark and longDigits
// digits of the name's SHA-256 instead. It cannot be read back, but stays
// apart from every other name: two marks in a row come from nowhere else.
const (
	escapeMark = '='
	longMark   = "=="
	longDigits = 32
)

// EscapeName turns any name but the empty one into a user id. Distinct names
// give distinct ids.
func EscapeName(name string) chat.UserID {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; chat.UserByte(c) && c != escapeMark {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%c%02X", escapeMark, c)
		}
	}
	if b.Len() <= chat.MaxUserID {
		return chat.UserID(b.String())
	}
	sum := sha256.Sum256([]byte(name))
	head := b.String()[:chat.MaxUserID-len(longMark)-longDigits]
	// A cut escape would run into the mark.
	if i := strings.LastIndexByte(head, escapeMark); i > len(head)-3 {
		head = head[:i]
	}
	return chat.UserID(head + longMark + hex.EncodeToString(sum[:])[:longDigits])
}

// UnescapeName gives the name that EscapeName made id from. It reports false
// where it was shortened, or id is no work of EscapeName.
func UnescapeName(id chat.UserID) (name string, ok bool) {
	var b strings.Builder
	for s := string(id); s != ""; {
		if s[0] != escapeMark {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		if len(s) < 3 {
			return "", false
		}
		c, err := hex.DecodeString(s[1:3])
		if err != nil {
			return "", false
		}
		b.WriteByte(c[0])
		s = s[3:]
	}
	name = b.String()
	return name, EscapeName(name) == id
}
