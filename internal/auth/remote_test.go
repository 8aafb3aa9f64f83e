package auth_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/auth"
)

// provider is an identity provider on the network, whose responses a test changes.
type provider struct {
	url     string
	fetches atomic.Int32 // of the key set

	mu       sync.Mutex
	seconds  int64 // of its callers' clock, relative to now
	status   int
	about    map[string]any // its discovery document
	keys     []map[string]any
	raw      string        // instead of the keys
	holdBack chan struct{} // the key set waits for it, if there is one
}

func newProvider(t testing.TB) *provider {
	p := &provider{status: http.StatusOK, keys: []map[string]any{published(0, "k1")}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		_ = json.NewEncoder(w).Encode(p.about)
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, r *http.Request) {
		p.fetches.Add(1)
		p.mu.Lock()
		wait := p.holdBack
		p.mu.Unlock()
		if wait != nil {
			select {
			case <-wait:
			case <-r.Context().Done():
				return
			}
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		w.WriteHeader(p.status)
		if p.raw != "" {
			_, _ = io.WriteString(w, p.raw)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": p.keys})
	})
	mux.Handle("GET /moved", http.RedirectHandler("/keys", http.StatusFound))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p.url = server.URL
	p.about = map[string]any{"issuer": p.url, "jwks_uri": p.url + "/keys"}
	return p
}

func (p *provider) set(change func(*provider)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

func (p *provider) clock() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now().Add(time.Duration(p.seconds) * time.Second)
}

func (p *provider) after(d time.Duration) {
	p.set(func(p *provider) { p.seconds += int64(d / time.Second) })
}

func (p *provider) remote(t testing.TB) *auth.Remote {
	t.Helper()
	r, err := auth.NewRemote(auth.RemoteConfig{
		Issuer: p.url, Client: &http.Client{}, Clock: p.clock, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (p *provider) verifier(t testing.TB) *auth.Verifier {
	t.Helper()
	v, err := auth.New(auth.Config{Issuer: p.url, Audiences: []string{audience}, Keys: p.remote(t), Clock: p.clock})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// token is signed by one of the test's keys, under any key id.
func (p *provider) token(t testing.TB, key int, id string, changes ...func(*token)) string {
	t.Helper()
	tk := valid()
	tk.key, tk.header["kid"] = testKeys()[key], id
	tk.claims["iss"], tk.claims["exp"] = p.url, now().Add(100*time.Hour).Unix()
	for _, change := range changes {
		change(&tk)
	}
	return tk.sign(t)
}

// published is a key as in a key set; more replaces members, and nil omits one.
func published(key int, id string, more ...map[string]any) map[string]any {
	public := testKeys()[key].PublicKey
	k := map[string]any{
		"kty": "RSA", "use": "sig", "alg": "RS256", "kid": id,
		"n": base64.RawURLEncoding.EncodeToString(public.N.Bytes()),
		"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(public.E)).Bytes()),
	}
	for _, m := range more {
		maps.Copy(k, m)
	}
	for name, value := range k {
		if value == nil {
			delete(k, name)
		}
	}
	return k
}

func wantFetches(t testing.TB, p *provider, want int32) {
	t.Helper()
	if got := p.fetches.Load(); got != want {
		t.Errorf("%d fetches, want %d", got, want)
	}
}

func TestRemote_TokensAreAcceptedOrRefused(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	v := p.verifier(t)
	for _, c := range []struct {
		name string
		text string
		ok   bool
	}{
		{"its own", p.token(t, 0, "k1"), true},
		{"by an unknown key", p.token(t, 1, "k2"), false},
		{"by another key under a known id", p.token(t, 1, "k1"), false},
		{"of the wrong issuer", p.token(t, 0, "k1", claim("iss", issuer)), false},
		{"for the wrong audience", p.token(t, 0, "k1", claim("client_id", "x")), false},
		{"expired", p.token(t, 0, "k1", claim("exp", now().Unix())), false},
		{"not yet valid", p.token(t, 0, "k1", claim("nbf", now().Add(time.Second).Unix())), false},
		{"with alg none", p.token(t, 0, "k1", func(tk *token) {
			tk.method, tk.key = jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType
		}), false},
		{"with the public key's modulus as a shared secret", p.token(t, 0, "k1", func(tk *token) {
			tk.method, tk.key = jwt.SigningMethodHS256, testKeys()[0].N.Bytes()
		}), false},
		{"with the key set's text as a shared secret", p.token(t, 0, "k1", func(tk *token) {
			tk.method, tk.key = jwt.SigningMethodHS256, []byte(published(0, "k1")["n"].(string))
		}), false},
	} {
		claims, err := v.Verify(t.Context(), c.text)
		if c.ok && (err != nil || claims.Subject != "ada") || !c.ok && !errors.Is(err, auth.ErrRefused) {
			t.Errorf("a token %s: %+v, %v", c.name, claims, err)
		}
	}
	wantFetches(t, p, 1)
}

func TestRemote_FloodOfUnknownKeysFetchesOnceAnInterval(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	r := p.remote(t)
	for round := range int32(3) {
		var flood sync.WaitGroup
		for n := range 100 {
			flood.Go(func() {
				if _, err := r.Key(t.Context(), fmt.Sprint("x", n)); !errors.Is(err, auth.ErrNoKey) {
					t.Error(err)
				}
				if _, err := r.Key(t.Context(), "k1"); err != nil {
					t.Error(err)
				}
			})
		}
		flood.Wait()
		wantFetches(t, p, round+1)
		p.after(10 * time.Second)
	}
}

func TestRemote_InvalidKeyIDMakesNoRequest(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	for _, id := range []string{"", strings.Repeat("x", 257)} {
		if _, err := p.remote(t).Key(t.Context(), id); !errors.Is(err, auth.ErrNoKey) {
			t.Error(err)
		}
	}
	wantFetches(t, p, 0)
}

func TestRemote_AddsNewKeysAndDropsWithdrawnOnes(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	v := p.verifier(t)
	verify := func(key int, id string) error {
		_, err := v.Verify(t.Context(), p.token(t, key, id))
		return err
	}
	if err := verify(0, "k1"); err != nil {
		t.Fatal(err)
	}
	p.set(func(p *provider) { p.keys = []map[string]any{published(1, "k2")} })
	if err := verify(1, "k2"); !errors.Is(err, auth.ErrRefused) {
		t.Errorf("a new key within the interval: %v", err)
	}
	if err := verify(0, "k1"); err != nil {
		t.Errorf("a withdrawn key before anybody asked again: %v", err)
	}
	p.after(10 * time.Second)
	if err := verify(1, "k2"); err != nil {
		t.Errorf("a new key after the interval: %v", err)
	}
	if err := verify(0, "k1"); !errors.Is(err, auth.ErrRefused) {
		t.Errorf("a withdrawn key: %v", err)
	}
	p.set(func(p *provider) { p.keys = []map[string]any{published(0, "k1")} })
	p.after(time.Hour)
	if err := verify(1, "k2"); !errors.Is(err, auth.ErrRefused) {
		t.Errorf("a key withdrawn an hour ago, which nobody asked for: %v", err)
	}
	wantFetches(t, p, 3)
}

func TestRemote_LastGoodKeysServeWhileTheIssuerFails(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*provider){
		"an error":                  func(p *provider) { p.status = http.StatusInternalServerError },
		"an answer that is no JSON": func(p *provider) { p.raw = "<html>" },
		"an endless answer":         func(p *provider) { p.raw = `{"keys":[` + strings.Repeat(" ", 300<<10) },
		"no keys":                   func(p *provider) { p.keys = nil },
		"another's name":            func(p *provider) { p.about["issuer"] = issuer },
		"keys at a plain address":   func(p *provider) { p.about["jwks_uri"] = "http://keys.example/keys" },
		"keys in a file":            func(p *provider) { p.about["jwks_uri"] = "file:///keys" },
		"a redirect":                func(p *provider) { p.about["jwks_uri"] = p.url + "/moved" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProvider(t)
			r := p.remote(t)
			if _, err := r.Key(t.Context(), "k1"); err != nil {
				t.Fatal(err)
			}
			p.set(fail)
			p.after(2 * time.Hour)
			for range 3 {
				if _, err := r.Key(t.Context(), "k1"); err != nil {
					t.Errorf("a known key: %v", err)
				}
				if _, err := r.Key(t.Context(), "k2"); err == nil || errors.Is(err, auth.ErrNoKey) {
					t.Errorf("an unknown key: %v, want that nobody knows", err)
				}
			}
			if _, err := p.remote(t).Key(t.Context(), "k1"); err == nil || errors.Is(err, auth.ErrNoKey) {
				t.Errorf("a fresh process: %v, want that nobody knows", err)
			}
		})
	}
}

func TestRemote_ConcurrentCallersShareOneFetch(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	p.holdBack = make(chan struct{})
	r := p.remote(t)
	gone, leave := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		_, err := r.Key(gone, "k1")
		first <- err
	}()
	var others sync.WaitGroup
	for range 50 {
		others.Go(func() {
			if _, err := r.Key(t.Context(), "k1"); err != nil {
				t.Error(err)
			}
		})
	}
	leave() // the request that began the fetch ends; the fetch continues for the others
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("after the caller left: %v", err)
	}
	close(p.holdBack)
	others.Wait()
	wantFetches(t, p, 1)
}

func TestParseKeySet_KeepsOnlySigningKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		key  map[string]any
		ok   bool
	}{
		{"a plain one", published(1, "k2"), true},
		{"with no more than the numbers", published(1, "k2", map[string]any{"use": nil, "alg": nil}), true},
		{"for verifying", published(1, "k2", map[string]any{"key_ops": []string{"verify"}}), true},
		{"for encryption", published(1, "k2", map[string]any{"use": "enc"}), false},
		{"for other operations", published(1, "k2", map[string]any{"key_ops": []string{"encrypt"}}), false},
		{"for another algorithm", published(1, "k2", map[string]any{"alg": "RS512"}), false},
		{"a shared secret", published(1, "k2", map[string]any{"kty": "oct"}), false},
		{"without an id", published(1, ""), false},
		{"too short", published(1, "k2", map[string]any{"n": base64.RawURLEncoding.EncodeToString(make([]byte, 128))}), false},
		{"too long", published(1, "k2", map[string]any{"n": strings.Repeat("_", 2000)}), false},
		{"with an exponent of 1", published(1, "k2", map[string]any{"e": "AQ"}), false},
		{"with a huge exponent", published(1, "k2", map[string]any{"e": strings.Repeat("_", 43)}), false},
		{"that is no base64", published(1, "k2", map[string]any{"n": "*"}), false},
		{"with a number for a name", published(1, "k2", map[string]any{"kid": 7}), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProvider(t)
			p.keys = append(p.keys, c.key)
			v := p.verifier(t)
			if _, err := v.Verify(t.Context(), p.token(t, 0, "k1")); err != nil {
				t.Errorf("the good key next to it: %v", err)
			}
			_, err := v.Verify(t.Context(), p.token(t, 1, "k2"))
			if c.ok && err != nil || !c.ok && !errors.Is(err, auth.ErrRefused) {
				t.Errorf("Verify = %v", err)
			}
		})
	}
}

func TestNewRemote_RefusesInsecureAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "issuer.example", "http://issuer.example", "https://", "https://u:p@issuer.example", "https://issuer.example/#x", "file:///x"} {
		_, err := auth.NewRemote(auth.RemoteConfig{
			Issuer: address, Client: &http.Client{}, Clock: now, Log: slog.New(slog.DiscardHandler),
		})
		if err == nil {
			t.Errorf("%q: no error", address)
		}
	}
	if _, err := auth.NewRemote(auth.RemoteConfig{Issuer: issuer}); err == nil {
		t.Error("nothing but an issuer: no error")
	}
}
