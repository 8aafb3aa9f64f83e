package issuer

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/config"
	"example.com/parley/internal/publickey"
)

// clockSlack is how far the clock of the machine that signs may be ahead. A token that was issued
// in the future is refused.
const clockSlack = time.Minute

// AppToken describes a token that an app signs with its own key.
type AppToken struct {
	Issuer, Audience, KeyID, User string
	// Life is the time from the token's issue to its expiry, at most config.OwnTokenLife.
	Life time.Duration
	More []Claim
}

// Sign signs the token. It is issued a little before now, in case this machine's clock is ahead.
func (a AppToken) Sign(key *rsa.PrivateKey, now time.Time) (string, error) {
	switch {
	case a.Issuer == "" || a.Audience == "" || a.KeyID == "" || a.User == "":
		return "", errors.New("create a token: the issuer, the audience, the key's id or the user is missing")
	case a.Life <= clockSlack || a.Life > config.OwnTokenLife:
		return "",
			fmt.Errorf("create a token: a life of %s is not between %s and %s", a.Life, clockSlack, config.OwnTokenLife)
	}
	issued := now.Add(-clockSlack)
	claims := jwt.MapClaims{
		"iss": a.Issuer, "aud": a.Audience, "sub": a.User, "iat": issued.Unix(), "exp": issued.Add(a.Life).Unix(),
	}
	for _, c := range a.More {
		claims[c.Name] = c.Value
	}
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	token.Header["kid"] = a.KeyID
	text, err := token.SignedString(key)
	if err != nil {
		return "", fmt.Errorf("create a token: %w", err)
	}
	return text, nil
}

// The files of a pair.
const (
	PrivateFile = "private.pem"
	PublicFile  = "public.pem"
)

// NewPair writes a pair of keys into a folder, which it creates if necessary. Only the owner of the
// files may read the private key. NewPair replaces no file.
func NewPair(dir string) (publickey.Key, error) {
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return publickey.Key{}, fmt.Errorf("create a key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return publickey.Key{}, fmt.Errorf("create a key: %w", err)
	}
	public, err := publickey.PEM(&key.PublicKey)
	if err != nil {
		return publickey.Key{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return publickey.Key{}, err
	}
	private := filepath.Join(dir, PrivateFile)
	if err := writeNew(private, pem.EncodeToMemory(&pem.Block{Type: pemBlock, Bytes: der}), 0o600); err != nil {
		return publickey.Key{}, err
	}
	if err := writeNew(filepath.Join(dir, PublicFile), []byte(public), 0o644); err != nil {
		return publickey.Key{}, errors.Join(err, os.Remove(private))
	}
	return publickey.Parse("", public)
}

// writeNew writes a file that does not exist yet.
func writeNew(path string, text []byte, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("write a key: %w", err)
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// ReadPrivate reads the private key in a file. The error quotes nothing from it.
func ReadPrivate(path string) (*rsa.PrivateKey, error) {
	_, key, err := readPrivate(path)
	if err != nil {
		return nil, fmt.Errorf("read the private key: %w", err)
	}
	return key, nil
}
