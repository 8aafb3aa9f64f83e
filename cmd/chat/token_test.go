package main

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func TestRotateCmd_RunningServerAcceptsTheNewKey(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	old := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", old, "{}")
	for range 2 {
		if out, err := command(t, "rotate", "--data", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		fresh := tokenOf(t, dir, "amsg")
		if header, _, _ := strings.Cut(fresh, "."); strings.HasPrefix(old, header+".") {
			t.Error("the new token is signed with the old key")
		}
		mustCall(t, 200, "GET", s.url+"/rooms/seattle", fresh, "")
		mustCall(t, 200, "GET", s.url+"/rooms/seattle", old, "")
	}
	set := mustCall(t, 200, "GET", s.url+"/.well-known/jwks.json", "", "")
	if n := strings.Count(set, `"kid"`); n != 3 {
		t.Errorf("the key set holds %d keys, want 3: %s", n, set)
	}
}

func TestTokenCmd_ServiceActsForAUser(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	out, err := command(t, "token", "--service", "--user", "helpdesk", "--data", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]int{strings.TrimSpace(string(out)): 201, tokenOf(t, dir, "amsg"): 403} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, s.url+"/rooms/seattle", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Parley-Act-As", "bob")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("answer %d, want %d", resp.StatusCode, want)
		}
	}
	room := mustCall(t, 200, "GET", s.url+"/rooms/seattle", tokenOf(t, dir, "amsg"), "")
	if !strings.Contains(room, `"createdBy":"bob"`) {
		t.Errorf("the room is %s", room)
	}
}

func TestServe_AcceptsTokensOfAnotherIssuer(t *testing.T) {
	t.Parallel()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	provider := httptest.NewServer(mux)
	t.Cleanup(provider.Close)
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":"%s/keys"}`, provider.URL, provider.URL)
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		n := base64.RawURLEncoding.EncodeToString(key.N.Bytes())
		e := base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes())
		_, _ = fmt.Fprintf(w, `{"keys":[{"kty":"RSA","use":"sig","kid":"k1","n":%q,"e":%q}]}`, n, e)
	})
	id := "k1"
	sign := func(audience string) string {
		token := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{
			"iss": provider.URL, "sub": "amsg", "aud": audience, "exp": time.Now().Add(time.Hour).Unix(),
		})
		token.Header["kid"] = id
		text, err := token.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	dir := dataDir(t)
	s := serve(t, dir, "--issuer", provider.URL, "--audience", "parley", "--audience", "other")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", sign("parley"), "{}")
	mustCall(t, 401, "GET", s.url+"/rooms/seattle", sign("else"), "")
	mustCall(t, 401, "GET", s.url+"/rooms/seattle", tokenOf(t, dir, "amsg"), "")
	mustCall(t, 404, "GET", s.url+"/.well-known/jwks.json", sign("parley"), "")
	provider.Close()
	mustCall(t, 200, "GET", s.url+"/rooms/seattle", sign("parley"), "")
	unaware := serve(t, dataDir(t), "--issuer", provider.URL, "--audience", "parley")
	mustCall(t, 503, "GET", unaware.url+"/rooms/seattle", sign("parley"), "")
	wantSocketRefused(t, unaware, sign("parley"))
	id = "k2" // which no key set has had
	for _, server := range []*server{s, unaware} {
		if status, text, err := call(t.Context(), "GET", server.url+"/rooms/seattle", sign("parley"), ""); err != nil || status != 401 && status != 503 {
			t.Errorf("an unknown key id while the issuer is down: %d %s, %v", status, text, err)
		}
		wantSocketRefused(t, server, sign("parley"))
	}
}

// wantSocketRefused checks that a token opens no connection: the response is 401, and never 500.
func wantSocketRefused(t *testing.T, s *server, token string) {
	t.Helper()
	if _, resp, err := dialSocket(t, s.line(t, "live  "), token, ""); err == nil || resp == nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("a connection while the issuer is down: %v, %v, want 401", resp, err)
	}
}

func TestServe_RefusesAnIncompleteIssuer(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"--issuer", "https://issuer.example"}, {"--audience", "parley"},
		{"--issuer", "http://issuer.example", "--audience", "parley"},
	} {
		args = append([]string{"serve", "--addr", "127.0.0.1:0", "--data", dataDir(t)}, args...)
		out, err := command(t, args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "issuer") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

// TestTokenCmd_NameShowsUntilAProfileIsSaved reads one's own profile with tokens of one user.
func TestTokenCmd_NameShowsUntilAProfileIsSaved(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	out, err := command(t, "token", "--data", dir, "--user", "amsg", "--name", "Amsel Gruber").Output()
	if err != nil {
		t.Fatal(err)
	}
	named, plain := strings.TrimSpace(string(out)), tokenOf(t, dir, "amsg")
	for token, want := range map[string]string{named: `"name":"Amsel Gruber"`, plain: `"name":"amsg"`} {
		if me := mustCall(t, 200, "GET", s.url+"/people/me", token, ""); !strings.Contains(me, want) {
			t.Errorf("me is %s, want %s", me, want)
		}
	}
	mustCall(t, 201, "PUT", s.url+"/people/me", named, `{"name":"A."}`)
	if me := mustCall(t, 200, "GET", s.url+"/people/me", named, ""); !strings.Contains(me, `"name":"A."`) {
		t.Errorf("me is %s after saving a profile", me)
	}
}
