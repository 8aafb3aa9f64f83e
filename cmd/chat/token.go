package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/parley/client"
	"example.com/parley/internal/auth"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/local/folder"
	"example.com/parley/internal/local/issuer"
	"example.com/parley/internal/publickey"
)

type tokenCmd struct {
	caller
	Name    string        `help:"The name that people see until the user saves a profile. Default: the user id."`
	Service bool          `help:"The token is a service's, which may act for other users with the header Parley-Act-As."`
	Life    time.Duration `default:"12h" help:"How long the token is valid."`

	Key      string `type:"path" placeholder:"FILE" help:"Sign with this private key of an app, instead of the one in the data folder."`
	KeyID    string `name:"key-id" help:"With --key: the id of the key in the settings. Default: its thumbprint."`
	Issuer   string `help:"With --key: the deployment's output Issuer. Default: what chat serve --keys accepts."`
	Audience string `help:"With --key: the deployment's Audience. Default: parley."`
}

// Validate reports missing flags as a command-line error.
func (c *tokenCmd) Validate() error {
	if c.As == "" {
		return errors.New("missing flags: --user=USER, or --as=USER")
	}
	if c.Key == "" && (c.KeyID != "" || c.Issuer != "" || c.Audience != "") {
		return errors.New("--key-id, --issuer and --audience need --key")
	}
	return nil
}

// Run prints a token. It needs only a key, so it can run alongside a server. With --url it first
// checks that the server there accepts the token.
func (c *tokenCmd) Run(ctx context.Context, s streams) error {
	token, err := c.sign(s)
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

// sign signs the token with the app's key, or with the key in the data folder.
func (c *tokenCmd) sign(s streams) (string, error) {
	name := issuer.Claim{Name: config.NameClaim, Value: cmp.Or(c.Name, c.As)}
	if c.Key != "" {
		return c.signAsApp(name)
	}
	i, err := c.issuer(s.Err)
	if err != nil {
		return "", err
	}
	if c.Service {
		return i.ServiceToken(c.As, c.Life, name)
	}
	return i.Token(c.As, c.Life, name)
}

func (c *tokenCmd) signAsApp(name issuer.Claim) (string, error) {
	if _, err := chat.ParseUserID(c.As); err != nil {
		return "", err
	}
	key, err := issuer.ReadPrivate(c.Key)
	if err != nil {
		return "", err
	}
	more := []issuer.Claim{name}
	if c.Service {
		more = append(more, issuer.Claim{Name: "scope", Value: config.ServiceScope})
	}
	return issuer.AppToken{
		Issuer: cmp.Or(c.Issuer, issuer.Name), Audience: cmp.Or(c.Audience, config.OwnAudience), User: c.As,
		Life: c.Life, More: more,
		KeyID: cmp.Or(c.KeyID, publickey.Thumbprint(&key.PublicKey)),
	}.Sign(key, time.Now())
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
