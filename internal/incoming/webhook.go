package incoming

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"example.com/parley/internal/chat"
)

const (
	// MaxPerRoom is how many incoming webhooks a room may have: its owners look through them, and a
	// program needs one.
	MaxPerRoom = 5
	// idBytes is the length of a webhook's id, which is random. It posts nothing by itself.
	idBytes = chat.BotDigits / 2
	// randomBytes is the number of random bytes in a secret besides the id. With 256 bits, secrets
	// cannot be guessed.
	randomBytes = 32
	// randomChars is the length of the random bytes as they are written: base32 without padding.
	randomChars = (randomBytes*8 + 4) / 5
)

// Webhook lets a program post into one room as a bot.
type Webhook struct {
	ID        ID
	Room      chat.RoomID
	Name      string // of the bot, as people see it
	CreatedBy chat.UserID
	CreatedAt time.Time
	// Removed webhooks post nothing.
	Removed bool
	// hash is of the current secret. The secret is not stored.
	hash [sha256.Size]byte
}

// Bot returns the sender of the webhook's messages.
func (w Webhook) Bot() chat.UserID { return chat.BotID(string(w.ID)) }

// With returns the webhook with another secret.
func (w Webhook) With(s Secret) Webhook {
	w.hash = s.hash()
	return w
}

// admits reports whether a secret is the webhook's current one.
func (w Webhook) admits(s Secret) bool {
	hash := s.hash()
	return !w.Removed && subtle.ConstantTimeCompare(hash[:], w.hash[:]) == 1
}

// ID identifies a webhook. It is no secret, so logs and lists may contain it.
type ID string

// ParseID parses an id.
func ParseID(s string) (ID, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != idBytes || s != strings.ToLower(s) {
		return "", chat.Invalidf("incoming", "must be a webhook's id: %d characters of 0-9 and a-f", 2*idBytes)
	}
	return ID(s), nil
}

func newID(random io.Reader) (ID, error) {
	var b [idBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("create a webhook's id: %w", err)
	}
	return ID(hex.EncodeToString(b[:])), nil
}

// Secret is the last part of a webhook's address: its id, and 52 random characters of a-z and 2-7.
// The id finds the row without an index, and lets a secret be replaced in place.
type Secret string

var secretText = base32.StdEncoding.WithPadding(base32.NoPadding)

// newSecret returns a random secret of a webhook.
func newSecret(of ID, random io.Reader) (Secret, error) {
	var b [randomBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("create a webhook's secret: %w", err)
	}
	return Secret(string(of) + strings.ToLower(secretText.EncodeToString(b[:]))), nil
}

// webhook returns the id in a secret. It reports false for a text of another form.
func (s Secret) webhook() (ID, bool) {
	if len(s) != 2*idBytes+randomChars {
		return "", false
	}
	id, err := ParseID(string(s[:2*idBytes]))
	return id, err == nil
}

func (s Secret) hash() [sha256.Size]byte { return sha256.Sum256([]byte(s)) }

// String hides the secret from logs and errors.
func (s Secret) String() string { return "a webhook's secret" }

// errUnknown returns the error for a secret that posts nothing, for any reason. All look the same.
func errUnknown() error {
	return &chat.Error{
		Kind:   chat.NotFound,
		Detail: "there is no such webhook: its address was replaced, or it or its room was removed",
	}
}
