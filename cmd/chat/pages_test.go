//go:build extra

package main

import (
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/docs"
)

// cognitoPages is the host in the guide's blocks for Cognito's sign-in pages.
const cognitoPages = "https://acme-chat.auth.eu-west-1.amazoncognito.com"

// pagesBlocks returns the names of the guide's blocks for Cognito's sign-in pages.
func pagesBlocks() []string { return []string{"pages", "exchange", "service", "act"} }

// TestSignInPages runs the guide's blocks for Cognito's sign-in pages. Its stand-ins grant a token
// if the code verifier matches the code challenge of the browser, and to the client for services.
func TestSignInPages(t *testing.T) {
	book := pagesBook(t)
	var query url.Values // the query with which the browser opens the pages
	pages := standIn{path: "/oauth2/token", claims: cognitoClaims("f2a1c7de-0b5e-4e7d-9d55-2f3d9c7d1a10", "the-client", "username", "ada"), granted: func(form url.Values) bool {
		digest := sha256.Sum256([]byte(form.Get("code_verifier")))
		return form.Get("grant_type") == "authorization_code" && form.Get("code") == "the-code" && form.Get("client_id") == "the-client" &&
			form.Get("redirect_uri") == query.Get("redirect_uri") &&
			base64.RawURLEncoding.EncodeToString(digest[:]) == query.Get("code_challenge")
	}}
	run := pagesShell(t, book, pages, map[string]string{"CLIENT": "the-client", "CODE": "the-code"})
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

	service := standIn{path: "/oauth2/token", claims: cognitoClaims("client", "client", "scope", "parley/act-as"),
		granted: grantsClientCredentials("scope", "parley/act-as")}
	run = pagesShell(t, book, service, map[string]string{"CLIENT_ID": "client", "CLIENT_SECRET": "s3cret", "PAGES": cognitoPages})
	run("service")
	if printed := run("act"); !strings.Contains(printed, `"user":"ada"`) {
		t.Errorf("response to a request of a service for ada: %q", printed)
	}
	if err := book.Left(); err != nil {
		t.Error(err)
	}
}

// cognitoClaims returns the claims of an access token of Cognito, except for its times, with one
// more claim.
func cognitoClaims(subject, client, name, value string) map[string]any {
	return map[string]any{"sub": subject, "client_id": client, "token_use": "access", name: value}
}

// pagesBook returns the guide's blocks for Cognito's sign-in pages, and the block that tries a
// token.
func pagesBook(t *testing.T) *docs.Book {
	t.Helper()
	text, err := os.ReadFile("../../" + signInGuide)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := docs.Parse(signInGuide, text)
	if err != nil {
		t.Fatal(err)
	}
	return docs.NewBook(slices.DeleteFunc(blocks, func(b docs.Block) bool {
		return b.Name != "ask" && !slices.Contains(pagesBlocks(), b.Name)
	}), docs.Provider)
}

// pagesShell starts a stand-in for Cognito and a server that accepts its tokens. It returns a
// function that runs a block of a book with variables, and returns what the block printed.
func pagesShell(t *testing.T, book *docs.Book, pages standIn, variables map[string]string) func(block string) string {
	t.Helper()
	provider := pages.start(t, "/eu-west-1_pool")
	server := serve(t, dataDir(t), "--issuer", provider+"/eu-west-1_pool", "--audience", pages.claims["client_id"].(string))
	variables["URL"] = server.url
	shell := newShell(t, cognitoPages, provider, variables)
	return func(name string) string {
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
}
