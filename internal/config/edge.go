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

// Subprotocol is the WebSocket subprotocol of live delivery. The socket function selects it, and
// clients and the authorizer require it.
const Subprotocol = "parley.v1"

// The authorizer's context has these keys, and API Gateway passes their values to the socket
// function with every event of a connection.
const (
	ContextUser = "user"
	// ContextUntil is when the connection ends unless it is renewed, in seconds of Unix time.
	ContextUntil = "until"
	// ContextRenewable is the time until which it can be renewed, also in seconds of Unix time. It
	// may be absent.
	ContextRenewable = "renewable"
	// ContextService is ServiceConnection for a connection of a service, and absent for people's.
	ContextService = "service"
)

// ServiceConnection is the value of ContextService.
const ServiceConnection = "true"
