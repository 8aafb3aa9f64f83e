package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"example.com/parley/internal/chat"
)

// EscapeName writes each byte outside the alphabet of user ids, escapeByte itself, and the first
// byte of a reserved id, as escapeByte and two upper-case hexadecimal digits.
//
// A result that is longer than a user id is cut. It then ends in digestPrefix and digestDigits
// digits of the name's SHA-256. The cut form cannot be decoded, but it is distinct from all
// others, because escaping never produces two escape bytes in a row.
const (
	escapeByte   = '='
	digestPrefix = "=="
	digestDigits = 32
)

// EscapeName converts a name to a user id. Distinct names give distinct ids. The name must not be
// empty.
func EscapeName(name string) chat.UserID {
	var b strings.Builder
	for i := range len(name) {
		reserved := i == 0 && chat.ReservedUserID(name)
		if c := name[i]; chat.UserByte(c) && c != escapeByte && !reserved {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%c%02X", escapeByte, c)
		}
	}
	if b.Len() <= chat.MaxUserID {
		return chat.UserID(b.String())
	}
	sum := sha256.Sum256([]byte(name))
	head := b.String()[:chat.MaxUserID-len(digestPrefix)-digestDigits]
	// Remove an escape that the cut left incomplete: it would run into the prefix.
	if i := strings.LastIndexByte(head, escapeByte); i > len(head)-3 {
		head = head[:i]
	}
	return chat.UserID(head + digestPrefix + hex.EncodeToString(sum[:])[:digestDigits])
}

// UnescapeName returns the name that EscapeName converted to id. It returns false if the id was
// cut or EscapeName does not produce it.
func UnescapeName(id chat.UserID) (name string, ok bool) {
	var b strings.Builder
	for s := string(id); s != ""; {
		if s[0] != escapeByte {
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
