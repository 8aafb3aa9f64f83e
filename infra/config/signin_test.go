package config_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/infra/config"
	"example.com/parley/internal/publickey"
)

// pair returns a private and a public key in PEM.
func pair(t *testing.T, bits int) (private, public string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	if public, err = publickey.PEM(&key.PublicKey); err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), public
}

// withKeys accepts the tokens of an app that signs them itself.
func withKeys(s *config.Settings, keys ...config.Key) {
	s.Issuer, s.SignUp, s.Keys = "keys", "", keys
}

func TestResolve_AppliesKeys(t *testing.T) {
	t.Parallel()
	_, old := pair(t, 2048)
	_, next := pair(t, 2048)
	s := explicit()
	withKeys(&s, config.Key{PEM: old}, config.Key{ID: "2026-07", PEM: next})
	c, err := s.Resolve(config.Prod)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Tokens.OwnKeys() || c.Tokens.OwnPool() {
		t.Errorf("the tokens are of %+v", c.Tokens)
	}
	if diff := cmp.Diff([]string{"parley"}, c.Tokens.Audience); diff != "" {
		t.Error(diff)
	}
	keys, problems := c.Tokens.PublicKeys()
	if len(problems) > 0 || len(keys) != 2 || keys[0].ID != publickey.Thumbprint(keys[0].Public) || keys[1].ID != "2026-07" {
		t.Errorf("the keys are %+v, %v", keys, problems)
	}
	s.Audience = []string{"chat"}
	if c, err = s.Resolve(config.Prod); err != nil || c.Tokens.Audience[0] != "chat" {
		t.Errorf("with an audience: %v, %v", c.Tokens.Audience, err)
	}
}

func TestResolve_RefusesKeys(t *testing.T) {
	t.Parallel()
	private, public := pair(t, 2048)
	_, other := pair(t, 2048)
	_, third := pair(t, 2048)
	_, short := pair(t, 1024)
	of := func(keys ...config.Key) func(*config.Settings) {
		return func(s *config.Settings) { withKeys(s, keys...) }
	}
	wantRefused(t, []refusal{
		{"no key", of(), "Keys must be one public key, or two while they are rotated, not 0: chat keys new writes a pair"},
		{"three keys", of(config.Key{PEM: public}, config.Key{PEM: other}, config.Key{PEM: third}), "Keys must be one public key, or two while they are rotated, not 3"},
		{"a key of 1,024 bits", of(config.Key{PEM: short}), "Keys cannot have entry 1: its key has 1024 bits, not 2048 to 8192"},
		{"a private key", of(config.Key{PEM: public}, config.Key{PEM: private}), "Keys cannot have entry 2: it holds a private key"},
		{"two keys with one id", of(config.Key{ID: "a", PEM: public}, config.Key{ID: "a", PEM: other}), `Keys have the id "a" twice: a token names its key by it`},
		{"one key under two ids", of(config.Key{ID: "a", PEM: public}, config.Key{ID: "b", PEM: public}), `Keys have one key under two ids, "a" and "b"`},
		{"an id that no header should have", of(config.Key{ID: "a b", PEM: public}), "Keys cannot have entry 1: the id of a key has"},
		{"keys without their issuer", func(s *config.Settings) { s.Keys = []config.Key{{PEM: public}} }, `Keys have no effect without Issuer: "keys"`},
		{"an empty audience", func(s *config.Settings) { withKeys(s, config.Key{PEM: public}); s.Audience = []string{""} }, "Audience has an empty entry"},
		{"keys and a user pool", func(s *config.Settings) { withKeys(s, config.Key{PEM: public}); s.SignUp = "self" }, "SignUp applies to the stack's own user pool"},
		{"a claim with a space", func(s *config.Settings) { s.UserClaim = "my claim" }, `UserClaim must be the name of a claim, not "my claim"`},
		{"a long claim", func(s *config.Settings) { s.UserClaim = strings.Repeat("a", 65) }, "UserClaim must be the name of a claim"},
	})
	s := explicit()
	withKeys(&s, config.Key{PEM: private})
	if _, err := s.Resolve(config.Prod); err == nil || strings.Contains(err.Error(), private[40:80]) {
		t.Errorf("the error quotes the private key: %v", err)
	}
}

func TestConfigIn_RefusesKeysWithoutCloudFront(t *testing.T) {
	t.Parallel()
	_, public := pair(t, 2048)
	s := explicit()
	withKeys(&s, config.Key{PEM: public})
	c, err := s.Resolve(config.Prod)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.In("", "us-gov-west-1")
	wantError(t, err, "Issuer must be your own identity provider in us-gov-west-1")
}

