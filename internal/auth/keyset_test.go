package auth

import (
	"testing"

	"example.com/parley/internal/publickey"
)

func FuzzParseKeySet(f *testing.F) {
	f.Add([]byte(`{"keys":[]}`))
	f.Add([]byte(`{"keys":[{"kty":"RSA","kid":"k","n":"AQAB","e":"AQAB"},7,null]}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, text []byte) {
		keys, err := parseKeySet(text)
		if err == nil && len(keys) == 0 {
			t.Error("no keys and no error")
		}
		for id, key := range keys {
			if id == "" || key.N.BitLen() < publickey.MinBits || key.N.BitLen() > publickey.MaxBits || key.E < 3 {
				t.Errorf("key %q: %d bits, exponent %d", id, key.N.BitLen(), key.E)
			}
		}
	})
}
