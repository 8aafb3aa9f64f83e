package socketauth_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/problem"
	"example.com/parley/internal/socketauth"
)

// TestTokens_VerifyAsTheAuthorizerDoes is a table of tokens that renew a connection.
func TestTokens_VerifyAsTheAuthorizerDoes(t *testing.T) {
	t.Parallel()
	v, err := auth.New(auth.Config{Issuer: issuer, Audiences: []string{audience}, Keys: keyring{}, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	valid := token(t, "k", nil)
	for _, tt := range []struct {
		name, token, check string // in the log of a refused one
		until              time.Time
		service            bool // of the connection
	}{
		{name: "a service's token", service: true, token: token(t, "k", jwt.MapClaims{"scope": "parley/act-as"}), until: now().Add(time.Hour)},
		{name: "a person's token for a service's connection", service: true, token: valid, check: "not a service's"},
		{name: "a token", token: valid, until: now().Add(time.Hour)},
		{name: "a long-lived one", token: token(t, "k", jwt.MapClaims{"exp": now().Add(24 * time.Hour).Unix()}), until: now().Add(2 * time.Hour)},
		{name: "none", check: "there is none"},
		{name: "no token", token: "x", check: "not a JWT"},
		{name: "a forged one", token: valid[:len(valid)-8] + "AAAAAAAA", check: "signature"},
		{name: "an expired one", token: token(t, "k", jwt.MapClaims{"exp": now().Unix()}), check: "expired"},
		{name: "a foreign audience", token: token(t, "k", jwt.MapClaims{"client_id": "other"}), check: "audience"},
		{name: "a foreign issuer", token: token(t, "k", jwt.MapClaims{"iss": "https://evil.example"}), check: "issuer"},
		{name: "an ID token", token: token(t, "k", jwt.MapClaims{"token_use": "id"}), check: "not an access token"},
		{name: "a subject that is no user id", token: token(t, "k", jwt.MapClaims{"sub": "a#b"}), check: "not a user id"},
	} {
		var logs bytes.Buffer
		tokens := socketauth.Tokens{Verifier: v, Clock: now, Log: slog.New(slog.NewTextHandler(&logs, nil))}
		user, until, err := tokens.Verify(t.Context(), tt.token, tt.service)
		if tt.check == "" {
			if user != "amsg" || !until.Equal(tt.until) || err != nil || logs.Len() > 0 {
				t.Errorf("%s: %s until %v, %v, want %v; the log is %s", tt.name, user, until, err, tt.until, logs.String())
			}
			continue
		}
		var p *problem.Problem
		if !errors.As(err, &p) || p.Status != http.StatusUnauthorized || user != "" || !until.IsZero() {
			t.Errorf("%s: %s until %v, %v", tt.name, user, until, err)
		}
		shown := logs.String() + " " + err.Error()
		if !strings.Contains(logs.String(), tt.check) || leaks(shown, map[string][]string{"token": {tt.token}}) {
			t.Errorf("%s: shown is %s, want %q and no token", tt.name, shown, tt.check)
		}
	}
	tokens := socketauth.Tokens{Verifier: v, Clock: now, Log: slog.New(slog.DiscardHandler)}
	if _, _, err := tokens.Verify(t.Context(), token(t, "down", nil), false); chat.KindOf(err) != chat.Unavailable {
		t.Errorf("keys that cannot be read: %v", err)
	}
}

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
