package main

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"time"

	"parley/internal/chat"
	"parley/internal/config"
	"parley/internal/local/folder"
	"parley/internal/local/issuer"
)

type tokenCmd struct {
	data
	User    string        `required:"" help:"The user id, 1 to 64 of A-Z a-z 0-9 . _ @ | : + = -"`
	Name    string        `help:"The name that people see until the user saves a profile. Default: the user id."`
	Service bool          `help:"The token is a service's, which may act for other users with the header Parley-Act-As."`
	Life    time.Duration `default:"12h" help:"How long the token is valid."`
}

// Run prints a token. It needs only the key in the data folder, so it works beside a running
// server.
func (c *tokenCmd) Run(s streams) error {
	if _, err := chat.ParseUserID(c.User); err != nil {
		return err
	}
	i, err := openIssuer(c.Data)
	if err != nil {
		return err
	}
	if file := i.CreatedKey(); file != "" {
		fmt.Fprintf(s.Err, "chat: created a new key, %s; a server with another data folder does not accept its tokens\n", file)
	}
	sign := i.Token
	if c.Service {
		sign = i.ServiceToken
	}
	token, err := sign(c.User, c.Life, issuer.Claim{Name: config.NameClaim, Value: cmp.Or(c.Name, c.User)})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.Out, token)
	return err
}

type rotateCmd struct{ data }

// Run creates a new key. A running server accepts its tokens at once.
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
