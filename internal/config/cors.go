package config

import "time"

// PreflightAge is how long a browser may remember a preflight's answer: long enough to spare most
// preflights, short enough that a change of origins is soon felt.
const PreflightAge = time.Hour

// AllowedHeaders are the request headers that pages of other origins may send.
func AllowedHeaders() []string { return []string{"authorization", "content-type", "if-match"} }

// ExposedHeaders are the response headers that pages of other origins may read.
func ExposedHeaders() []string {
	return []string{"etag", "idempotent-replay", "location", "retry-after"}
}
