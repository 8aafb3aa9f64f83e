package outgoing

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of Standard Webhooks 1.0.
const (
	HeaderID        = "Webhook-Id"
	HeaderTimestamp = "Webhook-Timestamp"
	HeaderSignature = "Webhook-Signature"
)

const (
	// secretPrefix lets people and scanners for leaked secrets recognize a secret.
	secretPrefix = "whsec_"
	// secretBytes is the length of a new secret. A key longer than its hash gains nothing.
	secretBytes = sha256.Size
	// minSecret and maxSecret are the bounds of Standard Webhooks.
	minSecret = 24
	maxSecret = 64
)

// NewSecret returns a secret of random bytes.
func NewSecret(random io.Reader) ([]byte, error) {
	secret := make([]byte, secretBytes)
	if _, err := io.ReadFull(random, secret); err != nil {
		return nil, fmt.Errorf("create a secret: %w", err)
	}
	return secret, nil
}

// FormatSecret returns a secret in the text form that receivers enter.
func FormatSecret(secret []byte) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// ParseSecret reads the text form of a secret. The error does not quote it.
func ParseSecret(text string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(text, secretPrefix)
	secret, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(secret) < minSecret || len(secret) > maxSecret {
		return nil, errors.New("must be whsec_ and 24 to 64 bytes in Base64")
	}
	return secret, nil
}

// Sign returns the signatures of a body, one for each secret; there are two secrets during a
// rotation. Receivers refuse old times, so each try is signed with a new one.
func Sign(id string, at time.Time, body []byte, secrets ...[]byte) string {
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		// Writing to a hash cannot fail.
		fmt.Fprintf(mac, "%s.%d.%s", id, at.Unix(), body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(signatures, " ")
}

// SignedHeader returns the headers of Standard Webhooks for a body in JSON. All tries of a request
// have the same id, which must not contain a dot.
func SignedHeader(id string, at time.Time, body []byte, secrets ...[]byte) http.Header {
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set(HeaderID, id)
	header.Set(HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
	header.Set(HeaderSignature, Sign(id, at, body, secrets...))
	return header
}
