package config

import (
	"net/url"
	"strings"
	"time"
)

// PreflightAge is how long a browser may cache the response to a preflight. It is long enough to
// avoid most preflights, and short enough that a change of origins soon takes effect.
const PreflightAge = time.Hour

// AllowedHeaders returns the request headers that pages of other origins may send.
func AllowedHeaders() []string {
	return []string{"authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "parley-version"}
}

// ExposedHeaders returns the response headers that pages of other origins may read.
func ExposedHeaders() []string {
	return []string{
		"allow", "apigw-requestid", "etag", "idempotent-replay", "location", "parley-version", "ratelimit",
		"retry-after",
	}
}

// FileHeaders returns the request headers with which pages send files.
func FileHeaders() []string {
	return []string{"content-type", "if-none-match", "x-amz-checksum-sha256"}
}

// IsOrigin reports whether s is the origin of pages that may call the API, as a browser sends it:
// without path or wildcard. Plain http is only for pages on the developer's own machine.
func IsOrigin(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme+"://"+u.Host != s || strings.Contains(u.Host, "*") {
		return false
	}
	local := u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1"
	return u.Scheme == "https" || u.Scheme == "http" && local
}
