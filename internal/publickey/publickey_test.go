package publickey_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"

	"example.com/parley/internal/publickey"
)

func generate(t *testing.T, bits int) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func text(t *testing.T, key *rsa.PublicKey) string {
	t.Helper()
	text, err := publickey.PEM(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestParse_AcceptsOrRefusesKeys(t *testing.T) {
	t.Parallel()
	key := generate(t, 2048)
	good := text(t, &key.PublicKey)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der := func(text []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	block := func(kind string, text []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: text}))
	}
	private := block("PRIVATE KEY", der(x509.MarshalPKCS8PrivateKey(key)))
	for _, c := range []struct{ name, id, text, want string }{
		{"a public key", "2026-01", good, ""},
		{"a public key without an id", "", good, ""},
		{"space around it", "", "\n" + good + "\n\n", ""},
		{"no PEM", "", "ssh-rsa AAAA", "no key in PEM"},
		{"nothing", "", "", "no key in PEM"},
		{"a private key", "", private, "a private key"},
		{"a private key in the old form", "", block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)), "a private key"},
		{"a certificate", "", block("CERTIFICATE", []byte("x")), "one PUBLIC KEY"},
		{"two keys", "", good + good, "one PUBLIC KEY"},
		{"a private key after it", "", good + private, "one PUBLIC KEY"},
		{"a damaged key", "", block("PUBLIC KEY", []byte("x")), "cannot be read"},
		{"a key of another kind", "", block("PUBLIC KEY", der(x509.MarshalPKIXPublicKey(&curve.PublicKey))), "not an RSA key"},
		{"a key of 1,024 bits", "", text(t, &generate(t, 1024).PublicKey), "has 1024 bits, not 2048 to 8192"},
		{"an id with a space", "a b", good, `not "a b"`},
		{"a long id", strings.Repeat("a", 65), good, "1 to 64"},
	} {
		got, err := publickey.Parse(c.id, c.text)
		if c.want == "" && (err != nil || !got.Public.Equal(&key.PublicKey) || c.id != "" && got.ID != c.id || got.ID == "") {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "AAAA") || strings.Contains(err.Error(), "MII")) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
}

// TestThumbprint_IsTheStandards has the example of RFC 7638, section 3.1.
func TestThumbprint_IsTheStandards(t *testing.T) {
	t.Parallel()
	const set = `{"n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"}`
	var jwk struct{ N string }
	if err := json.Unmarshal([]byte(set), &jwk); err != nil {
		t.Fatal(err)
	}
	if got := publickey.Thumbprint(public(t, jwk.N)); got != "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs" {
		t.Errorf("the thumbprint is %s", got)
	}
}

func public(t *testing.T, modulus string) *rsa.PublicKey {
	t.Helper()
	n, err := base64.RawURLEncoding.DecodeString(modulus)
	if err != nil {
		t.Fatal(err)
	}
	return &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: 65537}
}
