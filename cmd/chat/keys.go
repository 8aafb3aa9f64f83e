package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/parley/internal/local/issuer"
	"example.com/parley/internal/publickey"
)

type keysCmd struct {
	New newKeysCmd `cmd:"" help:"Write a pair of keys with which an app signs its tokens, and print the settings of a deployment that accepts them."`
	ID  keyIDCmd   `cmd:"" help:"Print the id of a public key, the kid of its tokens, which is its thumbprint."`
}

type newKeysCmd struct {
	Dir string `default:"." type:"path" help:"The folder for private.pem and public.pem. No file is replaced."`
}

// Run writes the pair. The settings are the only output, so that they can be redirected.
func (c *newKeysCmd) Run(s streams) error {
	key, err := issuer.NewPair(c.Dir)
	if err != nil {
		return err
	}
	private, public := filepath.Join(c.Dir, issuer.PrivateFile), filepath.Join(c.Dir, issuer.PublicFile)
	text, err := publickey.PEM(key.Public)
	if err != nil {
		return err
	}
	fmt.Fprintf(
		s.Err, "chat: keep %s on your app's server: anybody who reads it can sign in as anyone\n", quoted(private),
	)
	fmt.Fprintf(
		s.Err, "chat: try it with %[1]s serve --keys %[2]s, and %[1]s token --key %[3]s --user NAME\n",
		quoted(os.Args[0]), quoted(public), quoted(private),
	)
	_, err = fmt.Fprintf(
		s.Out, "Issuer: \"keys\",\nKeys: []config.Key{{ID: %q, PEM: `%s`}},\n", key.ID, strings.TrimSpace(text),
	)
	return err
}

type keyIDCmd struct {
	File string `arg:"" type:"path" help:"The public key."`
}

// Run prints the id.
func (c *keyIDCmd) Run(s streams) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	key, err := publickey.Parse("", string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	_, err = fmt.Fprintln(s.Out, key.ID)
	return err
}
