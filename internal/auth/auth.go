// Package auth verifies access tokens: signed with RS256, by one issuer, for a known audience, and
// not expired. It replaces API Gateway's JWT authorizer and decides alike.
package auth

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// algorithm is the only accepted one, for any token's header: API Gateway accepts no other, and
	// one is enough to get right.
	algorithm = "RS256"
	// maxToken bounds a token in bytes: HTTP APIs take 10,240 bytes of headers.
	maxToken = 8 << 10
	// minKeyBits is the least size of a key for RS256 (RFC 7518).
	minKeyBits = 2048
)

// ErrRefused is returned for an invalid token. It gives no reason, so that the author of a forged
// token learns nothing.
var ErrRefused = errors.New("the token is not valid")

// ErrNoKey is returned by Keys for a key id that the issuer does not have.
var ErrNoKey = errors.New("the issuer has no key of this id")

// Keys returns the issuer's public keys.
type Keys interface {
	// Key returns the key of an id, or an error that wraps ErrNoKey when there is none. Any other
	// error means that the keys are unavailable: the token is neither accepted nor refused. The
	// client chooses the id, so the work for an unknown one must be bounded.
	Key(ctx context.Context, id string) (*rsa.PublicKey, error)
}

// Config says whose tokens are accepted. All fields are required.
type Config struct {
	Issuer    string   // must equal the token's iss
	Audiences []string // one must be in aud, or equal client_id where aud is absent
	Keys      Keys
	Clock     func() time.Time
}

// Verifier verifies tokens. It is safe for concurrent use.
type Verifier struct {
	cfg    Config
	parser *jwt.Parser
}

// New returns a verifier. It fails if the configuration would accept anyone.
func New(cfg Config) (*Verifier, error) {
	switch {
	case cfg.Issuer == "":
		return nil, errors.New("auth: no issuer is configured")
	case len(cfg.Audiences) == 0 || slices.Contains(cfg.Audiences, ""):
		return nil, errors.New("auth: no audience is configured, or an empty one")
	case cfg.Keys == nil || cfg.Clock == nil:
		return nil, errors.New("auth: keys and a clock are needed")
	}
	cfg.Audiences = slices.Clone(cfg.Audiences)
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{algorithm}),
		jwt.WithIssuer(cfg.Issuer),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(), // one from the future is refused, as the service does
		jwt.WithTimeFunc(cfg.Clock),
		jwt.WithStrictDecoding(),
		jwt.WithJSONNumber(),
	)
	return &Verifier{cfg: cfg, parser: parser}, nil
}

// Verify returns the claims of a valid token. Its error is ErrRefused, or that of Keys if the
// issuer's keys are unavailable. A token has one spelling: line breaks, which Go's base64 would
// skip, are refused.
func (v *Verifier) Verify(ctx context.Context, token string) (Claims, error) {
	if len(token) > maxToken || strings.ContainsAny(token, "\r\n") {
		return Claims{}, ErrRefused
	}
	claims := jwt.MapClaims{}
	var keysErr error
	_, err := v.parser.ParseWithClaims(token, claims, func(t *jwt.Token) (any, error) {
		key, err := v.key(ctx, t)
		if err != nil && !errors.Is(err, ErrNoKey) && !errors.Is(err, ErrRefused) {
			keysErr = err
		}
		return key, err
	})
	switch {
	case keysErr != nil:
		return Claims{}, fmt.Errorf("verify a token: %w", keysErr)
	case err != nil || !v.meant(claims):
		return Claims{}, ErrRefused
	}
	return readClaims(claims)
}

// key finds the key that the token's header names. A token without a key id is refused, as is one
// with extensions that a verifier must know (RFC 7515, crit).
func (v *Verifier) key(ctx context.Context, t *jwt.Token) (any, error) {
	id, _ := t.Header["kid"].(string)
	if _, critical := t.Header["crit"]; id == "" || critical {
		return nil, ErrRefused
	}
	key, err := v.cfg.Keys.Key(ctx, id)
	if err != nil {
		return nil, err
	}
	if key == nil || key.N == nil || key.N.BitLen() < minKeyBits {
		return nil, fmt.Errorf("key %q is no RSA key of %d bits", id, minKeyBits)
	}
	return key, nil
}

// meant reports whether the token is for this audience. Cognito's access tokens have the client's
// id instead of an audience. The id counts only if aud is absent.
func (v *Verifier) meant(claims jwt.MapClaims) bool {
	if _, present := claims["aud"]; !present {
		id, _ := claims["client_id"].(string)
		return slices.Contains(v.cfg.Audiences, id)
	}
	audience, err := claims.GetAudience()
	return err == nil && slices.ContainsFunc(audience, func(a string) bool {
		return slices.Contains(v.cfg.Audiences, a)
	})
}
