//go:build deploy

package deploytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certificateLife is longer than any run.
const certificateLife = 24 * time.Hour

// certificateNames are the hosts that clients connect to.
var certificateNames = []string{
	"localhost", "us-east-1.amazonaws.com", "*.us-east-1.amazonaws.com",
	"*.execute-api.us-east-1.amazonaws.com", "*.s3.us-east-1.amazonaws.com", "*.cloudfront.net",
}

// trust are the files with which the emulator proves its identity.
type trust struct {
	chain, key string // of the emulator
	bundle     string // the authority, after those that this machine trusts
	pool       *x509.CertPool
}

// newTrust creates an authority, and a certificate of the emulator, in a folder. It never writes
// the authority's key.
func newTrust(folder string) (trust, error) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return trust{}, err
	}
	ca := certificate("Parley deploytest")
	ca.IsCA, ca.BasicConstraintsValid, ca.KeyUsage = true, true, x509.KeyUsageCertSign
	caText, err := sign(ca, ca, caKey, caKey)
	if err != nil {
		return trust{}, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return trust{}, err
	}
	leaf := certificate("MiniStack")
	leaf.DNSNames, leaf.IPAddresses = certificateNames, []net.IP{net.IPv4(127, 0, 0, 1)}
	leaf.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	leafText, err := sign(leaf, ca, key, caKey)
	if err != nil {
		return trust{}, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return trust{}, err
	}
	t := trust{pool: x509.NewCertPool(), chain: filepath.Join(folder, "chain.pem"), key: filepath.Join(folder, "key.pem"), bundle: filepath.Join(folder, "bundle.pem")}
	t.pool.AppendCertsFromPEM(caText)
	keyText := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
	return t, errors.Join(
		os.WriteFile(t.chain, append(leafText, caText...), 0o600),
		os.WriteFile(t.key, keyText, 0o600),
		os.WriteFile(t.bundle, append(systemBundle(), caText...), 0o600),
	)
}

func certificate(name string) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(certificateLife),
	}
}

func sign(c, by *x509.Certificate, key, byKey *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.CreateCertificate(rand.Reader, c, by, &key.PublicKey, byKey)
	if err != nil {
		return nil, fmt.Errorf("sign %s: %w", c.Subject.CommonName, err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}

// systemBundle returns the authorities that this machine trusts, or nothing if it has no such file.
// The package managers that a documented command calls need them.
func systemBundle() []byte {
	for _, file := range []string{os.Getenv("NODE_EXTRA_CA_CERTS"), os.Getenv("SSL_CERT_FILE"), "/etc/ssl/certs/ca-certificates.crt"} {
		if text, err := os.ReadFile(file); err == nil {
			return append(text, '\n')
		}
	}
	return nil
}
