package auth_test

import (
	"bytes"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/auth"
)

const (
	// hostileBytes bounds what one fetch may allocate: two documents of 256 KB, and the memory to
	// decode them.
	hostileBytes = 32 << 20
	// hostileTime bounds one fetch from an issuer that never finishes: five seconds, and more for
	// a busy machine.
	hostileTime = 20 * time.Second
)

// hostileIssuer is an issuer whose responses a test writes byte by byte.
type hostileIssuer struct {
	*httptest.Server
	keys     atomic.Pointer[http.HandlerFunc]
	about    atomic.Pointer[http.HandlerFunc]
	reached  atomic.Int32 // requests elsewhere
	advanced atomic.Int64 // relative to the callers' clock
	logs     bytes.Buffer
}

func newHostileIssuer(t *testing.T) *hostileIssuer {
	t.Helper()
	h := &hostileIssuer{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, r *http.Request) { (*h.about.Load())(w, r) })
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, r *http.Request) { (*h.keys.Load())(w, r) })
	mux.HandleFunc("GET /elsewhere", func(w http.ResponseWriter, _ *http.Request) {
		h.reached.Add(1)
		writeKeys(w, published(1, "evil"), published(1, "k1"))
	})
	h.Server = httptest.NewServer(mux)
	t.Cleanup(h.Close)
	h.be(nil, nil)
	return h
}

// be sets the responses; nil selects the honest ones.
func (h *hostileIssuer) be(about, keys http.HandlerFunc) {
	if about == nil {
		about = func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(map[string]string{"issuer": h.URL, "jwks_uri": h.URL + "/keys"})
		}
	}
	if keys == nil {
		keys = func(w http.ResponseWriter, _ *http.Request) { writeKeys(w, published(0, "k1")) }
	}
	h.about.Store(&about)
	h.keys.Store(&keys)
}

func writeKeys(w io.Writer, keys ...map[string]any) {
	_ = json.NewEncoder(w).Encode(map[string]any{"keys": keys})
}

func (h *hostileIssuer) clock() time.Time { return now().Add(time.Duration(h.advanced.Load())) }

func (h *hostileIssuer) verifier(t *testing.T) *auth.Verifier {
	t.Helper()
	log := slog.New(slog.NewTextHandler(&h.logs, nil))
	r, err := auth.NewRemote(auth.RemoteConfig{Issuer: h.URL, Client: &http.Client{}, Clock: h.clock, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	v, err := auth.New(auth.Config{Issuer: h.URL, Audiences: []string{audience}, Keys: r, Clock: h.clock})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// signed returns a token signed by a key, under a key id.
func (h *hostileIssuer) signed(t *testing.T, key *rsa.PrivateKey, id string) string {
	t.Helper()
	tk := valid()
	tk.key, tk.header["kid"] = key, id
	tk.claims["iss"], tk.claims["exp"] = h.URL, now().Add(100*time.Hour).Unix()
	return tk.sign(t)
}

// TestRemote_HostileKeySets uses an issuer that turns hostile. The last good keys remain in use,
// no token of the hostile set is accepted, and a fetch stays within its memory limit. It does not
// run concurrently with other tests, whose memory it would count.
func TestRemote_HostileKeySets(t *testing.T) {
	for name, keys := range hostileAnswers() {
		t.Run(name, func(t *testing.T) {
			h := newHostileIssuer(t)
			v := h.verifier(t)
			if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[0], "k1")); err != nil {
				t.Fatal(err)
			}
			h.be(nil, keys)
			h.advanced.Add(int64(2 * time.Hour))
			h.wantGoodKeysAlone(t, v)
			h.wantGoodKeysAlone(t, h.verifierAfterStart(t)) // which has no good keys
			if n := h.reached.Load(); n != 0 {
				t.Errorf("%d redirects were followed", n)
			}
			if h.logs.Len() > 8<<10 {
				t.Errorf("%d bytes are logged", h.logs.Len())
			}
		})
	}
}

// verifierAfterStart returns the verifier of a process that has fetched from the honest issuer,
// and immediately afterwards from this one.
func (h *hostileIssuer) verifierAfterStart(t *testing.T) *auth.Verifier {
	t.Helper()
	hostile := h.keys.Load()
	h.be(nil, nil)
	v := h.verifier(t)
	if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[0], "k1")); err != nil {
		t.Fatal(err)
	}
	h.keys.Store(hostile)
	h.advanced.Add(int64(time.Minute))
	return v
}

