package socketauth_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/chat"
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
