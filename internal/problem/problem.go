// Package problem defines the problem documents (RFC 9457) that answer failed requests: their types
// and their form on the wire. The API and the bridge to API Gateway return them, and the tools read
// them.
package problem

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// MediaType is the media type of every problem.
const MediaType = "application/problem+json"

// Prefix begins the identifier of every type.
const Prefix = "/problems/"

// Problem is the body of every error of the API. Like all answers it may gain fields, as the
// OpenAPI document states.
type Problem struct {
	Type       string  `json:"type" format:"uri-reference" doc:"What went wrong, stable across versions. It is the path of a page about it" example:"/problems/not-found"`
	Title      string  `json:"title" doc:"The type in words" example:"Not found"`
	Status     int     `json:"status" doc:"The HTTP status"`
	Detail     string  `json:"detail,omitempty" doc:"The first error as a sentence" example:"text must not be empty."`
	Retryable  bool    `json:"retryable" doc:"Whether the same request may succeed later"`
	Errors     []Fault `json:"errors,omitempty" maxItems:"20" doc:"The fields at fault, at most 20"`
	Limit      string  `json:"limit,omitempty" doc:"The limit that the caller has used up, for rate-limited" example:"messages"`
	ServerTime string  `json:"serverTime,omitempty" format:"date-time" doc:"The server's clock, when the client's is off"`

	// RetryAfter is the delay after which the request may succeed. It is sent as a header.
	RetryAfter time.Duration `json:"-"`
}

// Fault is one field at fault.
type Fault struct {
	Location string `json:"location" doc:"The field's path in the body, or the name of a parameter or a header; body for the body as a whole" example:"events[0].at"`
	Message  string `json:"message" doc:"The rule that the field breaks" example:"must not be empty"`
}

// Body is the location of the body as a whole.
const Body = "body"

// New returns a problem of a type. A detail that is a clause becomes a sentence.
func New(t Type, detail string) *Problem {
	return &Problem{Type: t.URI(), Title: t.Title, Status: t.Status, Detail: sentence(detail), Retryable: t.Retryable}
}

// sentence returns a clause with a capital first letter and a full stop.
func sentence(clause string) string {
	if clause == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(clause)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(clause[size:], ".") + "."
}

// maxFaults limits the faults of a problem, as the document states. A body of 200 KB can break
// hundreds of thousands of rules, and an answer of a function may have 6 MB.
const maxFaults = 20

// AddFault adds a field at fault and the rule that it breaks: "must not be empty". The first fault
// is also the detail.
func (p *Problem) AddFault(location, rule string) {
	if len(p.Errors) == 0 {
		subject := location
		if location == Body {
			subject = "The body"
		}
		p.Detail = subject + " " + rule + "."
	}
	if len(p.Errors) == maxFaults {
		return
	}
	p.Errors = append(p.Errors, Fault{Location: location, Message: rule})
}

// OfField returns a problem of the general type of an HTTP status, with one field at fault.
func OfField(status int, location, rule string) *Problem {
	p := OfStatus(status, "")
	p.AddFault(location, rule)
	return p
}

// OfStatus returns a problem of the general type of an HTTP status. For a status without a type it
// returns one of type about:blank.
func OfStatus(status int, detail string) *Problem {
	for _, t := range types {
		if t.Status == status {
			return New(t, detail)
		}
	}
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: sentence(detail)}
}

// NoRoute returns the answer to a path that the API does not have.
func NoRoute() *Problem {
	return OfStatus(http.StatusNotFound, "no operation has this path; /openapi.json lists all")
}

// Error returns the title and the detail.
func (p *Problem) Error() string { return p.Title + ": " + p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type of problems. It ignores the client's preference.
func (p *Problem) ContentType(string) string { return MediaType }

// RetryAfterSeconds returns RetryAfter as the header has it; 0 if there is none.
func (p *Problem) RetryAfterSeconds() int { return int(math.Ceil(p.RetryAfter.Seconds())) }

// GetHeaders returns Retry-After, RateLimit and WWW-Authenticate if they apply. RateLimit is as in
// draft-ietf-httpapi-ratelimit-headers-10: nothing remains of the limit for so many seconds.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if seconds := strconv.Itoa(p.RetryAfterSeconds()); seconds != "0" {
		h.Set("Retry-After", seconds)
		if p.Limit != "" {
			h.Set("RateLimit", strconv.Quote(p.Limit)+";r=0;t="+seconds)
		}
	}
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	return h
}
