package issuer_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/local/issuer"
)

// hands is a clock that tests set.
type hands struct{ seconds atomic.Int64 }

func (h *hands) now() time.Time        { return time.Unix(1_700_000_000+h.seconds.Load(), 0) }
func (h *hands) after(d time.Duration) { h.seconds.Add(int64(d / time.Second)) }
func rotate(t *testing.T, dir string, h *hands) {
	t.Helper()
	if err := open(t, dir, h.now).Rotate(); err != nil {
		t.Fatal(err)
	}
}

func verify(t *testing.T, i *issuer.Issuer, text string) error {
	t.Helper()
	v, err := i.Verifier()
	if err != nil {
		t.Fatal(err)
	}
	_, err = v.Verify(t.Context(), text)
	return err
}

func keysIn(t *testing.T, i *issuer.Issuer) int {
	t.Helper()
	set, err := i.JWKS()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(set), `"kid"`)
}

func TestRotate_OldKeyCountsUntilItsTokensExpire(t *testing.T) {
	t.Parallel()
	h, dir := &hands{}, t.TempDir()
	serving := open(t, dir, h.now)
	before := token(t, serving, issuer.MaxLife)
	for n := range 3 {
		rotate(t, dir, h) // in another process
		after := token(t, open(t, dir, h.now), time.Hour)
		if err := verify(t, serving, after); err != nil {
			t.Errorf("a token of new key %d: %v", n, err)
		}
		if err := verify(t, serving, token(t, serving, time.Hour)); err != nil {
			t.Errorf("the server's own token: %v", err)
		}
		if got := keysIn(t, serving); got != n+2 {
			t.Errorf("the key set holds %d keys, want %d", got, n+2)
		}
	}
	h.after(issuer.MaxLife - time.Second)
	if err := verify(t, serving, before); err != nil {
		t.Errorf("a token of the old key in its last second: %v", err)
	}
	h.after(2 * time.Second)
	if err := verify(t, serving, before); !errors.Is(err, auth.ErrRefused) {
		t.Errorf("an expired token of an old key: %v", err)
	}
	if got := keysIn(t, serving); got != 1 {
		t.Errorf("the key set holds %d keys, want only the last", got)
	}
	latest := token(t, serving, time.Hour)
	rotate(t, dir, h)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	want := []string{filepath.Join(dir, "issuer-key-4.pem"), filepath.Join(dir, "issuer-key-5.pem")}
	if err != nil || !slices.Equal(files, want) {
		t.Errorf("the folder holds %v, %v, want %v", files, err, want)
	}
	if err := verify(t, open(t, dir, h.now), latest); err != nil {
		t.Errorf("a token of the previous key, in a new process: %v", err)
	}
}

func TestRotate_ConcurrentRotationsLoseNoToken(t *testing.T) {
	t.Parallel()
	h, dir := &hands{}, t.TempDir()
	serving := open(t, dir, h.now)
	var all sync.WaitGroup
	for range 4 {
		i := open(t, dir, h.now)
		all.Go(func() {
			for range 3 {
				if err := i.Rotate(); err != nil {
					t.Error(err)
				}
				text, err := i.Token("ada", time.Hour)
				if err != nil {
					t.Error(err)
					return
				}
				if err := verify(t, serving, text); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func TestKey_UnknownIDOnlyListsTheFolder(t *testing.T) {
	t.Parallel()
	i := open(t, t.TempDir(), at(1000))
	for _, id := range []string{"x", "../issuer-key", "issuer-key.pem", strings.Repeat("x", 9999)} {
		if _, err := i.Key(t.Context(), id); !errors.Is(err, auth.ErrNoKey) {
			t.Errorf("Key(%.20q) = %v, want ErrNoKey", id, err)
		}
	}
}

// TestRotate_OverTheNetwork reads the key set as another service does, through its discovery
// document and with a cache.
func TestRotate_OverTheNetwork(t *testing.T) {
	t.Parallel()
	h, dir := &hands{}, t.TempDir()
	i, err := issuer.Open(issuer.Config{Dir: dir, Clock: h.now, Rand: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q}`, server.URL, server.URL+"/.well-known/jwks.json")
	})
	mux.HandleFunc("/.well-known/jwks.json", func(w http.ResponseWriter, _ *http.Request) {
		set, err := i.JWKS()
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(set)
	})
	keys, err := auth.NewRemote(auth.RemoteConfig{
		Issuer: server.URL, Client: &http.Client{}, Clock: h.now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	v, err := auth.New(auth.Config{Issuer: issuer.Name, Audiences: []string{issuer.Audience}, Keys: keys, Clock: h.now})
	if err != nil {
		t.Fatal(err)
	}
	old := token(t, i, time.Hour)
	if _, err := v.Verify(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	rotate(t, dir, h)
	h.after(10 * time.Second)
	for name, text := range map[string]string{"new": token(t, i, time.Hour), "old": old} {
		if _, err := v.Verify(t.Context(), text); err != nil {
			t.Errorf("a token of the %s key: %v", name, err)
		}
	}
}
