// Package issuer signs access tokens on a laptop. They have the form of Cognito's tokens and pass
// the same verifier. The keys are in the data folder, so a reader of that folder can sign as any
// user.
package issuer

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/config"
	"example.com/parley/internal/publickey"
)

const (
	// Name is the iss of every local token.
	Name = "urn:parley:local"
	// Audience is the client id of every local token.
	Audience = "parley-local"
	// DefaultLife is the default life of a token, a day's work. Tokens are not refreshed.
	DefaultLife = 12 * time.Hour
	// MaxLife limits a token's life, because a token cannot be revoked.
	MaxLife = 30 * 24 * time.Hour
)

// Config configures an Issuer.
type Config struct {
	Dir   string           // the data folder, which must exist
	Clock func() time.Time // required
	Rand  io.Reader        // required; crypto/rand.Reader except in tests
}

// Issuer signs tokens. It implements auth.Keys with the keys of the folder. It is safe for
// concurrent use.
type Issuer struct {
	cfg     Config
	created string // the file of the key that Open created

	mu      sync.Mutex
	keys    []signingKey // never changed, only replaced; the last one signs
	numbers []int        // the files that existed when the keys were read
}

var _ auth.Keys = (*Issuer)(nil)

// Open reads the keys of the folder and creates one on first use. Processes that open a new folder
// concurrently use the same key.
func Open(cfg Config) (*Issuer, error) {
	if cfg.Dir == "" || cfg.Clock == nil || cfg.Rand == nil {
		return nil, errors.New("open the issuer: a folder, a clock and randomness are required")
	}
	numbers, err := listKeys(cfg.Dir)
	i := &Issuer{cfg: cfg}
	if err == nil && len(numbers) == 0 {
		i.created = filepath.Join(cfg.Dir, keyName(1))
		err = createKey(i.created, cfg.Clock(), cfg.Rand)
	}
	if err == nil {
		_, err = i.current()
	}
	if err != nil {
		return nil, fmt.Errorf("open the issuer: %w", err)
	}
	return i, nil
}

// CreatedKey returns the file of the key that Open created, or "" if the folder had a key. It
// reveals a key created by accident in the wrong folder.
func (i *Issuer) CreatedKey() string { return i.created }

// Claim is a claim of a token in addition to the claims of every token.
type Claim struct{ Name, Value string }

// Token signs an access token for a user, valid from now for the given life. Like Cognito's, it
// claims a username, which is the user unless more contains another.
func (i *Issuer) Token(user string, life time.Duration, more ...Claim) (string, error) {
	return i.sign(user, life, more)
}

// ServiceToken signs an access token for a service, which may act for users. Otherwise it is like
// Token.
func (i *Issuer) ServiceToken(service string, life time.Duration, more ...Claim) (string, error) {
	return i.sign(service, life, append(more, Claim{"scope", config.ServiceScope}))
}

// sign signs a token with further claims.
func (i *Issuer) sign(user string, life time.Duration, more []Claim) (string, error) {
	if user == "" {
		return "", errors.New("create a token: the user is missing")
	}
	if life <= 0 || life > MaxLife {
		return "", fmt.Errorf("create a token: a life of %s is not between 0 and %s", life, MaxLife)
	}
	jti, err := uuid.NewRandomFromReader(i.cfg.Rand)
	if err != nil {
		return "", fmt.Errorf("create a token: %w", err)
	}
	keys, err := i.current()
	if err != nil {
		return "", fmt.Errorf("create a token: %w", err)
	}
	key, now := keys[len(keys)-1], i.cfg.Clock()
	claims := jwt.MapClaims{
		config.NameClaim: user,

		"iss":       Name,
		"sub":       user,
		"client_id": Audience,
		"token_use": "access",
		"iat":       now.Unix(),
		"exp":       now.Add(life).Unix(),
		"jti":       jti.String(),
	}
	for _, c := range more {
		claims[c.Name] = c.Value
	}
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	token.Header["kid"] = key.id
	text, err := token.SignedString(key.private)
	if err != nil {
		return "", fmt.Errorf("create a token: %w", err)
	}
	return text, nil
}

// Key returns the public key with the given id. It looks for an unknown id in the folder, so
// another process's rotation takes effect immediately.
func (i *Issuer) Key(_ context.Context, id string) (*rsa.PublicKey, error) {
	i.mu.Lock()
	key := i.find(i.keys, id)
	i.mu.Unlock()
	if key != nil {
		return key, nil
	}
	keys, err := i.current()
	if err != nil {
		return nil, fmt.Errorf("find a key: %w", err)
	}
	if key := i.find(keys, id); key != nil {
		return key, nil
	}
	return nil, auth.ErrNoKey
}

func (i *Issuer) find(keys []signingKey, id string) *rsa.PublicKey {
	now := i.cfg.Clock()
	for _, key := range keys {
		if key.id == id && !key.expired(now) {
			return &key.private.PublicKey
		}
	}
	return nil
}

// Verifier returns a verifier of this issuer's tokens.
func (i *Issuer) Verifier() (*auth.Verifier, error) {
	return auth.New(auth.Config{
		Issuer: Name, Audiences: []string{Audience}, Keys: i, Clock: i.cfg.Clock,
	})
}

// JWKS returns the current public keys as a JSON Web Key Set (RFC 7517).
func (i *Issuer) JWKS() ([]byte, error) {
	keys, err := i.current()
	if err != nil {
		return nil, fmt.Errorf("write the key set: %w", err)
	}
	var set []publickey.Key
	for _, key := range keys {
		if !key.expired(i.cfg.Clock()) {
			set = append(set, publickey.Key{ID: key.id, Public: &key.private.PublicKey})
		}
	}
	return publickey.Set(set)
}

// Rotate creates a new key, which signs from now on, in this and every other process that uses the
// folder. Earlier keys stay in the key set until their tokens have expired, and are then removed.
// Concurrent rotations create one key.
func (i *Issuer) Rotate() error {
	keys, err := i.current()
	if err != nil {
		return fmt.Errorf("rotate the issuer's key: %w", err)
	}
	now := i.cfg.Clock()
	next := filepath.Join(i.cfg.Dir, keyName(keys[len(keys)-1].number+1))
	// Times are stored in whole seconds. Rounding up ensures that no token of the previous key
	// outlives the key.
	if err := createKey(next, now.Add(time.Second), i.cfg.Rand); err != nil {
		return fmt.Errorf("rotate the issuer's key: %w", err)
	}
	for _, key := range keys {
		if !key.expired(now) {
			continue
		}
		err := os.Remove(filepath.Join(i.cfg.Dir, keyName(key.number)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("rotate the issuer's key: %w", err)
		}
	}
	return nil
}

// current returns the folder's current keys. It reads the files only if their names have changed,
// so that an unknown key id only causes a listing of the folder.
func (i *Issuer) current() ([]signingKey, error) {
	numbers, err := listKeys(i.cfg.Dir)
	if err != nil {
		return nil, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if slices.Equal(numbers, i.numbers) {
		return i.keys, nil
	}
	keys, err := readKeys(i.cfg.Dir, numbers)
	if err != nil {
		return nil, err
	}
	i.keys, i.numbers = keys, numbers
	return keys, nil
}
