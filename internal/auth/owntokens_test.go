package auth_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/config"
	"example.com/parley/internal/publickey"
	"example.com/parley/internal/test/owntokens"
)

// TestVerify_AcceptsOrRefusesOwnTokens verifies the tokens of an app that signs them itself, with
// keys that the stack publishes and with keys that chat serve reads. No error quotes a token.
func TestVerify_AcceptsOrRefusesOwnTokens(t *testing.T) {
	t.Parallel()
	fixed := auth.Fixed{}
	for _, key := range owntokens.Keys() {
		fixed[key.ID] = key.Public
	}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	set := owntokens.Set(t)
	discovery, err := publickey.Discovery(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{publickey.DiscoveryPath: discovery, publickey.SetPath: set} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(text) })
	}
	remote, err := auth.NewRemote(auth.RemoteConfig{Issuer: server.URL, Client: server.Client(), Clock: now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	i := owntokens.Issuer{Name: server.URL, Audience: config.OwnAudience, Life: config.OwnTokenLife, Now: now()}
	cases := i.Cases(t)
	for name, keys := range map[string]auth.Keys{"published": remote, "read": fixed} {
		v, err := auth.New(auth.Config{
			Issuer: i.Name, Audiences: []string{i.Audience}, Keys: keys, Clock: now, Rules: config.TokenRules{Life: i.Life},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			claims, err := v.Verify(t.Context(), c.Token)
			if c.OK && (err != nil || claims.Subject != owntokens.User) {
				t.Errorf("%s, %s: %+v, %v", name, c.Name, claims, err)
			}
			if !c.OK && !errors.Is(err, auth.ErrRefused) {
				t.Errorf("%s, %s: %v, want ErrRefused", name, c.Name, err)
			}
			for part := range strings.SplitSeq(c.Token, ".") {
				if err != nil && part != "" && strings.Contains(err.Error(), part) {
					t.Errorf("%s, %s: the error quotes the token: %v", name, c.Name, err)
				}
			}
		}
	}
}

// TestVerify_TakesTheUserFromTheClaim also has tokens without the claim, or with one that is no
// text.
func TestVerify_TakesTheUserFromTheClaim(t *testing.T) {
	t.Parallel()
	v, err := auth.New(auth.Config{
		Issuer: issuer, Audiences: []string{audience}, Clock: now, Keys: auth.Fixed{keyID: &testKeys()[0].PublicKey}, Rules: config.TokenRules{UserClaim: "oid"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for oid, want := range map[any]string{"o-1": "o-1", nil: "", 7: "", "": ""} {
		tk := valid()
		tk.claims["oid"] = oid
		claims, err := v.Verify(t.Context(), tk.sign(t))
		if claims.Subject != want || (err == nil) != (want != "") {
			t.Errorf("oid %v: %q, %v, want %q", oid, claims.Subject, err, want)
		}
	}
}
