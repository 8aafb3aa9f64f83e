package main

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"parley/internal/auth"
)

// tokens makes the verifier of the tokens that are accepted, and the key set
// that is served: the data folder's own, or nil where another issuer is named.
// API Gateway is told of such an issuer by the same two settings.
func (c *serveCmd) tokens(log *slog.Logger) (*auth.Verifier, func() ([]byte, error), error) {
	if (c.Issuer == "") != (len(c.Audience) == 0) {
		return nil, nil, errors.New("--issuer and --audience belong together")
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
