package socket

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// connectionsPath is the path of the calls to connections.
const connectionsPath = "/@connections/"

// Management is the http.Handler of the calls with which functions send to connections, inspect
// them and close them. It requires signed requests, as the service does.
type Management struct {
	gateway *Gateway
	signer  Signer
}

// NewManagement returns the calls to the connections of a gateway. Callers sign as the signer does.
func NewManagement(g *Gateway, s Signer) *Management { return &Management{g, s} }

// ServeHTTP answers a call.
func (m *Management) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") == "" {
		decline(w, http.StatusForbidden, "MissingAuthenticationTokenException", "Missing Authentication Token")
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxMessage+1))
	switch {
	case err != nil:
		decline(w, http.StatusBadRequest, "BadRequestException", "Bad Request")
		return
	case len(body) > maxMessage:
		decline(w, http.StatusRequestEntityTooLarge, "PayloadTooLargeException", "Message too long")
		return
	}
	if !m.signer.signed(r, body) {
		decline(w, http.StatusForbidden, "InvalidSignatureException",
			"The request signature we calculated does not match the signature you provided.")
		return
	}
	id, ok := strings.CutPrefix(r.URL.Path, connectionsPath)
	if !ok {
		decline(w, http.StatusForbidden, "ForbiddenException", "Forbidden")
		return
	}
	c := m.gateway.find(id)
	if c == nil {
		decline(w, http.StatusGone, "GoneException", "Gone")
		return
	}
	m.call(w, r, c, body)
}

func (m *Management) call(w http.ResponseWriter, r *http.Request, c *conn, body []byte) {
	switch r.Method {
	case http.MethodPost:
		switch err := c.post(body); {
		case errors.Is(err, ErrFull):
			decline(w, http.StatusTooManyRequests, "LimitExceededException", "Rate exceeded")
		case err != nil:
			decline(w, http.StatusGone, "GoneException", "Gone")
		}
	case http.MethodGet:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{ // the caller may have disconnected
			"connectedAt": isoTime(c.since), "lastActiveAt": isoTime(c.lastActive()),
			"identity": map[string]string{"sourceIp": c.sourceIP, "userAgent": c.userAgent},
		})
	case http.MethodDelete:
		c.delete()
		w.WriteHeader(http.StatusNoContent)
	default:
		decline(w, http.StatusForbidden, "ForbiddenException", "Forbidden")
	}
}

// decline answers with an error of the service.
func decline(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Amzn-Errortype", kind)
	w.WriteHeader(status)
	_, _ = w.Write(gatewayMessage(message, "", "")) // the caller may have disconnected
}

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
