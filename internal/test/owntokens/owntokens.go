// Package owntokens signs tokens as an app does that signs them itself, good and bad ones, for the
// tests of every verifier.
package owntokens

import (
	"crypto/rand"
	"crypto/rsa"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/config"
	"example.com/parley/internal/publickey"
)

// The ids of keys. The set of keys has the first three, and Current a second time, for another key.
const (
	Current = "2026-01"
	Next    = "2026-07"
	Short   = "short"
	Removed = "2025-07"
)

// User is the user of every token.
const User = "bob"

// weakBits is the size of the key Short.
const weakBits = 1024

// pairs are the keys by their ids, and the key that has the id of another. They are created once,
// because a key takes a tenth of a second.
var pairs = sync.OnceValue(func() map[string]*rsa.PrivateKey {
	all := map[string]*rsa.PrivateKey{}
	for id, bits := range map[string]int{
		Current: publickey.MinBits, Next: publickey.MinBits, Removed: publickey.MinBits, twin: publickey.MinBits, Short: weakBits,
	} {
		key, err := rsa.GenerateKey(rand.Reader, bits)
		if err != nil {
			panic(err)
		}
		all[id] = key
	}
	return all
})

// twin is the key that the set has under the id Current too.
const twin = "twin"

// Keys returns the two keys that a deployment accepts.
func Keys() []publickey.Key {
	return []publickey.Key{{ID: Current, Public: &pairs()[Current].PublicKey}, {ID: Next, Public: &pairs()[Next].PublicKey}}
}

// Set returns a key set as a careless issuer may publish it: with a key that is too short, and with
// two keys of one id.
func Set(t testing.TB) []byte {
	t.Helper()
	set, err := publickey.Set(append(Keys(), publickey.Key{ID: Short, Public: &pairs()[Short].PublicKey}, publickey.Key{ID: Current, Public: &pairs()[twin].PublicKey}))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Issuer describes whose tokens are signed.
type Issuer struct {
	Name, Audience string
	// Life is the longest life of a token.
	Life time.Duration
	Now  time.Time
}

// Case is a token, and whether it is accepted.
type Case struct {
	Name, Token string
	OK          bool
}

// token describes a token to sign. A claim of nil is left out.
type token struct {
	method jwt.SigningMethod
	key    any
	id     any
	claims jwt.MapClaims
}

// Service returns the token of a service.
func (i Issuer) Service(t testing.TB) string {
	t.Helper()
	tk := i.valid()
	tk.claims["sub"], tk.claims["scope"] = "helpdesk", config.ServiceScope
	return tk.sign(t)
}

func (i Issuer) valid() token {
	return token{method: jwt.SigningMethodRS256, key: pairs()[Current], id: Current, claims: jwt.MapClaims{
		"iss": i.Name, "aud": i.Audience, "sub": User, "iat": i.Now.Unix(), "exp": i.Now.Add(time.Hour).Unix(),
	}}
}

// Cases returns the tokens.
func (i Issuer) Cases(t testing.TB) []Case {
	t.Helper()
	valid := func(change func(*token)) string {
		tk := i.valid()
		change(&tk)
		return tk.sign(t)
	}
	claim := func(name string, value any) func(*token) { return func(tk *token) { tk.claims[name] = value } }
	signed := func(id string) func(*token) { return func(tk *token) { tk.id, tk.key = id, pairs()[id] } }
	lives := func(life time.Duration) func(*token) { return claim("exp", i.Now.Add(life).Unix()) }
	public, err := publickey.PEM(&pairs()[Current].PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return []Case{
		{"the current key", valid(func(*token) {}), true},
		{"the next key", valid(signed(Next)), true},
		{"the longest life", valid(lives(i.Life)), true},
		{"a life that is a second too long", valid(lives(i.Life + time.Second)), false},
		{"a life of a day", valid(lives(24 * time.Hour)), false},
		{"a life of a day, half of which is over", valid(func(tk *token) {
			tk.claims["iat"], tk.claims["exp"] = i.Now.Add(-12*time.Hour).Unix(), i.Now.Add(12*time.Hour).Unix()
		}), false},
		{"no time of issue", valid(claim("iat", nil)), false},
		{"no expiry", valid(claim("exp", nil)), false},
		{"expired", valid(lives(0)), false},
		{"a clock that is ahead", valid(claim("iat", i.Now.Add(time.Minute).Unix())), false},
		{"a start in the future", valid(claim("nbf", i.Now.Add(time.Minute).Unix())), false},
		{"no signature", valid(func(tk *token) { tk.method, tk.key = jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType }), false},
		{"the public key as a shared secret", valid(func(tk *token) { tk.method, tk.key = jwt.SigningMethodHS256, []byte(public) }), false},
		{"another RSA algorithm", valid(func(tk *token) { tk.method = jwt.SigningMethodRS512 }), false},
		{"the PSS algorithm", valid(func(tk *token) { tk.method = jwt.SigningMethodPS256 }), false},
		{"a removed key", valid(signed(Removed)), false},
		{"a removed key under the current id", valid(func(tk *token) { tk.key = pairs()[Removed] }), false},
		{"a key of 1,024 bits", valid(signed(Short)), false},
		{"the second key of an id", valid(func(tk *token) { tk.key = pairs()[twin] }), false},
		{"no key id", valid(func(tk *token) { tk.id = nil }), false},
		{"another issuer", valid(claim("iss", i.Name+"/")), false},
		{"another audience", valid(claim("aud", "another")), false},
		{"no subject", valid(claim("sub", nil)), false},
	}
}

func (tk token) sign(t testing.TB) string {
	t.Helper()
	maps.DeleteFunc(tk.claims, func(_ string, v any) bool { return v == nil })
	j := jwt.NewWithClaims(tk.method, tk.claims)
	if tk.id != nil {
		j.Header["kid"] = tk.id
	}
	text, err := j.SignedString(tk.key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
