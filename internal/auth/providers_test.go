package auth_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/chat"
)

// product is an identity provider as its documentation describes it. The guide (docs/sign-in.md)
// explains each.
type product struct {
	name     string
	path     string // of the issuer, after the host
	audience string
	key      map[string]any // further members in the key set; nil removes one
	claims   func(issuer string) jwt.MapClaims
}

const tenant = "8f6d3c1e-1111-4222-8333-444455556666"

func products() []product {
	return []product{
		{
			name: "Auth0", path: "/", audience: "https://chat.example.com",
			key: map[string]any{"x5t": "aGFzaA", "x5c": []string{"MIIC"}},
			claims: func(issuer string) jwt.MapClaims {
				return jwt.MapClaims{"sub": "auth0|6630f0a1b2c3d4e5f6a7b8c9", "azp": "QmFzZTY0Q2xpZW50SWRlbnRpZmllcg", "scope": "openid profile",
					"aud": []string{"https://chat.example.com", issuer + "userinfo"}}
			},
		},
		{
			name: "Entra ID, version 2 tokens", path: "/" + tenant + "/v2.0", audience: "0aa1bb2c-0000-4000-8000-dd33ee44ff55",
			key: map[string]any{"alg": nil, "issuer": "https://login.microsoftonline.com/{tenantid}/v2.0", "x5c": []string{"MIIC"}},
			claims: func(string) jwt.MapClaims {
				return jwt.MapClaims{"aud": "0aa1bb2c-0000-4000-8000-dd33ee44ff55", "azp": "0aa1bb2c-9999-4000-8000-dd33ee44ff55", "azpacr": "0",
					"sub": "HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ", "oid": tenant, "tid": tenant, "ver": "2.0", "scp": "Chat.Use"}
			},
		},
		{
			name: "Entra ID, version 1 tokens", path: "/" + tenant + "/", audience: "api://parley",
			key: map[string]any{"alg": nil},
			claims: func(string) jwt.MapClaims {
				return jwt.MapClaims{"aud": "api://parley", "appid": "0aa1bb2c-9999-4000-8000-dd33ee44ff55", "ver": "1.0",
					"sub": "HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ", "unique_name": "ada@example.com"}
			},
		},
		{
			name: "Keycloak with an audience mapper", path: "/realms/team", audience: "parley",
			claims: func(string) jwt.MapClaims {
				return jwt.MapClaims{"aud": []string{"parley", "account"}, "azp": "chat-web", "typ": "Bearer",
					"sub": "f2a1c7de-0b5e-4e7d-9d55-2f3d9c7d1a10", "realm_access": map[string]any{"roles": []string{"user"}}}
			},
		},
	}
}

// TestVerify_AcceptsProvidersTokens verifies a token of each, with the keys that its discovery
// document names, and uses its subject as a user id.
func TestVerify_AcceptsProvidersTokens(t *testing.T) {
	t.Parallel()
	for _, p := range products() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			verify, issuer := p.start(t)
			claims, err := verify(p.claims(issuer))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := chat.ParseUserID(claims.Subject); err != nil {
				t.Errorf("the subject %q: %v", claims.Subject, err)
			}
			_, err = verify(withClaim(p.claims(issuer), "aud", "another-api"))
			if err == nil {
				t.Error("a token for another API is accepted")
			}
		})
	}
}

