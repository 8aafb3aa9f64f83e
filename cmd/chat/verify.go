package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/config"
	"example.com/parley/internal/local/issuer"
	"example.com/parley/internal/publickey"
)

// signsTokens reports whether the server accepts the tokens of its data folder's issuer.
func (c *serveCmd) signsTokens() bool { return c.Issuer == "" && len(c.Keys) == 0 }

// tokens returns the verifier of tokens, and a function that returns the key set to serve. The
// function is nil if another issuer on the network is configured. A deployment has the same
// settings for such an issuer, and for an app's own keys.
func (c *serveCmd) tokens(log *slog.Logger) (*auth.Verifier, func() ([]byte, error), error) {
	switch {
	case len(c.Keys) > 0:
		return c.appTokens()
	case (c.Issuer == "") != (len(c.Audience) == 0):
		return nil, nil, errors.New("--issuer and --audience need each other")
	case c.Issuer == "" && c.tokenRules().Claim() != config.UserClaim:
		return nil, nil, errors.New("--user-claim needs --issuer or --keys")
	case c.Issuer == "":
		i, err := openIssuer(c.Data)
		if err != nil {
			return nil, nil, err
		}
		v, err := i.Verifier()
		return v, i.JWKS, err
	}
	keys, err := auth.NewRemote(auth.RemoteConfig{
		Issuer: c.Issuer, Client: &http.Client{}, Clock: time.Now, Log: log,
	})
	if err != nil {
		return nil, nil, err
	}
	v, err := auth.New(auth.Config{
		Issuer: c.Issuer, Audiences: c.Audience, Keys: keys, Clock: time.Now, Rules: c.tokenRules(),
	})
	return v, nil, err
}

// appTokens returns the verifier of tokens that an app signs itself. Their iss and aud have
// defaults, because a deployment's issuer is unknown before it exists.
func (c *serveCmd) appTokens() (*auth.Verifier, func() ([]byte, error), error) {
	keys, fixed := []publickey.Key{}, auth.Fixed{}
	for _, flag := range c.Keys {
		id, file, named := strings.Cut(flag, "=")
		if !named {
			id, file = "", flag
		}
		text, err := os.ReadFile(file) // #nosec G304 -- the operator names the file
		if err != nil {
			return nil, nil, fmt.Errorf("--keys: %w", err)
		}
		key, err := publickey.Parse(id, string(text))
		if err != nil {
			return nil, nil, fmt.Errorf("--keys: %s: %w", file, err)
		}
		if fixed[key.ID] != nil {
			return nil, nil, fmt.Errorf("--keys: %s: another key has the id %q too", file, key.ID)
		}
		keys, fixed[key.ID] = append(keys, key), key.Public
	}
	if c.Issuer == "" {
		c.Issuer = issuer.Name
	}
	if len(c.Audience) == 0 {
		c.Audience = []string{config.OwnAudience}
	}
	v, err := auth.New(auth.Config{
		Issuer: c.Issuer, Audiences: c.Audience, Keys: fixed, Clock: time.Now, Rules: c.tokenRules(),
	})
	return v, func() ([]byte, error) { return publickey.Set(keys) }, err
}

// tokenRules returns the rules that a deployment with the same settings has.
func (c *serveCmd) tokenRules() config.TokenRules {
	rules := config.TokenRules{UserClaim: c.UserClaim}
	if len(c.Keys) > 0 {
		rules.Life = config.OwnTokenLife
	}
	return rules
}
