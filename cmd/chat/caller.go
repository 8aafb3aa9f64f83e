package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"example.com/parley/client"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/local/issuer"
)

// caller holds the flags of the commands that act as a user: the server's address and the user.
type caller struct {
	data
	URL string `name:"url" help:"The API's address. Default: http://${addr}, where serve listens."`
	As  string `aliases:"user" placeholder:"USER" help:"The user, whose token the key in the data folder signs: 1 to 64 of A-Z a-z 0-9 . _ @ | : + = -"`
}

// signedIn holds the flags of commands that may also use the token of another issuer.
type signedIn struct {
	caller
	Token string `env:"PARLEY_TOKEN" help:"An access token, for a deployment or another issuer. Set the variable rather than the flag, to hide the token from other users of the machine."`
}

const (
	// callerTokenLife is the lifetime of a token that a command signs for its own requests.
	callerTokenLife = time.Hour
	// callerTokenRest is the remaining lifetime at which a command signs a new token.
	callerTokenRest = 10 * time.Minute
)

// server returns the API's address.
func (c *caller) server() string { return cmp.Or(c.URL, "http://"+defaultAddr) }

// client returns a client of the API. With --as it signs tokens itself, each before the previous
// one expires.
func (c *signedIn) client(s streams) (*client.Client, error) { return c.clientOver(s, nil) }

// clientOver returns such a client with the given transport; nil selects the shared one.
func (c *signedIn) clientOver(s streams, transport http.RoundTripper) (*client.Client, error) {
	switch {
	case c.As != "":
		source, err := c.localTokens(s.Err)
		if err != nil {
			return nil, err
		}
		return client.New(c.server(), source, transport)
	case c.Token != "":
		return client.New(c.server(), client.Fixed(c.Token), transport)
	}
	return nil, errors.New("give the user with --as, or a token in the variable PARLEY_TOKEN")
}

// localTokens returns a source of tokens signed with the data folder's key.
func (c *caller) localTokens(notes io.Writer) (client.TokenSource, error) {
	i, err := c.issuer(notes)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var token string
	var until time.Time
	return func(context.Context) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); token == "" || until.Sub(now) < callerTokenRest {
			fresh, err := i.Token(c.As, callerTokenLife, issuer.Claim{Name: config.NameClaim, Value: c.As})
			if err != nil {
				return "", err
			}
			token, until = fresh, now.Add(callerTokenLife)
		}
		return token, nil
	}, nil
}

// issuer checks the user and opens the issuer of the data folder.
func (c *caller) issuer(notes io.Writer) (*issuer.Issuer, error) {
	if _, err := chat.ParseUserID(c.As); err != nil {
		return nil, err
	}
	i, err := openIssuer(c.Data)
	if err != nil {
		return nil, err
	}
	if file := i.CreatedKey(); file != "" {
		fmt.Fprintf(
			notes, "chat: created a new key, %s; a server with another data folder does not accept its tokens\n", file,
		)
	}
	return i, nil
}
