package doctor_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/parley/infra/config"
	"example.com/parley/internal/doctor"
)

// keySet returns a set with a new key.
func keySet(t *testing.T) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	n := base64.RawURLEncoding.EncodeToString(key.N.Bytes())
	return `{"keys":[{"kty":"RSA","kid":"1","use":"sig","alg":"RS256","e":"AQAB","n":"` + n + `"}]}`
}

// TestRun_ComparesTheIssuerToTheLastSlash configures the issuer with one slash more and less than
// in its own name.
func TestRun_ComparesTheIssuerToTheLastSlash(t *testing.T) {
	t.Parallel()
	keys := keySet(t)
	for name, tt := range map[string]struct {
		stated, named string // after the address
		keys, says    string
	}{
		"the same":          {"", "", keys, ""},
		"both with a slash": {"/", "/", keys, ""},
		"a slash too many":  {"/", "", keys, "names the issuer"},
		"a slash too few":   {"", "/", keys, "names the issuer"},
		"no key":            {"", "", `{"keys":[]}`, "no RSA signing key"},
		"no document":       {"/elsewhere", "/elsewhere", keys, "404"},
	} {
		mux := http.NewServeMux()
		server := httptest.NewTLSServer(mux)
		t.Cleanup(server.Close)
		mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q}`, server.URL+tt.named, server.URL+"/keys")
		})
		mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, tt.keys) })
		s := sound()
		s.client = server.Client()
		s.settings.SignUp, s.settings.SignInPages, s.settings.Page = "", config.SignInPages{}, config.Page{}
		s.settings.Issuer, s.settings.Audience = server.URL+tt.stated, []string{"chat"}
		f := s.findings(t)["issuer"]
		if want := map[bool]doctor.Status{true: doctor.OK, false: doctor.Blocker}[tt.says == ""]; f.Status != want || !strings.Contains(f.Found, tt.says) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
