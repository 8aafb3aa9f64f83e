// Package auth verifies access tokens. It accepts RS256 tokens of one issuer, for a configured
// audience, within their period of validity. On a laptop it replaces API Gateway's JWT authorizer
// and gives the same results.
package auth

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/config"
	"example.com/parley/internal/publickey"
)

const (
	// algorithm is the only one accepted, regardless of the token's header. API Gateway also
	// accepts no other.
	algorithm = "RS256"
	// maxToken limits the size of a token in bytes. HTTP APIs accept 10,240 bytes of headers.
	maxToken = 8 << 10
)

// ErrRefused is the error for an invalid token. The text of the error that wraps it names the
// check that failed. It is for the server's log; it would help a client to forge a token.
var ErrRefused = errors.New("the token is not valid")

func refused(check string) error { return fmt.Errorf("%w: %s", ErrRefused, check) }

// ErrNoKey is returned by Keys for a key id that the issuer does not have.
var ErrNoKey = errors.New("the issuer has no key with this id")

// Keys provides the issuer's public keys.
type Keys interface {
	// Key returns the key with the given id. It returns an error that wraps ErrNoKey if there is
	// none. Any other error means that the keys are unavailable, and the token is neither accepted
	// nor refused. The client chooses the id, so an implementation must limit its work for unknown
	// ids.
	Key(ctx context.Context, id string) (*rsa.PublicKey, error)
}

// Fixed is the Keys of an issuer whose keys are known, by their ids.
type Fixed map[string]*rsa.PublicKey

// Key returns the key with the given id.
func (f Fixed) Key(_ context.Context, id string) (*rsa.PublicKey, error) {
	if key := f[id]; key != nil {
		return key, nil
	}
	return nil, ErrNoKey
}

// Config configures a Verifier. All fields but Rules are required.
type Config struct {
	Issuer    string   // equals the token's iss
	Audiences []string // one is in aud, or equals client_id if aud is absent
	Keys      Keys
	Clock     func() time.Time
	Rules     config.TokenRules
}

// Verifier verifies tokens. It is safe for concurrent use.
type Verifier struct {
	cfg    Config
	parser *jwt.Parser
}

// New returns a Verifier. It fails if a field of cfg is missing or an audience is empty.
func New(cfg Config) (*Verifier, error) {
	switch {
	case cfg.Issuer == "":
		return nil, errors.New("auth: no issuer is configured")
	case len(cfg.Audiences) == 0 || slices.Contains(cfg.Audiences, ""):
		return nil, errors.New("auth: no audience is configured, or one is empty")
	case cfg.Keys == nil || cfg.Clock == nil:
		return nil, errors.New("auth: keys and a clock are required")
	}
	cfg.Audiences = slices.Clone(cfg.Audiences)
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{algorithm}),
		jwt.WithIssuer(cfg.Issuer),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(), // refuses a time in the future, as the service does
		jwt.WithTimeFunc(cfg.Clock),
		jwt.WithStrictDecoding(),
		jwt.WithJSONNumber(),
	)
	return &Verifier{cfg: cfg, parser: parser}, nil
}

// Verify returns the claims of a valid token. The error wraps ErrRefused, or the error of Keys if
// the keys are unavailable. Verify refuses line breaks, which Go's base64 would skip, so that a
// token has only one spelling.
func (v *Verifier) Verify(ctx context.Context, token string) (Claims, error) {
	switch {
	case token == "":
		return Claims{}, refused("there is none, or it is no bearer token")
	case len(token) > maxToken || strings.ContainsAny(token, "\r\n"):
		return Claims{}, refused("it is too long, or has a line break")
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
		return Claims{}, fmt.Errorf("verify token: %w", keysErr)
	case err != nil:
		return Claims{}, refused(checkOf(err))
	case !v.meantForUs(claims):
		return Claims{}, refused("its audience, or the client's id, is another")
	}
	return readClaims(claims, v.cfg.Rules)
}

// checks name the parser's checks by its errors; the first match counts.
var checks = []struct {
	err  error
	name string
}{
	{ErrNoKey, "the issuer has no key with its key id"},
	{jwt.ErrTokenMalformed, "it is not a JWT"},
	{jwt.ErrTokenSignatureInvalid, "its signature or its algorithm is wrong"},
	{jwt.ErrTokenUnverifiable, "its header has no key id, or a critical extension"},
	{jwt.ErrTokenExpired, "it has expired"},
	{jwt.ErrTokenNotValidYet, "it is not valid yet"},
	{jwt.ErrTokenUsedBeforeIssued, "it was issued in the future"},
	{jwt.ErrTokenInvalidIssuer, "its issuer is another"},
	{jwt.ErrTokenRequiredClaimMissing, "its issuer or its expiry is missing"},
}

// checkOf returns the check that failed, given the parser's error. It leaves out the error's own
// text, which may quote the token.
func checkOf(err error) string {
	for _, c := range checks {
		if errors.Is(err, c.err) {
			return c.name
		}
	}
	return "a claim has the wrong type"
}

// key returns the key that the token's header names. It refuses a token without a key id, and a
// token with critical extensions (RFC 7515, crit).
func (v *Verifier) key(ctx context.Context, t *jwt.Token) (any, error) {
	id, _ := t.Header["kid"].(string)
	if _, critical := t.Header["crit"]; id == "" || critical {
		return nil, ErrRefused
	}
	key, err := v.cfg.Keys.Key(ctx, id)
	if err != nil {
		return nil, err
	}
	if key == nil || key.N == nil || key.N.BitLen() < publickey.MinBits {
		return nil, fmt.Errorf("key %q is not an RSA key of at least %d bits", id, publickey.MinBits)
	}
	return key, nil
}

// meantForUs reports whether the audience of the claims is a configured one. Cognito's access
// tokens have the client's id instead of an audience. It counts only if aud is absent.
func (v *Verifier) meantForUs(claims jwt.MapClaims) bool {
	if _, present := claims["aud"]; !present {
		id, _ := claims["client_id"].(string)
		return slices.Contains(v.cfg.Audiences, id)
	}
	audience, err := claims.GetAudience()
	return err == nil && slices.ContainsFunc(audience, func(a string) bool {
		return slices.Contains(v.cfg.Audiences, a)
	})
}

// Claims are the claims of a valid token.
type Claims struct {
	// Subject is the user's id. It is never empty.
	Subject string
	// Scopes are the words of the scope claim.
	Scopes []string
	// Values holds all claims as text, in the form in which API Gateway passes them to a function.
	Values map[string]string
}

func readClaims(claims jwt.MapClaims, rules config.TokenRules) (Claims, error) {
	scope, _ := claims["scope"].(string)
	c := Claims{Scopes: strings.Fields(scope), Values: make(map[string]string, len(claims))}
	for name, value := range claims {
		c.Values[name] = claimText(value)
	}
	if _, isText := claims[rules.Claim()].(string); !isText {
		delete(c.Values, rules.Claim())
	}
	var check string
	if c.Subject, check = rules.User(c.Values); check != "" {
		return Claims{}, refused(check)
	}
	return c, nil
}

// claimText formats a claim as API Gateway does. A list is "[a b]".
func claimText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		words := make([]string, len(v))
		for i, w := range v {
			words[i] = claimText(w)
		}
		return "[" + strings.Join(words, " ") + "]"
	case map[string]any:
		text, err := json.Marshal(v)
		if err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(value)
}
