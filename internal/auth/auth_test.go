package auth_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/auth"
)

const (
	issuer   = "https://issuer.example/pool"
	audience = "client-1"
	keyID    = "k1"
)

// keyring is an issuer's keys, as they are.
type keyring map[string]*rsa.PublicKey

func (k keyring) Key(_ context.Context, id string) (*rsa.PublicKey, error) {
	if id == "broken" {
		return nil, errors.New("the network is down")
	}
	key, ok := k[id]
	if !ok {
		return nil, fmt.Errorf("%w: %q", auth.ErrNoKey, id)
	}
	return key, nil
}

// testKeys are created once, because a key takes a tenth of a second.
var testKeys = sync.OnceValue(func() [2]*rsa.PrivateKey {
	var keys [2]*rsa.PrivateKey
	for i := range keys {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err)
		}
		keys[i] = key
	}
	return keys
})

func now() time.Time { return time.Unix(1_700_000_000, 0) }

func verifier(t testing.TB) *auth.Verifier {
	t.Helper()
	v, err := auth.New(auth.Config{
		Issuer: issuer, Audiences: []string{"other", audience}, Clock: now,
		Keys: keyring{keyID: &testKeys()[0].PublicKey, "other": &testKeys()[1].PublicKey},
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// token describes a token to sign. A claim of nil is left out.
type token struct {
	method jwt.SigningMethod
	key    any
	header map[string]any
	claims jwt.MapClaims
}

func (tk token) sign(t testing.TB) string {
	t.Helper()
	for name, value := range tk.claims {
		if value == nil {
			delete(tk.claims, name)
		}
	}
	j := jwt.NewWithClaims(tk.method, tk.claims)
	maps.Copy(j.Header, tk.header)
	text, err := j.SignedString(tk.key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func valid() token {
	return token{
		method: jwt.SigningMethodRS256, key: testKeys()[0], header: map[string]any{"kid": keyID},
		claims: jwt.MapClaims{
			"iss": issuer, "sub": "ada", "client_id": audience, "token_use": "access", "jti": "j1",
			"iat": now().Unix(), "exp": now().Add(time.Hour).Unix(),
		},
	}
}

func claim(name string, value any) func(*token) {
	return func(tk *token) { tk.claims[name] = value }
}

func TestVerify_AcceptsOrRefusesTokens(t *testing.T) {
	t.Parallel()
	public := func() []byte {
		der, err := x509.MarshalPKIXPublicKey(&testKeys()[0].PublicKey)
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	}
	for _, c := range []struct {
		name   string
		change func(*token)
		ok     bool
	}{
		{"the client's id stands for the audience", func(*token) {}, true},
		{"an audience of ours", claim("aud", audience), true},
		{"one audience of several", claim("aud", []string{"x", audience}), true},
		{"a valid not-before", claim("nbf", now().Unix()), true},
		{"the wrong audience, though the client's id fits", claim("aud", "x"), false},
		{"an empty list of audiences", claim("aud", []string{}), false},
		{"an audience that is no text", claim("aud", 7), false},
		{"the wrong client", claim("client_id", "x"), false},
		{"no audience and no client", claim("client_id", nil), false},
		{"the wrong issuer", claim("iss", issuer+"/"), false},
		{"no issuer", claim("iss", nil), false},
		{"expired", claim("exp", now().Add(-time.Second).Unix()), false},
		{"expiring this instant", claim("exp", now().Unix()), false},
		{"without expiry", claim("exp", nil), false},
		{"an expiry that is no number", claim("exp", "soon"), false},
		{"not yet valid", claim("nbf", now().Add(time.Second).Unix()), false},
		{"issued in the future", claim("iat", now().Add(time.Second).Unix()), false},
		{"a time of issue that is no number", claim("iat", "now"), false},
		{"no time of issue", claim("iat", nil), true},
		{"no subject", claim("sub", nil), false},
		{"an empty subject", claim("sub", ""), false},
		{"a subject that is no text", claim("sub", 7), false},
		{"no key id", func(tk *token) { delete(tk.header, "kid") }, false},
		{"a key id that is no text", func(tk *token) { tk.header["kid"] = 1 }, false},
		{"an unknown key id", func(tk *token) { tk.header["kid"] = "k2" }, false},
		{"another key's id", func(tk *token) { tk.header["kid"] = "other" }, false},
		{"a critical extension", func(tk *token) { tk.header["crit"] = []string{"x"} }, false},
		{"no signature", func(tk *token) {
			tk.method, tk.key = jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType
		}, false},
		{"the public key's bytes as a shared secret", func(tk *token) {
			tk.method, tk.key = jwt.SigningMethodHS256, public()
		}, false},
		{"another RSA algorithm", func(tk *token) { tk.method = jwt.SigningMethodRS512 }, false},
		{"the PSS algorithm", func(tk *token) { tk.method = jwt.SigningMethodPS256 }, false},
		{"too long", claim("x", strings.Repeat("x", 9<<10)), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tk := valid()
			c.change(&tk)
			claims, err := verifier(t).Verify(t.Context(), tk.sign(t))
			if c.ok && (err != nil || claims.Subject != "ada") {
				t.Errorf("Verify = %+v, %v, want ada", claims, err)
			}
			if !c.ok && !errors.Is(err, auth.ErrRefused) {
				t.Errorf("Verify = %+v, %v, want ErrRefused", claims, err)
			}
		})
	}
}

// TestVerify_ErrorNamesTheCheck compares the texts for the log, which contain nothing from the
// token.
func TestVerify_ErrorNamesTheCheck(t *testing.T) {
	t.Parallel()
	for check, change := range map[string]func(*token){
		"its audience, or the client's id, is another":      claim("client_id", "secret"),
		"its issuer is another":                             claim("iss", "secret"),
		"its issuer or its expiry is missing":               claim("exp", nil),
		"it has expired":                                    claim("exp", now().Unix()),
		"it is not valid yet":                               claim("nbf", now().Add(time.Second).Unix()),
		"it was issued in the future":                       claim("iat", now().Add(time.Second).Unix()),
		"a claim has the wrong type":                        claim("exp", "secret"),
		"it has no subject":                                 claim("sub", nil),
		"its header has no key id, or a critical extension": func(tk *token) { delete(tk.header, "kid") },
		"the issuer has no key with its key id":             func(tk *token) { tk.header["kid"] = "secret" },
		"its signature or its algorithm is wrong":           func(tk *token) { tk.header["kid"] = "other" },
		"it is too long, or has a line break":               claim("x", strings.Repeat("secret", 9<<10)),
		"it is not a JWT":                                   nil,
		"there is none, or it is no bearer token":           nil,
	} {
		text := map[string]string{"it is not a JWT": "secret"}[check]
		if change != nil {
			tk := valid()
			change(&tk)
			text = tk.sign(t)
		}
		if _, err := verifier(t).Verify(t.Context(), text); err == nil || err.Error() != auth.ErrRefused.Error()+": "+check {
			t.Errorf("%v, want the check %q", err, check)
		}
	}
}

func TestVerify_RefusesTextThatIsNoToken(t *testing.T) {
	t.Parallel()
	good := valid().sign(t)
	parts := strings.Split(good, ".")
	forged := base64.RawURLEncoding.EncodeToString([]byte(
		strings.Replace(payload(t, parts[1]), `"ada"`, `"eve"`, 1)))
	for name, text := range map[string]string{
		"empty": "", "dots": "..", "garbage": "a.b.c", "two parts": parts[0] + "." + parts[1],
		"four parts":         good + ".x",
		"a changed payload":  parts[0] + "." + forged + "." + parts[2],
		"a cut signature":    good[:len(good)-8],
		"no signature":       parts[0] + "." + parts[1] + ".",
		"a leading space":    " " + good,
		"a trailing newline": good + "\n",
	} {
		if _, err := verifier(t).Verify(t.Context(), text); !errors.Is(err, auth.ErrRefused) {
			t.Errorf("%s: %v, want ErrRefused", name, err)
		}
	}
}

func payload(t *testing.T, part string) string {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestVerify_MissingKeysAreNoRefusal(t *testing.T) {
	t.Parallel()
	tk := valid()
	tk.header["kid"] = "broken"
	if _, err := verifier(t).Verify(t.Context(), tk.sign(t)); err == nil || errors.Is(err, auth.ErrRefused) {
		t.Errorf("Verify = %v, want the keys' own error", err)
	}
}

func TestClaims_AreWrittenAsByTheService(t *testing.T) {
	t.Parallel()
	tk := valid()
	maps.Copy(tk.claims, jwt.MapClaims{
		"scope": "chat admin", "groups": []string{"a", "b"}, "ok": true, "o": map[string]any{"k": 1},
	})
	got, err := verifier(t).Verify(t.Context(), tk.sign(t))
	if err != nil {
		t.Fatal(err)
	}
	want := auth.Claims{Subject: "ada", Scopes: []string{"chat", "admin"}, Values: map[string]string{
		"iss": issuer, "sub": "ada", "client_id": audience, "token_use": "access", "jti": "j1",
		"iat": "1700000000", "exp": "1700003600", "scope": "chat admin", "groups": "[a b]", "ok": "true", "o": `{"k":1}`,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNew_RefusesConfigurationsThatAcceptAnyone(t *testing.T) {
	t.Parallel()
	good := auth.Config{Issuer: issuer, Audiences: []string{audience}, Keys: keyring{}, Clock: now}
	for name, spoil := range map[string]func(*auth.Config){
		"no issuer":       func(c *auth.Config) { c.Issuer = "" },
		"no audience":     func(c *auth.Config) { c.Audiences = nil },
		"empty audience":  func(c *auth.Config) { c.Audiences = []string{""} },
		"no keys":         func(c *auth.Config) { c.Keys = nil },
		"no clock":        func(c *auth.Config) { c.Clock = nil },
		"empty among two": func(c *auth.Config) { c.Audiences = []string{audience, ""} },
	} {
		cfg := good
		spoil(&cfg)
		if _, err := auth.New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzVerify(f *testing.F) {
	good := valid().sign(f)
	f.Add(good)
	f.Add("eyJhbGciOiJub25lIiwia2lkIjoiazEifQ.e30.")
	f.Add("eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIn0.eyJleHAiOjFlMzAwfQ.AA")
	v := verifier(f)
	f.Fuzz(func(t *testing.T, text string) {
		claims, err := v.Verify(t.Context(), text)
		if err == nil && text != good {
			t.Errorf("accepted %q for %+v", text, claims)
		}
	})
}
