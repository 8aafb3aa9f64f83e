package httpapi

import (
	"context"
	"errors"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"parley/internal/chat"
)

// problemType is the media type of every error.
const problemType = "application/problem+json"

// Problem is every error of the API (RFC 9457). Like all answers it may gain
// fields, and the OpenAPI document says so.
type Problem struct {
	_ struct{} `additionalProperties:"true"`

	Type       string  `json:"type" doc:"What went wrong, stable across versions" example:"urn:parley:problem:not-found"`
	Title      string  `json:"title" doc:"The type in words"`
	Status     int     `json:"status" doc:"The HTTP status"`
	Detail     string  `json:"detail,omitempty" doc:"What went wrong this time"`
	Retryable  bool    `json:"retryable" doc:"Whether the very same request may succeed later"`
	Errors     []Fault `json:"errors,omitempty" doc:"The fields at fault"`
	ServerTime string  `json:"serverTime,omitempty" format:"date-time" doc:"The server's clock, when the client's is off"`

	retryAfter time.Duration
}

// Fault is one field at fault.
type Fault struct {
	_ struct{} `additionalProperties:"true"`

	Location string `json:"location" doc:"Where the field is" example:"body.text"`
	Message  string `json:"message" doc:"What is wrong with it"`
}

// title and type of each status; retryable where the same request may pass later.
var problems = map[int]struct {
	name, title string
	retryable   bool
}{
	http.StatusBadRequest:            {name: "malformed", title: "The request cannot be read"},
	http.StatusUnauthorized:          {name: "unauthorized", title: "A valid token is needed"},
	http.StatusForbidden:             {name: "forbidden", title: "It is not allowed"},
	http.StatusPreconditionFailed:    {name: "stale", title: "It has changed meanwhile"},
	http.StatusTooManyRequests:       {name: "rate-limited", title: "Too many requests", retryable: true},
	http.StatusNotFound:              {name: "not-found", title: "There is no such thing"},
	http.StatusConflict:              {name: "conflict", title: "What is there does not admit it"},
	http.StatusRequestEntityTooLarge: {name: "too-large", title: "The request is too large"},
	http.StatusUnsupportedMediaType:  {name: "unsupported-media-type", title: "The body must be application/json"},
	http.StatusUnprocessableEntity:   {name: "invalid", title: "A field breaks a rule"},
	http.StatusInternalServerError:   {name: "internal", title: "The server failed"},
	http.StatusServiceUnavailable:    {name: "unavailable", title: "The service cannot answer for now", retryable: true},
}

// kinds is the one table from the domain's errors to HTTP. name is set
// where a status has more than one type.
var kinds = map[chat.Kind]struct {
	status      int
	name, title string
}{
	chat.Invalid:     {status: http.StatusUnprocessableEntity},
	chat.BadCursor:   {status: http.StatusBadRequest, name: "bad-cursor", title: "The cursor is of no use here"},
	chat.NotFound:    {status: http.StatusNotFound},
	chat.Forbidden:   {status: http.StatusForbidden},
	chat.Stale:       {status: http.StatusPreconditionFailed},
	chat.RateLimited: {status: http.StatusTooManyRequests},
	chat.Conflict:    {status: http.StatusConflict},
	chat.ClockSkew:   {status: http.StatusConflict, name: "clock-skew", title: "The time is out of bounds"},
	chat.Unavailable: {status: http.StatusServiceUnavailable},
}

// typeURI makes a stable identifier of a problem; docs/problems.md lists them.
func typeURI(name string) string { return "urn:parley:problem:" + name }

func newProblem(status int, detail string) *Problem {
	p, ok := problems[status]
	if !ok {
		return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail}
	}
	return &Problem{Type: typeURI(p.name), Title: p.title, Status: status, Detail: detail, Retryable: p.retryable}
}

// problemOf turns an error of the domain into a problem; at tells where the
// operation's parameters are. What it does not know is a fault of ours: the
// client gets a fixed text, the log gets the cause.
func problemOf(ctx context.Context, err error, at locations) *Problem {
	var known *Problem
	if errors.As(err, &known) {
		return known
	}
	var e *chat.Error
	if !errors.As(err, &e) {
		logOf(ctx).ErrorContext(ctx, "internal error", "cause", err.Error())
		return newProblem(http.StatusInternalServerError, "")
	}
	if e.Cause != nil {
		logOf(ctx).WarnContext(ctx, e.Kind.String(), "cause", e.Cause.Error())
	}
	k := kinds[e.Kind]
	p := newProblem(k.status, e.Detail)
	if k.name != "" {
		p.Type, p.Title = typeURI(k.name), k.title
	}
	if e.Field != "" {
		p.Errors = []Fault{{Location: at.of(e.Field), Message: e.Detail}}
	}
	if !e.ServerTime.IsZero() {
		p.ServerTime = timeText(e.ServerTime)
	}
	p.retryAfter = e.RetryAfter
	return p
}

// Error, GetStatus, ContentType and GetHeaders let huma write a Problem.
func (p *Problem) Error() string { return p.Title + ": " + p.Detail }

// GetStatus is the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType is the same for all problems.
func (p *Problem) ContentType(string) string { return problemType }

// GetHeaders are Retry-After and WWW-Authenticate, where they apply.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.retryAfter.Seconds()))))
	}
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	return h
}

// writeProblem answers with a problem outside of an operation.
func writeProblem(w http.ResponseWriter, p *Problem) {
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", problemType)
	w.WriteHeader(p.Status)
	// The status is out; a client that is gone cannot be told anything.
	_ = marshal(w, p)
}

// problemTransformer turns what huma itself refuses into a Problem. It
// leaves out the values that huma repeats: they may be message text.
func problemTransformer(_ huma.Context, _ string, v any) (any, error) {
	m, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	p := newProblem(m.Status, m.Detail)
	for _, e := range m.Errors {
		p.Errors = append(p.Errors, Fault{Location: e.Location, Message: e.Message})
	}
	return p, nil
}

// GatewayMessage is the body of every error that API Gateway answers with before a function is
// asked. docs/problems.md lists them. An HTTP API cannot change these answers.
type GatewayMessage struct {
	_ struct{} `additionalProperties:"true"`

	Message string `json:"message" doc:"The status in words" example:"Unauthorized"`
}

func errorSchema[T any](api huma.API, name string) *huma.Schema {
	return api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, name)
}
