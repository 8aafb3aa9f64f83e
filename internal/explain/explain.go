// Package explain translates errors of the domain to problems. All edges use it, so that the same
// failure has the same problem over HTTP and over a socket.
package explain

import (
	"errors"
	"net/http"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/problem"
	"example.com/parley/internal/wire"
)

// statuses maps the domain's errors to HTTP. BadCursor, ClockSkew and Suspended are not in
// it: they have specific types.
var statuses = map[chat.Kind]int{
	chat.Invalid:              http.StatusUnprocessableEntity,
	chat.NotFound:             http.StatusNotFound,
	chat.Forbidden:            http.StatusForbidden,
	chat.Stale:                http.StatusPreconditionFailed,
	chat.RateLimited:          http.StatusTooManyRequests,
	chat.PreconditionRequired: http.StatusPreconditionRequired,
	chat.Conflict:             http.StatusConflict,
	chat.Unavailable:          http.StatusServiceUnavailable,
}

// ofKind returns the problem of an error of the domain.
func ofKind(kind chat.Kind, detail string) *problem.Problem {
	switch kind {
	case chat.BadCursor:
		return problem.BadCursor(detail)
	case chat.ClockSkew:
		return problem.ClockSkew(detail)
	case chat.Suspended:
		return problem.Suspended(detail)
	}
	return problem.OfStatus(statuses[kind], detail)
}

// Error returns the problem of an error of the domain, or a problem that err is or wraps. It
// returns nil for any other error, which is a fault of the server.
func Error(err error) *problem.Problem {
	var known *problem.Problem
	if errors.As(err, &known) {
		return known
	}
	var e *chat.Error
	if !errors.As(err, &e) {
		return nil
	}
	detail := e.Detail
	if detail == "" && e.Kind == chat.Unavailable {
		detail = "the store cannot answer at present; " + chat.RetryHint
	}
	p := ofKind(e.Kind, detail)
	switch {
	case e.Field == "":
	case e.Kind == chat.Invalid:
		p.AddFault(e.Field, e.Detail)
	default: // the detail is complete without the field
		p.Errors = []problem.Fault{{Location: e.Field, Message: e.Detail}}
	}
	if !e.ServerTime.IsZero() {
		p.ServerTime = wire.TimeText(e.ServerTime)
	}
	p.RetryAfter, p.Limit = e.RetryAfter, e.Limit
	return p
}

// Cause returns the kind and the cause of an error of the domain, for the log. ok is false if the
// error is not the domain's, or has no cause.
func Cause(err error) (kind chat.Kind, cause error, ok bool) {
	var known *problem.Problem
	var e *chat.Error
	if errors.As(err, &known) || !errors.As(err, &e) || e.Cause == nil {
		return 0, nil, false
	}
	return e.Kind, e.Cause, true
}

// Internal returns the problem of a failure that is not the client's.
func Internal() *problem.Problem {
	return problem.OfStatus(http.StatusInternalServerError, "the server failed; its log has the cause")
}
