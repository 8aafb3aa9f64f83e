package auth

import (
	"context"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/parley/internal/publickey"
)

const (
	// maxDocument limits the size of a document. Issuers' documents have a few kilobytes.
	maxDocument = 256 << 10
	// maxShown limits how much of a document an error quotes: a hostile document could fill the
	// log.
	maxShown = 200
	// maxKeys limits the number of keys. Issuers have two to five.
	maxKeys = 100
	// maxExponent is the limit of crypto/rsa. The usual exponent is 65537.
	maxExponent = 1<<31 - 1
)

// CheckIssuer fetches an issuer's documents as a Remote does. The error explains why there are no
// keys.
func CheckIssuer(ctx context.Context, cfg RemoteConfig) error {
	r, err := NewRemote(cfg)
	if err != nil {
		return err
	}
	_, err = r.fetchKeys(ctx)
	return err
}

// fetchKeys fetches the discovery document, and then the keys at the address that it names.
func (r *Remote) fetchKeys(ctx context.Context) (map[string]*rsa.PublicKey, error) {
	var about struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	text, err := r.get(ctx, strings.TrimSuffix(r.cfg.Issuer, "/")+publickey.DiscoveryPath)
	if err != nil {
		return nil, fmt.Errorf("find the issuer's keys: %w", err)
	}
	if err := json.Unmarshal(text, &about); err != nil {
		return nil, fmt.Errorf("find the issuer's keys: %w", err)
	}
	if about.Issuer != r.cfg.Issuer {
		return nil,
			fmt.Errorf("find the issuer's keys: its discovery document names the issuer %.*q", maxShown, about.Issuer)
	}
	if err := checkAddress(about.Keys); err != nil {
		return nil, fmt.Errorf("find the issuer's keys: %w", err)
	}
	if text, err = r.get(ctx, about.Keys); err != nil {
		return nil, fmt.Errorf("fetch the issuer's keys: %w", err)
	}
	keys, err := parseKeySet(text)
	if err != nil {
		return nil, fmt.Errorf("fetch the issuer's keys: %w", err)
	}
	return keys, nil
}

func (r *Remote) get(ctx context.Context, address string) (text []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	resp, err := r.cfg.Client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s", address, resp.Status)
	}
	text, err = io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxDocument {
		return nil, fmt.Errorf("%s answered more than %d bytes", address, maxDocument)
	}
	return text, nil
}

// checkAddress returns an error unless connections to an address protect the keys.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return fmt.Errorf("%.*q is not an address", maxShown, address)
	}
	if u.Scheme == "https" || u.Scheme == "http" && net.ParseIP(u.Hostname()).IsLoopback() {
		return nil
	}
	return fmt.Errorf("%.*q is not an https address", maxShown, address)
}

// jwk is a JSON Web Key (RFC 7517, and RFC 7518, section 6.3.1).
type jwk struct {
	Type       string   `json:"kty"`
	Use        string   `json:"use"`
	Operations []string `json:"key_ops"`
	Algorithm  string   `json:"alg"`
	ID         string   `json:"kid"`
	N          string   `json:"n"`
	E          string   `json:"e"`
}

// parseKeySet returns the keys of a set that may sign tokens. It ignores keys of other kinds and
// for other uses. If several keys have the same id, the first one counts.
func parseKeySet(text []byte) (map[string]*rsa.PublicKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(text, &set); err != nil {
		return nil, err
	}
	keys := map[string]*rsa.PublicKey{}
	for _, entry := range set.Keys {
		var k jwk
		if json.Unmarshal(entry, &k) != nil || !k.maySign() || keys[k.ID] != nil || len(keys) == maxKeys {
			continue
		}
		if key := k.public(); key != nil {
			keys[k.ID] = key
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("the set has no RSA signing key")
	}
	return keys, nil
}

// maySign reports whether the key may sign tokens with the accepted algorithm.
func (k jwk) maySign() bool {
	return k.Type == "RSA" && k.ID != "" && len(k.ID) <= maxKeyID &&
		(k.Use == "" || k.Use == "sig") &&
		(k.Algorithm == "" || k.Algorithm == algorithm) &&
		(k.Operations == nil || slices.Contains(k.Operations, "verify"))
}

// public returns the key, or nil if its numbers do not make a secure key.
func (k jwk) public() *rsa.PublicKey {
	n, errN := base64.RawURLEncoding.DecodeString(k.N)
	e, errE := base64.RawURLEncoding.DecodeString(k.E)
	if errN != nil || errE != nil {
		return nil
	}
	modulus, exponent := new(big.Int).SetBytes(n), new(big.Int).SetBytes(e)
	size := modulus.BitLen()
	if size < publickey.MinBits || size > publickey.MaxBits || modulus.Bit(0) == 0 {
		return nil
	}
	if !exponent.IsInt64() || exponent.Int64() < 3 || exponent.Int64() > maxExponent || exponent.Bit(0) == 0 {
		return nil
	}
	return &rsa.PublicKey{N: modulus, E: int(exponent.Int64())}
}
