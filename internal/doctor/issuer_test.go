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
	"example.com/parley/internal/publickey"
	"example.com/parley/internal/test/owntokens"
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

// TestRun_FindsTheAppsKeys reads the keys that the stack publishes, once it is deployed.
func TestRun_FindsTheAppsKeys(t *testing.T) {
	t.Parallel()
	public, err := publickey.PEM(owntokens.Keys()[0].Public)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close)
	mux.HandleFunc("GET "+publickey.DiscoveryPath, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q}`, server.URL, server.URL+publickey.SetPath)
	})
	set := keySet(t)
	mux.HandleFunc("GET "+publickey.SetPath, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, set) })
	s := sound()
	s.client = server.Client()
	s.settings.SignUp, s.settings.SignInPages, s.settings.Page = "", config.SignInPages{}, config.Page{}
	s.settings.Issuer, s.settings.Keys = config.Keys, []config.Key{{PEM: public}}
	for deployed, says := range map[string]string{"": "publishes the app's keys when it is deployed", server.URL: server.URL + " publishes its name and its keys"} {
		if deployed != "" {
			s.answers["DescribeStacks"] = answer{200, `<R><DescribeStacksResult><Stacks><member><StackStatus>UPDATE_COMPLETE</StackStatus>` +
				`<Outputs><member><OutputKey>Issuer</OutputKey><OutputValue>` + deployed + `</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></R>`}
		}
		found := s.findings(t)
		if f := found["issuer"]; f.Status != doctor.OK || !strings.Contains(f.Found, says) {
			t.Errorf("deployed as %q: %+v", deployed, f)
		}
		if f := found["CloudFront"]; strings.Contains(f.Found, "not needed") {
			t.Errorf("CloudFront is %+v", f)
		}
		s.answers["DescribeStacks"] = healthy()["DescribeStacks"]
	}
}