// pages returns valid pages.
func pages() config.SignInPages {
	return config.SignInPages{
		Prefix: "acme-chat", Logouts: []string{"acme://bye"},
		Callbacks: []string{"https://chat.example.com/in?a=b", "http://localhost:5173", "acme://in", "acme:///in"},
	}
}

func TestResolve_AppliesPagesAndSelfSignUp(t *testing.T) {
	t.Parallel()
	s := explicit()
	s.SignUp, s.SignInPages = "self", pages()
	c, err := s.Resolve(config.Prod)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Pool.SelfSignUp || c.Pool.Pages.Prefix != "acme-chat" || c.Pool.Passwords {
		t.Errorf("pool %+v", c.Pool)
	}
	dev, err := config.Settings{}.Resolve(config.Dev)
	if err != nil || dev.Pool.SelfSignUp || !dev.Pool.Passwords {
		t.Errorf("in dev: pool %+v, %v", dev.Pool, err)
	}
}

// TestResolve_RefusesInvalidPools covers each rule of the user pool once.
func TestResolve_RefusesInvalidPools(t *testing.T) {
	t.Parallel()
	with := func(change func(*config.SignInPages)) func(*config.Settings) {
		return func(s *config.Settings) { s.SignInPages = pages(); change(&s.SignInPages) }
	}
	prefix := func(p string) func(*config.Settings) { return with(func(s *config.SignInPages) { s.Prefix = p }) }
	callback := func(all ...string) func(*config.Settings) {
		return with(func(s *config.SignInPages) { s.Callbacks = all })
	}
	elsewhere := func(s *config.Settings) { s.Issuer, s.Audience, s.SignUp = "https://id.example", []string{"web"}, "" }
	tests := []refusal{
		{"an unknown sign-up", func(s *config.Settings) { s.SignUp = "anybody" }, `SignUp must be "admin" or "self"`},
		{"sign-up elsewhere", func(s *config.Settings) { elsewhere(s); s.SignUp = "self" }, "SignUp applies to the stack's own user pool"},
		{"pages elsewhere", func(s *config.Settings) { elsewhere(s); s.SignInPages = pages() }, "SignInPages apply to the stack's own user pool"},
		{"no prefix", prefix(""), "SignInPages.Prefix must be"},
		{"a prefix in capitals", prefix("Acme"), "SignInPages.Prefix must be"},
		{"a prefix that ends in a hyphen", prefix("acme-"), "SignInPages.Prefix must be"},
		{"a prefix with a word of AWS", prefix("my-cognito"), "SignInPages.Prefix must be"},
		{"a client for services without an address", func(s *config.Settings) { s.SignInPages.ServiceClient = true }, "SignInPages.Prefix must be"},
		{"a client for services elsewhere", func(s *config.Settings) { elsewhere(s); s.SignInPages.ServiceClient = true }, "SignInPages apply to the stack's own user pool"},
		{"no callback", callback(), "SignInPages.Callbacks must contain"},
		{"a plain http callback", callback("http://chat.example.com/in"), "SignInPages.Callbacks must be"},
		{"http on a number", callback("http://127.0.0.1/in"), "SignInPages.Callbacks must be"},
		{"a callback with a fragment", callback("https://chat.example.com/#in"), "SignInPages.Callbacks must be"},
		{"a callback to any page", callback("https://*.example.com/"), "SignInPages.Callbacks must be"},
		{"a callback without a scheme", callback("chat.example.com/in"), "SignInPages.Callbacks must be"},
		{"a callback that is only a scheme", callback("acme://"), "SignInPages.Callbacks must be"},
		{"a logout that is a path", with(func(s *config.SignInPages) { s.Logouts = []string{"/bye"} }), "SignInPages.Logouts must be"},
		{"too many callbacks", callback(make([]string, 101)...), "SignInPages.Callbacks may have 100"},
	}
	wantRefused(t, tests)
}

// TestResolve_SignUpBelongsToTheOwnPool: with another issuer, SignUp needs no value.
func TestResolve_SignUpIsOfTheOwnPool(t *testing.T) {
	t.Parallel()
	s := explicit()
	s.Issuer, s.Audience, s.SignUp = "https://id.example", []string{"web"}, ""
	if _, err := s.Resolve(config.Prod); err != nil {
		t.Error(err)
	}
}
