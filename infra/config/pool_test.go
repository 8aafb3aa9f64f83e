package config_test

import (
	"testing"

	"example.com/parley/infra/config"
)

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