// TestVerify_RefusesProvidersOtherTokens covers the cases that the guide lists as not working.
func TestVerify_RefusesProvidersOtherTokens(t *testing.T) {
	t.Parallel()
	all := products()
	auth0, entra, keycloak := all[0], all[1], all[3]
	for _, tt := range []struct {
		name    string
		product product
		change  func(issuer string) (claim string, value any)
	}{
		{"Auth0 without the slash at the end of iss", auth0, func(issuer string) (string, any) { return "iss", strings.TrimSuffix(issuer, "/") }},
		{"Auth0 for its own management API", auth0, func(issuer string) (string, any) { return "aud", issuer + "api/v2/" }},
		{"an ID token of Auth0, whose audience is the client", auth0, func(string) (string, any) { return "aud", "QmFzZTY0Q2xpZW50SWRlbnRpZmllcg" }},
		{"a version 1 token where version 2 is configured", entra, func(string) (string, any) { return "iss", "https://sts.windows.net/" + tenant + "/" }},
		{"a token for Microsoft Graph", entra, func(string) (string, any) { return "aud", "00000003-0000-0000-c000-000000000000" }},
		{"another tenant's", entra, func(string) (string, any) { return "iss", "https://login.microsoftonline.com/other/v2.0" }},
		{"Keycloak without an audience mapper", keycloak, func(string) (string, any) { return "aud", "account" }},
		{"Keycloak without any audience, the client only in azp", keycloak, func(string) (string, any) { return "aud", nil }},
		{"a lightweight token of Keycloak, without a subject", keycloak, func(string) (string, any) { return "sub", nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			verify, issuer := tt.product.start(t)
			name, value := tt.change(issuer)
			if claims, err := verify(withClaim(tt.product.claims(issuer), name, value)); err == nil {
				t.Errorf("accepted as %v", claims)
			}
		})
	}
}

// TestSubject_IsAUserOrNot covers what the guide states about subjects.
func TestSubject_IsAUserOrNot(t *testing.T) {
	t.Parallel()
	for subject, ok := range map[string]bool{
		"google-oauth2|103547991597142817347":                                        true,
		"apple|001234.0123456789abcdef0123456789abcdef.0123":                         true,
		"QmFzZTY0Q2xpZW50SWRlbnRpZmllcg@clients":                                     true,
		"samlp|acme|ada@example.com":                                                 true,
		"samlp|acme|Ada Lovelace":                                                    false,
		"ad|acme|example.com/Users/ada":                                              false,
		"f:0b5e4e7d-9d55-4f3d-9c7d-1a10f2a1c7de:ada":                                 true,
		"f:0b5e4e7d-9d55-4f3d-9c7d-1a10f2a1c7de:a-name-of-26-characters-xx":          false,
		"samlp|a-connection-of-some-length|a.person.with.a.long.address@example.com": false,
	} {
		if _, err := chat.ParseUserID(subject); (err == nil) != ok {
			t.Errorf("%q (%d bytes): %v, want ok %v", subject, len(subject), err, ok)
		}
	}
}

func withClaim(claims jwt.MapClaims, name string, value any) jwt.MapClaims {
	claims[name] = value
	return claims
}

// start serves the product's documents, and returns a verifier of its tokens, and its issuer. The
// key set also contains a key for encryption and one on a curve, as in real products.
func (p product) start(t *testing.T) (verify func(jwt.MapClaims) (auth.Claims, error), issuer string) {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	issuer = server.URL + p.path
	mux.HandleFunc("GET "+strings.TrimSuffix(p.path, "/")+"/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"issuer": issuer, "jwks_uri": server.URL + "/keys"})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": []any{
			published(1, "for-encryption", map[string]any{"use": "enc", "alg": "RSA-OAEP"}),
			map[string]any{"kty": "EC", "crv": "P-256", "kid": "curve", "use": "sig", "alg": "ES256", "x": "AA", "y": "AA"},
			published(0, keyID, p.key),
		}})
	})
	remote, err := auth.NewRemote(auth.RemoteConfig{Issuer: issuer, Client: &http.Client{}, Clock: now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	v, err := auth.New(auth.Config{Issuer: issuer, Audiences: []string{p.audience}, Keys: remote, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	return func(claims jwt.MapClaims) (auth.Claims, error) {
		tk := valid()
		tk.claims = jwt.MapClaims{"iss": issuer, "iat": now().Unix(), "nbf": now().Unix(), "exp": now().Unix() + 3600}
		for name, value := range claims {
			tk.claims[name] = value
		}
		return v.Verify(t.Context(), tk.sign(t))
	}, issuer
}
