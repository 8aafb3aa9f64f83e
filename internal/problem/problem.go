// Package problem holds the documents that answer a request which failed (RFC 9457): their types,
// and their form on the wire. The API, the bridge to API Gateway and the tools take them from here.
package problem

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

// MediaType is the media type of every problem.
const MediaType = "application/problem+json"

// Prefix begins the identifier of every type.
const Prefix = "urn:parley:problem:"

// Problem is every error of the API. Like all answers it may gain fields, and the OpenAPI document
// says so.
type Problem struct {
	_ struct{} `additionalProperties:"true"`

	Type       string  `json:"type" doc:"What went wrong, stable across versions" example:"urn:parley:problem:not-found"`
	Title      string  `json:"title" doc:"The type in words"`
	Status     int     `json:"status" doc:"The HTTP status"`
	Detail     string  `json:"detail,omitempty" doc:"What went wrong this time"`
	Retryable  bool    `json:"retryable" doc:"Whether the very same request may succeed later"`
	Errors     []Fault `json:"errors,omitempty" doc:"The fields at fault"`
	ServerTime string  `json:"serverTime,omitempty" format:"date-time" doc:"The server's clock, when the client's is off"`

	// RetryAfter is when the request may succeed; it is sent as a header.
	RetryAfter time.Duration `json:"-"`
}

// Fault is one field at fault.
type Fault struct {
	_ struct{} `additionalProperties:"true"`

	Location string `json:"location" doc:"Where the field is" example:"body.text"`
	Message  string `json:"message" doc:"What is wrong with it"`
}

// New returns a problem of a type.
func New(t Type, detail string) *Problem {
	return &Problem{Type: t.URI(), Title: t.Title, Status: t.Status, Detail: detail, Retryable: t.Retryable}
}

// OfStatus returns a problem of the general type of an HTTP status. A status without a type gets
// the blank type of the RFC.
func OfStatus(status int, detail string) *Problem {
	for _, t := range types {
		if t.Status == status {
			return New(t, detail)
		}
	}
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail}
}

// NoRoute returns the answer to a path or a method that the API does not have.
func NoRoute() *Problem {
	return OfStatus(http.StatusNotFound, "there is nothing at this path and method")
}

// Error returns the problem in words.
func (p *Problem) Error() string { return p.Title + ": " + p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type of problems, whatever the client prefers.
func (p *Problem) ContentType(string) string { return MediaType }

// GetHeaders returns Retry-After and WWW-Authenticate, where they apply.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.RetryAfter.Seconds()))))
	}
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	return h
}
