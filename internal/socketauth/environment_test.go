package socketauth_test

import (
	"io"
	"strings"
	"testing"

	"example.com/parley/internal/config"
	"example.com/parley/internal/socketauth"
)

func TestFromEnv_ReadsOrRefusesEachVariable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, variable, value string
		refused               bool
	}{
		{name: "all", variable: config.EnvOrigins, value: "https://a.example, https://b.example"},
		{name: "no origins", variable: config.EnvOrigins, value: ""},
		{name: "no issuer", variable: config.EnvIssuer, value: "", refused: true},
		{name: "an issuer without TLS", variable: config.EnvIssuer, value: "http://issuer.example", refused: true},
		{name: "no audience", variable: config.EnvAudience, value: "", refused: true},
		{name: "an empty audience", variable: config.EnvAudience, value: "a,,b", refused: true},
		{name: "a claim that is the user", variable: config.EnvUserClaim, value: "oid"},
		{name: "no longest life", variable: config.EnvTokenLife, value: ""},
		{name: "a longest life without a unit", variable: config.EnvTokenLife, value: "12", refused: true},
		{name: "a negative longest life", variable: config.EnvTokenLife, value: "-1h", refused: true},
		{name: "an unknown level", variable: config.EnvLogLevel, value: "loud", refused: true},
	} {
		env := map[string]string{config.EnvIssuer: "https://issuer.example", config.EnvAudience: "one,two"}
		env[tt.variable] = tt.value
		a, err := socketauth.FromEnv(func(name string) string { return env[name] }, io.Discard)
		if tt.refused && (err == nil || !strings.Contains(err.Error(), tt.variable)) {
			t.Errorf("%s: %v does not name %s", tt.name, err, tt.variable)
		}
		if !tt.refused && (err != nil || a == nil) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
