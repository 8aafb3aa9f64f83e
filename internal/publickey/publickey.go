// Package publickey reads the public keys that verify an app's own tokens, and writes the documents
// in which an issuer publishes them.
package publickey

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

const (
	// MinBits is the minimum size of a key for RS256 (RFC 7518).
	MinBits = 2048
	// MaxBits limits the cost of checking a signature.
	MaxBits = 8192
)

// The paths at which an issuer publishes its documents (OpenID Connect Discovery 1.0, section 4).
const (
	DiscoveryPath = "/.well-known/openid-configuration"
	SetPath       = "/.well-known/jwks.json"
)

// block is the type of the PEM block of a public key.
const block = "PUBLIC KEY"

// id matches the ids of keys.
var id = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Key is a public key, with the id that a token's header names.
type Key struct {
	ID     string
	Public *rsa.PublicKey
}

// Parse reads a public key in PEM. Without an id, the key's thumbprint is its id. The error never
// quotes the text, which may be a private key.
func Parse(name, text string) (Key, error) {
	b, rest := pem.Decode([]byte(text))
	switch {
	case b == nil:
		return Key{}, errors.New("it holds no key in PEM")
	case strings.Contains(b.Type, "PRIVATE"):
		return Key{}, errors.New("it holds a private key, with whose text anybody can sign: create another pair, and " +
			"use its public key")
	case b.Type != block || strings.TrimSpace(string(rest)) != "":
		return Key{}, fmt.Errorf("it must hold one %s and nothing else", block)
	}
	parsed, err := x509.ParsePKIXPublicKey(b.Bytes)
	if err != nil {
		return Key{}, errors.New("its key cannot be read")
	}
	key, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return Key{}, errors.New("its key is not an RSA key")
	}
	if bits := key.N.BitLen(); bits < MinBits || bits > MaxBits {
		return Key{}, fmt.Errorf("its key has %d bits, not %d to %d", bits, MinBits, MaxBits)
	}
	if name == "" {
		name = Thumbprint(key)
	}
	if !id.MatchString(name) {
		return Key{}, fmt.Errorf("the id of a key has 1 to 64 of A-Z a-z 0-9 . _ -, not %q", name)
	}
	return Key{ID: name, Public: key}, nil
}

// PEM returns a public key as Parse reads it.
func PEM(key *rsa.PublicKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return "", fmt.Errorf("write a public key: %w", err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: block, Bytes: der})), nil
}

// Set returns keys as a JSON Web Key Set (RFC 7517).
func Set(keys []Key) ([]byte, error) {
	set := []map[string]string{}
	for _, key := range keys {
		n, e := numbers(key.Public)
		set = append(set, map[string]string{
			"kty": "RSA", "use": "sig", "alg": "RS256", "kid": key.ID, "n": n, "e": e,
		})
	}
	text, err := json.Marshal(map[string]any{"keys": set})
	if err != nil {
		return nil, fmt.Errorf("write the key set: %w", err)
	}
	return text, nil
}

// Discovery returns the discovery document of an issuer that publishes its keys at SetPath and has
// no other endpoints.
func Discovery(issuer string) ([]byte, error) {
	text, err := json.Marshal(map[string]any{
		"issuer": issuer, "jwks_uri": issuer + SetPath,
		"id_token_signing_alg_values_supported": []string{"RS256"}, "response_types_supported": []string{"token"},
		"subject_types_supported": []string{"public"},
	})
	if err != nil {
		return nil, fmt.Errorf("write the discovery document: %w", err)
	}
	return text, nil
}

// Thumbprint returns the JWK thumbprint of a key (RFC 7638).
func Thumbprint(key *rsa.PublicKey) string {
	n, e := numbers(key)
	sum := sha256.Sum256([]byte(`{"e":"` + e + `","kty":"RSA","n":"` + n + `"}`))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func numbers(key *rsa.PublicKey) (n, e string) {
	return base64.RawURLEncoding.EncodeToString(key.N.Bytes()),
		base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes())
}
