package invite

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

const (
	// DefaultAge is how long an invitation is valid by default. People answer a link within days,
	// and a forgotten link must not stay open.
	DefaultAge = 7 * 24 * time.Hour
	// MaxAge is how long an invitation may be valid. A link needed for longer is created again, by
	// somebody who may still invite.
	MaxAge = 30 * 24 * time.Hour
	// DefaultUses is how many people an invitation admits by default: a large team, but not a
	// crowd if the link leaks.
	DefaultUses = 100
	// MaxUses is how many people an invitation may admit. A room for more people is public.
	MaxUses = 1000
	// MaxLive is how many live invitations a room may have, so a moderator can look through them.
	MaxLive = 50
)

// Invitation admits people to a room. Its creator must still be allowed to invite when it is used.
type Invitation struct {
	ID        ID
	Room      chat.RoomID
	Role      policy.Role // the role of people who join
	CreatedBy chat.UserID
	CreatedAt time.Time
	Expires   time.Time // to the second
	Uses      int
	MaxUses   int
	Revoked   bool
}

// Open reports whether the invitation is neither expired nor revoked at a time.
func (i Invitation) Open(now time.Time) bool { return !i.Revoked && now.Before(i.Expires) }

// Live reports whether the invitation may admit another person at a time.
func (i Invitation) Live(now time.Time) bool { return i.Open(now) && i.Uses < i.MaxUses }

// Draft describes a new invitation. Zero values mean the defaults: Member, DefaultAge and
// DefaultUses.
type Draft struct {
	Role    policy.Role
	Expires time.Time
	MaxUses int
}

// invitation returns the invitation that a draft describes, or an Invalid error.
func (d Draft) invitation(now time.Time) (Invitation, error) {
	i := Invitation{
		Role: d.Role, CreatedAt: chat.ServerTime(now), Expires: d.Expires.UTC().Truncate(time.Second),
		MaxUses: d.MaxUses,
	}
	if d.Role == 0 {
		i.Role = policy.Member
	}
	if d.Expires.IsZero() {
		i.Expires = now.UTC().Add(DefaultAge).Truncate(time.Second)
	}
	if d.MaxUses == 0 {
		i.MaxUses = DefaultUses
	}
	switch {
	case i.Role != policy.Member && i.Role != policy.Moderator:
		return i, chat.Invalidf("role", "must be member or moderator")
	case !i.Expires.After(now):
		return i, chat.Invalidf("expires", "must be in the future, by at least a second")
	case i.Expires.After(now.Add(MaxAge)):
		return i, chat.Invalidf("expires", "must be at most %d days ahead", int(MaxAge.Hours()/24))
	case i.MaxUses < 1 || i.MaxUses > MaxUses:
		return i, chat.Invalidf("maxUses", "must be from 1 to %d", MaxUses)
	}
	return i, nil
}

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
