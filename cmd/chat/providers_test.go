//go:build extra

package main

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/docs"
)

const signInGuide = "docs/sign-in.md"

// standIn simulates a provider's token endpoint according to the provider's documentation.
type standIn struct {
	block   string                // the name of the guide's block
	path    string                // the path of the token endpoint
	granted func(url.Values) bool // reports whether a form meets the provider's documentation
	claims  map[string]any        // the claims of a token, except for its times
}

func standIns() []standIn {
	const tenant, api = "8f6d3c1e-1111-4222-8333-444455556666", "0aa1bb2c-0000-4000-8000-dd33ee44ff55"
	return []standIn{
		{"auth0", "/oauth/token", grantsClientCredentials("audience", "https://chat.example.com"), map[string]any{
			"sub": "client@clients", "aud": "https://chat.example.com", "azp": "client", "gty": "client-credentials",
		}},
		{"entra", "/" + tenant + "/oauth2/v2.0/token", grantsClientCredentials("scope", "api://"+api+"/.default"), map[string]any{
			"sub": tenant, "oid": tenant, "aud": api, "azp": "client", "ver": "2.0",
		}},
		{"keycloak", "/realms/team/protocol/openid-connect/token", grantsClientCredentials("", ""), map[string]any{
			"sub": tenant, "aud": []string{"parley", "account"}, "azp": "client", "client_id": "client", "typ": "Bearer",
			"realm_access": map[string]any{"roles": []string{"user"}}, "allowed-origins": []string{"*"}, "email_verified": false,
		}},
	}
}

// grantsClientCredentials returns a function that accepts the client credentials grant. The form
// must also have the value that the provider requires.
func grantsClientCredentials(name, value string) func(url.Values) bool {
	return func(form url.Values) bool {
		return form.Get("grant_type") == "client_credentials" && form.Get("client_id") == "client" && form.Get("client_secret") == "s3cret" &&
			(name == "" || form.Get(name) == value)
	}
}

// redirection maps the provider's address to the stand-in.
const redirection = `curl() {
  local word words=()
  for word; do words+=("${word/#"$PROVIDER"/"$STAND_IN"}"); done
  command curl --fail-with-body "${words[@]}"
}
`

// TestProviders runs the sign-in guide's blocks against stand-ins, with the settings that the
// guide states, and sends the tokens to chat serve --issuer.
func TestProviders(t *testing.T) {
	text, err := os.ReadFile("../../" + signInGuide)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := docs.Parse(signInGuide, text)
	if err != nil {
		t.Fatal(err)
	}
	blocks = slices.DeleteFunc(blocks, func(b docs.Block) bool {
		return slices.Contains(pagesBlocks(), b.Name) // TestSignInPages runs these
	})
	book := docs.NewBook(blocks, docs.Provider)
	settings := regexp.MustCompile("(?s)`Issuer: \"(https://[^/\"]+)([^\"]*)\",`.{1,8}`Audience: \\[\\]string\\{\"([^\"]+)\"\\},`").FindAllStringSubmatch(
		strings.ReplaceAll(string(text), " and\n   ", " and "), -1)
	if len(settings) != len(standIns()) {
		t.Fatalf("the guide has %d pairs of Issuer and Audience: %q", len(settings), settings)
	}
	for i, s := range standIns() {
		t.Run(s.block, func(t *testing.T) {
			host, path, audience := settings[i][1], settings[i][2], settings[i][3]
			provider := s.start(t, path)
			server := serve(t, dataDir(t), "--issuer", provider+path, "--audience", audience)
			shell := newShell(t, host, provider, map[string]string{"URL": server.url, "CLIENT_ID": "client", "CLIENT_SECRET": "s3cret"})
			for _, step := range []struct{ name, want string }{{s.block, ""}, {"look", `"iss": "` + provider + path + `"`}, {"ask", `"rooms":[]`}} {
				block, err := book.Take(signInGuide, step.name)
				if err != nil {
					t.Fatal(err)
				}
				printed, err := shell.Run(block)
				if err != nil || !strings.Contains(printed, step.want) {
					t.Fatalf("%s printed %q, %v; want %q", block, printed, err, step.want)
				}
			}
		})
	}
	if err := book.Left(); err != nil {
		t.Error(err)
	}
}

// newShell returns a shell in which a provider's address is redirected to the stand-in.
func newShell(t *testing.T, host, provider string, variables map[string]string) *docs.Shell {
	t.Helper()
	env := append(withoutAWS(os.Environ()), "PROVIDER="+host, "STAND_IN="+provider)
	for name, value := range variables {
		env = append(env, name+"="+value)
	}
	shell, err := docs.NewShell(t.Context(), "../..", env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = shell.Close() })
	if _, err := shell.Run(docs.Block{File: "the stand-in", Text: redirection}); err != nil {
		t.Fatal(err)
	}
	return shell
}

// start serves the provider and returns its address, without the path of its issuer.
func (s standIn) start(t *testing.T, path string) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	issuer := server.URL + path
	mux.HandleFunc("GET "+strings.TrimSuffix(path, "/")+"/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"issuer": issuer, "jwks_uri": server.URL + "/jwks"})
	})
	mux.HandleFunc("GET /jwks", func(w http.ResponseWriter, _ *http.Request) {
		encode := base64.RawURLEncoding.EncodeToString
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "use": "sig", "kid": "k1", "n": encode(key.N.Bytes()), "e": encode(big.NewInt(int64(key.E)).Bytes()),
		}}})
	})
	mux.HandleFunc("POST "+s.path, func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil || !s.granted(r.PostForm) {
			http.Error(w, `{"error":"invalid_request"}`, http.StatusBadRequest)
			return
		}
		claims := jwt.MapClaims{"iss": issuer, "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix()}
		for name, value := range s.claims {
			claims[name] = value
		}
		token := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
		token.Header["kid"] = "k1"
		signed, err := token.SignedString(key)
		if err != nil {
			t.Error(err)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"access_token": signed, "token_type": "Bearer", "expires_in": 3600})
	})
	return server.URL
}
