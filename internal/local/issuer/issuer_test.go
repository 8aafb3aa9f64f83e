package issuer_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/config"
	"example.com/parley/internal/local/issuer"
)

func open(t *testing.T, dir string, clock func() time.Time) *issuer.Issuer {
	t.Helper()
	i, err := issuer.Open(issuer.Config{Dir: dir, Clock: clock, Rand: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func at(seconds int64) func() time.Time {
	return func() time.Time { return time.Unix(seconds, 0) }
}

func token(t *testing.T, i *issuer.Issuer, life time.Duration) string {
	t.Helper()
	text, err := i.Token("ada", life)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestToken_PassesTheVerifierForItsLife(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	made := open(t, dir, at(1000))
	text := token(t, made, time.Minute)
	for _, c := range []struct {
		name string
		now  int64
		ok   bool
	}{
		{"at once", 1000, true}, {"in its last second", 1059, true}, {"when it has ended", 1060, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v, err := open(t, dir, at(c.now)).Verifier() // the key is read again
			if err != nil {
				t.Fatal(err)
			}
			claims, err := v.Verify(t.Context(), text)
			if c.ok && (err != nil || claims.Subject != "ada" || claims.Values["token_use"] != "access") {
				t.Errorf("Verify = %+v, %v", claims, err)
			}
			if !c.ok && !errors.Is(err, auth.ErrRefused) {
				t.Errorf("Verify = %v, want ErrRefused", err)
			}
		})
	}
}

func TestServiceToken_HasTheScopeAndUsersTokensHaveNone(t *testing.T) {
	t.Parallel()
	i := open(t, t.TempDir(), at(1000))
	service, err := i.ServiceToken("helpdesk", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	v, err := i.Verifier()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{service: config.ServiceScope, token(t, i, time.Minute): ""} {
		claims, err := v.Verify(t.Context(), text)
		if err != nil || claims.Values["scope"] != want {
			t.Errorf("Verify = %+v, %v, want the scope %q", claims, err, want)
		}
	}
}

func TestToken_DiffersWithinOneSecond(t *testing.T) {
	t.Parallel()
	i := open(t, t.TempDir(), at(1000))
	first, second := token(t, i, time.Hour), token(t, i, time.Hour)
	if first == second {
		t.Error("two tokens are the same")
	}
}

func TestVerifier_RefusesAnotherFoldersToken(t *testing.T) {
	t.Parallel()
	v, err := open(t, t.TempDir(), at(1000)).Verifier()
	if err != nil {
		t.Fatal(err)
	}
	other := token(t, open(t, t.TempDir(), at(1000)), time.Hour)
	if _, err := v.Verify(t.Context(), other); !errors.Is(err, auth.ErrRefused) {
		t.Errorf("Verify = %v, want ErrRefused", err)
	}
}

func TestOpen_ManyAtOnceShareOneKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sets := make([]string, 4)
	var wg sync.WaitGroup
	for n := range sets {
		wg.Go(func() {
			i, err := issuer.Open(issuer.Config{Dir: dir, Clock: time.Now, Rand: rand.Reader})
			if err != nil {
				t.Error(err)
				return
			}
			set, err := i.JWKS()
			if err != nil {
				t.Error(err)
			}
			sets[n] = string(set)
		})
	}
	wg.Wait()
	for _, set := range sets {
		if set != sets[0] || set == "" {
			t.Errorf("key sets %s and %s differ", set, sets[0])
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the folder holds %v, %v; want only the key", files, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("key file = %v, %v, want mode 0600", info, err)
	}
}

func TestJWKS_HasOnlyThePublicKey(t *testing.T) {
	t.Parallel()
	i := open(t, t.TempDir(), at(1000))
	text, err := i.JWKS()
	if err != nil {
		t.Fatal(err)
	}
	var set struct{ Keys []map[string]string }
	if err := json.Unmarshal(text, &set); err != nil || len(set.Keys) != 1 {
		t.Fatalf("JWKS = %s, %v", text, err)
	}
	key := set.Keys[0]
	if key["kty"] != "RSA" || key["alg"] != "RS256" || key["e"] != "AQAB" || key["n"] == "" || len(key) != 6 {
		t.Errorf("JWKS = %s", text)
	}
	if _, err := i.Key(t.Context(), key["kid"]); err != nil {
		t.Error(err)
	}
	if _, err := i.Key(t.Context(), "other"); !errors.Is(err, auth.ErrNoKey) {
		t.Errorf("Key = %v, want ErrNoKey", err)
	}
}

func TestOpen_NeverReplacesADamagedKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "issuer-key.pem")
	if err := os.WriteFile(path, []byte("half a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := issuer.Open(issuer.Config{Dir: dir, Clock: time.Now, Rand: rand.Reader}); err == nil {
		t.Error("no error")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "half a" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

func TestToken_RefusesInvalidRequests(t *testing.T) {
	t.Parallel()
	i := open(t, t.TempDir(), at(1000))
	for _, life := range []time.Duration{0, -time.Second, issuer.MaxLife + 1} {
		if _, err := i.Token("ada", life); err == nil {
			t.Errorf("a life of %s: no error", life)
		}
	}
	if _, err := i.Token("", time.Hour); err == nil {
		t.Error("no user: no error")
	}
}
