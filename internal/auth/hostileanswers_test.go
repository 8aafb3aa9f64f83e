package auth_test

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"io"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/auth"
)

// smallKey is too short for RS256, but its signatures are valid.
var smallKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		panic(err)
	}
	return key
})

// jwkOf returns a key with different numbers from the test's keys.
func jwkOf(id string, n, e *big.Int) map[string]any {
	return map[string]any{"kty": "RSA", "kid": id, "n": base64.RawURLEncoding.EncodeToString(n.Bytes()), "e": base64.RawURLEncoding.EncodeToString(e.Bytes())}
}

// hostileAnswers are key sets without a usable key, by their defect.
func hostileAnswers() map[string]http.HandlerFunc {
	text := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, s) }
	}
	set := func(keys ...map[string]any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { writeKeys(w, keys...) }
	}
	evil := func(change map[string]any) http.HandlerFunc { return set(published(1, "evil", change)) }
	n, e := testKeys()[1].N, big.NewInt(65537)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(bytes.Repeat([]byte(" "), 64<<20))
	_ = z.Close()
	return map[string]http.HandlerFunc{
		"not JSON": text("<html>"), "null": text("null"), "a list": text("[]"), "keys that are no list": text(`{"keys":{}}`),
		"keys of numbers": text(`{"keys":[1,null,"x",[]]}`), "cut JSON": text(`{"keys":[{"kty":"RSA"`), "nothing": text(""),
		"a deep nest": text(`{"keys":` + strings.Repeat("[", 200_000)), "no keys": text(`{"keys":[]}`),
		"an endless answer": func(w http.ResponseWriter, _ *http.Request) {
			for err := error(nil); err == nil; _, err = io.WriteString(w, `{"keys":[`+strings.Repeat(" ", 64<<10)) {
			}
		},
		"an answer that is huge unpacked": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
		},
		"a huge header": func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			defer c.Close()
			chunk := strings.Repeat("x", 64<<10)
			for _, err = io.WriteString(c, "HTTP/1.1 200 OK\r\nX: "); err == nil; _, err = io.WriteString(c, chunk) {
			}
		},
		"a redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"500": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			writeKeys(w, published(1, "evil"))
		},
		"204": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"a partial": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusPartialContent)
			writeKeys(w, published(1, "evil"))
		},
		"100,000 keys of one set": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"keys":[`+strings.Repeat("{},", 100_000)+"{}]}")
		},
		"another type": evil(map[string]any{"kty": "EC"}), "a type in lower case": evil(map[string]any{"kty": "rsa"}),
		"a shared secret": evil(map[string]any{"kty": "oct", "k": "c2VjcmV0"}), "another algorithm": evil(map[string]any{"alg": "none"}),
		"for encryption": evil(map[string]any{"use": "enc"}), "a use that is a list": evil(map[string]any{"use": []string{"sig"}}),
		"operations without verify": evil(map[string]any{"key_ops": []string{}}), "a small modulus": set(jwkOf("evil", smallKey().N, e)),
		"an even modulus": set(jwkOf("evil", new(big.Int).Lsh(n, 1), e)), "a modulus of 0": set(jwkOf("evil", new(big.Int), e)),
		"a modulus of 16,384 bits": set(jwkOf("evil", new(big.Int).SetBit(new(big.Int).Set(n), 16383, 1), e)),
		"an exponent of 1":         set(jwkOf("evil", n, big.NewInt(1))), "an exponent of 0": set(jwkOf("evil", n, new(big.Int))),
		"an even exponent": set(jwkOf("evil", n, big.NewInt(65536))), "an exponent of 2": set(jwkOf("evil", n, big.NewInt(2))),
		"an exponent of 64 bits": set(jwkOf("evil", n, new(big.Int).SetBit(big.NewInt(1), 63, 1))),
		"no key id":              evil(map[string]any{"kid": nil}), "a long key id": evil(map[string]any{"kid": strings.Repeat("e", 257)}),
		"a key id that is a list": evil(map[string]any{"kid": []string{"evil"}}),
	}
}

// TestRemote_HostileDiscovery uses discovery documents that point elsewhere.
func TestRemote_HostileDiscovery(t *testing.T) {
	t.Parallel()
	for name, about := range map[string]string{
		"another issuer":       `{"issuer":"https://evil.example","jwks_uri":"URL/elsewhere"}`,
		"a long issuer":        `{"issuer":"` + strings.Repeat("x", 200<<10) + `","jwks_uri":"URL/elsewhere"}`,
		"an address in a file": `{"issuer":"URL","jwks_uri":"file:///etc/passwd"}`,
		"a plain address":      `{"issuer":"URL","jwks_uri":"http://169.254.169.254/keys"}`,
		"a long address":       `{"issuer":"URL","jwks_uri":"ftp://` + strings.Repeat("x", 200<<10) + `"}`,
		"no address":           `{"issuer":"URL"}`,
		"a list":               `{"issuer":"URL","jwks_uri":["URL/elsewhere"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHostileIssuer(t)
			v := h.verifier(t)
			if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[0], "k1")); err != nil {
				t.Fatal(err)
			}
			h.be(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, strings.ReplaceAll(about, "URL", h.URL))
			}, nil)
			h.advanced.Add(int64(2 * time.Hour))
			if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[0], "k1")); err != nil {
				t.Errorf("the last good key: %v", err)
			}
			if _, err := v.Verify(t.Context(), h.signed(t, testKeys()[1], "evil")); err == nil || errors.Is(err, auth.ErrRefused) {
				t.Errorf("an unknown key: %v, want that nobody knows", err)
			} else if len(err.Error()) > 2<<10 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
			if h.reached.Load() != 0 || h.logs.Len() > 8<<10 {
				t.Errorf("%d requests elsewhere, %d bytes logged", h.reached.Load(), h.logs.Len())
			}
		})
	}
}
