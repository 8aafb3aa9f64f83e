package invite

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"example.com/parley/internal/chat"
)

const (
	// tokenBytes is the number of random bytes in a token. With 160 bits, tokens cannot be
	// guessed.
	tokenBytes = 20
	// idBytes is the length of the hash that identifies an invitation. An id of 128 bits reveals
	// nothing about its token.
	idBytes = 16
)

// ID identifies an invitation. It is a prefix of the token's hash, so it admits nobody and logs
// may contain it.
type ID string

// newToken returns a random token: 32 characters, a-z and 2-7.
func newToken(random io.Reader) (string, error) {
	var b [tokenBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("create an invitation's token: %w", err)
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(b[:])), nil
}

// IDOf returns the id of the invitation with a token. Every text has an id, so a malformed token
// is looked up like an unknown one.
func IDOf(token string) ID {
	hash := sha256.Sum256([]byte(token))
	return ID(hex.EncodeToString(hash[:idBytes]))
}

// ParseID parses an id.
func ParseID(s string) (ID, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != idBytes || s != strings.ToLower(s) {
		return "", chat.Invalidf("invite", "must be an invitation's id: %d characters of 0-9 and a-f", 2*idBytes)
	}
	return ID(s), nil
}
