package config

import "time"

// PreflightAge is how long a browser may cache the answer to a preflight. It is long enough to
// avoid most preflights, and short enough that a change of origins soon takes effect.
const PreflightAge = time.Hour

// AllowedHeaders returns the request headers that pages of other origins may send.
func AllowedHeaders() []string { return []string{"authorization", "content-type", "if-match"} }

// ExposedHeaders returns the response headers that pages of other origins may read.
func ExposedHeaders() []string {
	return []string{"etag", "idempotent-replay", "location", "retry-after"}
}
