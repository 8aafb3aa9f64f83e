//go:build extra

package main

import (
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"os"
	"strings"
	"testing"

	"parley/internal/docs"
)

// TestSignInPages runs the guide's blocks for Cognito's sign-in pages. Its stand-in grants a token
// if the code verifier matches the code challenge of the browser.
func TestSignInPages(t *testing.T) {
	text, err := os.ReadFile("../../" + signInGuide)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := docs.Parse(signInGuide, text)
	if err != nil {
		t.Fatal(err)
	}
	book := docs.NewBook(blocks, docs.Account)
	var query url.Values // the query with which the browser opens the pages
	pages := standIn{path: "/oauth2/token", claims: map[string]any{
		"sub": "f2a1c7de-0b5e-4e7d-9d55-2f3d9c7d1a10", "client_id": "the-client", "token_use": "access", "username": "ada",
	}, granted: func(form url.Values) bool {
		digest := sha256.Sum256([]byte(form.Get("code_verifier")))
		return form.Get("grant_type") == "authorization_code" && form.Get("code") == "the-code" && form.Get("client_id") == "the-client" &&
			form.Get("redirect_uri") == query.Get("redirect_uri") &&
			base64.RawURLEncoding.EncodeToString(digest[:]) == query.Get("code_challenge")
	}}
	provider := pages.start(t, "/eu-west-1_pool")
	server := serve(t, dataDir(t), "--issuer", provider+"/eu-west-1_pool", "--audience", "the-client")
	shell := newShell(t, "https://acme-chat.auth.eu-west-1.amazoncognito.com", provider, map[string]string{
		"URL": server.url, "CLIENT": "the-client", "CODE": "the-code",
	})
	run := func(name string) string {
		t.Helper()
		block, err := book.Take(signInGuide, name)
		if err != nil {
			t.Fatal(err)
		}
		printed, err := shell.Run(block)
		if err != nil {
			t.Fatal(err)
		}
		return printed
	}
	address, err := url.Parse(strings.TrimSpace(run("pages")))
	if err != nil {
		t.Fatal(err)
	}
	query = address.Query()
	for name, want := range map[string]string{"response_type": "code", "client_id": "the-client", "code_challenge_method": "S256", "scope": "openid"} {
		if got := query.Get(name); got != want {
			t.Errorf("the browser opens the pages with %s=%q, want %q", name, got, want)
		}
	}
	if address.Path != "/oauth2/authorize" {
		t.Errorf("the browser opens the path %s", address.Path)
	}
	run("exchange")
	if printed := run("ask"); !strings.Contains(printed, `"rooms":[]`) {
		t.Errorf("response to a request with the token: %q", printed)
	}
}
