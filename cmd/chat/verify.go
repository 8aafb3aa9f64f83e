package main

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"example.com/parley/internal/auth"
)

// tokens returns the verifier of tokens, and a function that returns the key set to serve. The
// function is nil if another issuer is configured. API Gateway has the same two settings for such
// an issuer.
func (c *serveCmd) tokens(log *slog.Logger) (*auth.Verifier, func() ([]byte, error), error) {
	if (c.Issuer == "") != (len(c.Audience) == 0) {
		return nil, nil, errors.New("--issuer and --audience need each other")
	}
	if c.Issuer == "" {
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
	v, err := auth.New(auth.Config{Issuer: c.Issuer, Audiences: c.Audience, Keys: keys, Clock: time.Now})
	return v, nil, err
}
