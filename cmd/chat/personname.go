package main

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/local/signin"
)

// digestBytes is the digest length that distinguishes user ids of names with letters that ids
// cannot contain.
const digestBytes = 4

// spelled maps letters that do not decompose into a base letter and an accent.
var spelled = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "ł", "l", "þ", "th", "ı", "i",
)

// named returns the person of a typed name, or the rule that the name breaks. It ignores space
// around the name. Names that differ only in case, accents or punctuation belong to one person.
func named(text string) (p signin.Person, rule string) {
	name := strings.Join(strings.Fields(text), " ")
	if err := chat.CheckName("name", name, chat.MaxName); err != nil {
		return p, "must have 1 to 100 bytes on one line, without invisible characters"
	}
	return signin.Person{User: idOf(name), Name: name}, ""
}

// idOf returns the user id of a name: "Dana Scott" gives dana-scott. A name with letters that ids
// cannot contain, such as letters of other scripts, gives an id with a digest of the name.
func idOf(name string) string {
	folded := spelled.Replace(strings.ToLower(name))
	var id strings.Builder
	lost := false
	for _, r := range norm.NFKD.String(folded) {
		switch {
		case r <= unicode.MaxASCII && chat.UserByte(byte(r)): //nolint:gosec // it is one byte
			id.WriteRune(r)
		case unicode.Is(unicode.Mn, r): // the accent of the previous letter
		default:
			lost = lost || unicode.IsLetter(r) || unicode.IsNumber(r)
			id.WriteByte(' ')
		}
	}
	user := strings.Join(strings.Fields(id.String()), "-")
	if user != "" && !lost && userRule(user) == "" {
		return user
	}
	sum := sha256.Sum256([]byte(folded))
	digest := hex.EncodeToString(sum[:digestBytes])
	user = user[:min(len(user), chat.MaxUserID-len(digest)-1)]
	return strings.TrimLeft(user+"-"+digest, "-")
}
