package socket

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

const (
	// service is the name with which calls to connections are signed.
	service = "execute-api"
	// maxSkew is how far the time of a signature may be from the server's.
	maxSkew = 5 * time.Minute
	// signingTime is the layout of X-Amz-Date.
	signingTime = "20060102T150405Z"
)

// Signer is the caller that may call connections.
type Signer struct {
	Credentials aws.Credentials
	Region      string
	Clock       func() time.Time // signatures are valid around its time
}

// signed reports whether a request has the signer's Signature Version 4. It signs the same request
// and compares.
func (s Signer) signed(r *http.Request, body []byte) bool {
	names, signature, ok := parseAuthorization(r.Header.Get("Authorization"))
	at, err := time.Parse(signingTime, r.Header.Get("X-Amz-Date"))
	if !ok || err != nil || s.Clock().Sub(at).Abs() > maxSkew || !slices.Contains(names, "host") {
		return false
	}
	again := &http.Request{Method: r.Method, Host: r.Host, Header: http.Header{}, URL: &url.URL{
		Scheme: "http", Host: r.Host, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery,
	}}
	for _, name := range names {
		switch name {
		case "host":
		case "content-length":
			again.ContentLength = r.ContentLength
		default:
			again.Header[http.CanonicalHeaderKey(name)] = r.Header.Values(name)
		}
	}
	hash := sha256.Sum256(body)
	err = v4.NewSigner().SignHTTP(
		context.Background(), s.Credentials, again, hex.EncodeToString(hash[:]), service, s.Region, at,
	)
	_, want, _ := parseAuthorization(again.Header.Get("Authorization"))
	return err == nil && signature == want
}

// parseAuthorization returns the signed headers and the signature of an Authorization header.
func parseAuthorization(text string) (names []string, signature string, ok bool) {
	fields, ok := strings.CutPrefix(text, "AWS4-HMAC-SHA256 ")
	for field := range strings.SplitSeq(fields, ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(field), "="); name {
		case "SignedHeaders":
			names = strings.Split(value, ";")
		case "Signature":
			signature = value
		}
	}
	return names, signature, ok && len(names) > 0 && signature != ""
}
