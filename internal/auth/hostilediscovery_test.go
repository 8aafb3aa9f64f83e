package auth_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/auth"
)

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
