package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"time"

	"example.com/parley/client"
	"example.com/parley/internal/config"
	"example.com/parley/internal/local/folder"
	"example.com/parley/internal/local/issuer"
)

type tokenCmd struct {
	caller
	Name    string        `help:"The name that people see until the user saves a profile. Default: the user id."`
	Service bool          `help:"The token is a service's, which may act for other users with the header Parley-Act-As."`
	Life    time.Duration `default:"12h" help:"How long the token is valid."`
}

// Validate reports a missing user as a command-line error.
func (c *tokenCmd) Validate() error {
	if c.As == "" {
		return errors.New("missing flags: --user=USER, or --as=USER")
	}
	return nil
}

// Run prints a token. It needs only the key in the data folder, so it can run alongside a server.
// With --url it first checks that the server there accepts the token.
func (c *tokenCmd) Run(ctx context.Context, s streams) error {
	i, err := c.issuer(s.Err)
	if err != nil {
		return err
	}
	sign := i.Token
	if c.Service {
		sign = i.ServiceToken
	}
	token, err := sign(c.As, c.Life, issuer.Claim{Name: config.NameClaim, Value: cmp.Or(c.Name, c.As)})
	if err != nil {
		return err
	}
	if c.URL != "" {
		if err := c.tryOut(ctx, token); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(s.Out, token)
	return err
}

// tryOut makes a request with the token.
func (c *tokenCmd) tryOut(ctx context.Context, token string) error {
	api, err := client.New(c.URL, client.Fixed(token), nil)
	if err != nil {
		return err
	}
	_, err = api.Do(ctx, client.Call{Method: http.MethodGet, Path: "/people/me", Want: []int{http.StatusOK}})
	if err != nil {
		return fmt.Errorf("the server does not accept the token: %w", err)
	}
	return nil
}

type rotateCmd struct{ data }

// Run creates a new key. A running server immediately accepts its tokens.
func (c *rotateCmd) Run() error {
	i, err := openIssuer(c.Data)
	if err != nil {
		return err
	}
	return i.Rotate()
}

// openIssuer opens the issuer of a data folder. It creates the folder and the key if they do not
// exist.
func openIssuer(dir string) (*issuer.Issuer, error) {
	if err := folder.Make(dir); err != nil {
		return nil, err
	}
	return issuer.Open(issuer.Config{Dir: dir, Clock: time.Now, Rand: rand.Reader})
}
