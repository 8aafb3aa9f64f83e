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

	"example.com/parley/internal/publickey"
)

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
