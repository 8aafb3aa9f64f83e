package config_test

import (
	"testing"

	"example.com/parley/internal/config"
)

func TestIsService_ReadsTheClaimsAsAPIGatewaySendsThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, claim, value string
		want               bool
	}{
		{"Cognito's only scope", "scope", "parley/act-as", true},
		{"one of several words", "scope", "openid parley/act-as email", true},
		{"a list in scope", "scope", "[parley/act-as]", true},
		{"a word in scp", "scp", "parley/act-as", true},
		{"a list in scp", "scp", "[openid parley/act-as]", true},
		{"the first of a list", "scp", "[parley/act-as openid]", true},
		{"an empty list", "scp", "[]", false},
		{"other scopes", "scope", "openid email", false},
		{"the beginning of the scope", "scope", "parley", false},
		{"a longer scope", "scope", "parley/act-as-nobody", false},
		{"in capitals", "scope", "Parley/Act-As", false},
		{"separated by commas", "scope", "openid,parley/act-as", false},
		{"half a list", "scope", "[parley/act-as", false},
		{"in the subject", "sub", "parley/act-as", false},
		{"in the groups", "cognito:groups", "[parley/act-as]", false},
	} {
		if got := config.IsService(map[string]string{"sub": "ada", c.claim: c.value}); got != c.want {
			t.Errorf("%s: %s %q gives %v", c.name, c.claim, c.value, got)
		}
	}
	if config.IsService(nil) {
		t.Error("a request without a token has the scope")
	}
}