// wantGoodKeysAlone checks that the good key is accepted, and no other.
func (h *hostileIssuer) wantGoodKeysAlone(t *testing.T, v *auth.Verifier) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[0], "k1")); err != nil {
		t.Errorf("the last good key: %v", err)
	}
	for _, id := range []string{"evil", "k1", "kid", "", strings.Repeat("e", 257)} {
		for _, key := range []*rsa.PrivateKey{testKeys()[1], smallKey()} {
			if claims, err := v.Verify(t.Context(), h.signed(t, key, id)); err == nil {
				t.Errorf("a token of another key under %q is accepted: %v", id, claims)
			}
		}
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > hostileBytes {
		t.Errorf("it allocates %d bytes, want at most %d", used, hostileBytes)
	}
	if took := time.Since(began); took > hostileTime {
		t.Errorf("it takes %v", took)
	}
}

// TestRemote_KeySetOfOddKeys checks sets with both usable and odd keys.
func TestRemote_KeySetOfOddKeys(t *testing.T) {
	t.Parallel()
	h := newHostileIssuer(t)
	odd := []string{"k\x00", "\u202ek", "../k", "k\r\nX: y", "{}", "é", "k1 ", "K1"}
	keys := []map[string]any{published(0, "k1"), published(1, "k1")} // the first key with an id counts
	for _, id := range odd {
		keys = append(keys, published(1, id))
	}
	for n := range 200 {
		keys = append(keys, published(0, fmt.Sprint("many-", n)))
	}
	h.be(nil, func(w http.ResponseWriter, _ *http.Request) { writeKeys(w, keys...) })
	v := h.verifier(t)
	for _, c := range []struct {
		key int
		id  string
		ok  bool
	}{{0, "k1", true}, {1, "k1", false}, {0, "many-0", true}, {0, "many-199", false}, {0, "k", false}} {
		if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[c.key], c.id)); (err == nil) != c.ok {
			t.Errorf("key %d under %q: %v", c.key, c.id, err)
		}
	}
	for _, id := range odd {
		if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[1], id)); err != nil {
			t.Errorf("its own key under %q: %v", id, err)
		}
		if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[0], id)); !errors.Is(err, auth.ErrRefused) {
			t.Errorf("another key under %q: %v", id, err)
		}
	}
	none := valid()
	none.method, none.key, none.claims["iss"] = jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, h.URL
	if _, err := v.Verify(t.Context(), none.sign(t)); !errors.Is(err, auth.ErrRefused) {
		t.Errorf("a token without a signature: %v", err)
	}
}

// TestRemote_SlowIssuer uses an issuer that sends a byte now and then. A fetch ends, and the good
// keys remain in use.
func TestRemote_SlowIssuer(t *testing.T) {
	t.Parallel()
	h := newHostileIssuer(t)
	v := h.verifier(t)
	if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[0], "k1")); err != nil {
		t.Fatal(err)
	}
	h.be(nil, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, " ")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(50 * time.Millisecond)
		}
	})
	h.advanced.Add(int64(2 * time.Hour))
	began := time.Now()
	if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[0], "k1")); err != nil {
		t.Errorf("the last good key: %v", err)
	}
	if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[1], "evil")); err == nil || errors.Is(err, auth.ErrRefused) {
		t.Errorf("an unknown key: %v, want that nobody knows", err)
	}
	if took := time.Since(began); took > hostileTime {
		t.Errorf("it takes %v", took)
	}
}
