package bucket

import (
	"context"
	"crypto/subtle"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

const (
	// signingTime is the layout of X-Amz-Date.
	signingTime = "20060102T150405Z"
	// maxSkew is how far the time of a call's signature may be from the server's.
	maxSkew = 15 * time.Minute
	service = "s3"
)

// signed reports whether a request has a valid signature, in its address or in a header. It signs
// the same request and compares.
func (h *Handler) signed(r *http.Request) bool {
	again := &http.Request{Method: r.Method, Header: http.Header{}, URL: &url.URL{
		Scheme: "http", Host: strings.TrimPrefix(Base, "http://"), Path: r.URL.Path, RawPath: r.URL.RawPath,
	}}
	again.Host = again.URL.Host
	signer := v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping, o.DisableHeaderHoisting = true, true })
	query := r.URL.Query()
	if query.Get("X-Amz-Signature") != "" {
		return h.signedLink(signer, r, again, query)
	}
	fields := map[string]string{}
	text, _ := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	for field := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		fields[name] = value
	}
	at, err := time.Parse(signingTime, r.Header.Get("X-Amz-Date"))
	if err != nil || h.cfg.Clock().Sub(at).Abs() > maxSkew || !copySigned(again, r, fields["SignedHeaders"]) {
		return false
	}
	again.URL.RawQuery = r.URL.RawQuery
	err = signer.SignHTTP(
		context.Background(), h.cfg.Credentials, again, r.Header.Get("X-Amz-Content-Sha256"), service, h.cfg.Region, at,
	)
	return err == nil && equal(again.Header.Get("Authorization"), r.Header.Get("Authorization"))
}

// signedLink reports whether the address of a request is signed and has not expired.
func (h *Handler) signedLink(signer *v4.Signer, r, again *http.Request, query url.Values) bool {
	at, err := time.Parse(signingTime, query.Get("X-Amz-Date"))
	life, lifeErr := strconv.Atoi(query.Get("X-Amz-Expires"))
	now := h.cfg.Clock()
	if err != nil || lifeErr != nil || now.Before(at.Add(-maxSkew)) ||
		!now.Before(at.Add(time.Duration(life)*time.Second)) ||
		!copySigned(again, r, query.Get("X-Amz-SignedHeaders")) {
		return false
	}
	want := query.Get("X-Amz-Signature")
	for _, name := range []string{
		"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-SignedHeaders", "X-Amz-Signature",
	} {
		query.Del(name)
	}
	again.URL.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20")
	address, _, err := signer.PresignHTTP(
		context.Background(), h.cfg.Credentials, again, "UNSIGNED-PAYLOAD", service, h.cfg.Region, at,
	)
	if err != nil {
		return false
	}
	signed, err := url.Parse(address)
	return err == nil && equal(signed.Query().Get("X-Amz-Signature"), want)
}

// equal compares signatures in constant time.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// copySigned copies the headers that a signature covers. It reports false if the host is not among
// them.
func copySigned(to, from *http.Request, names string) bool {
	all := strings.Split(names, ";")
	for _, name := range all {
		switch name {
		case "host":
		case "content-length":
			to.ContentLength = from.ContentLength
		default:
			to.Header[http.CanonicalHeaderKey(name)] = from.Header.Values(name)
		}
	}
	return slices.Contains(all, "host")
}
