package httpapi

import (
	"context"
	"errors"
	"net/http"

	"parley/internal/chat"
	"parley/internal/problem"
	"parley/internal/wire"
)

// statuses maps the domain's errors to HTTP. BadCursor and ClockSkew are not in it: they have
// specific types.
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
	}
	return problem.OfStatus(statuses[kind], detail)
}

// problemOf returns the problem of an error. An error that is not the domain's is a fault of the
// server: the client gets a fixed text, and the log gets the cause.
func problemOf(ctx context.Context, err error) *problem.Problem {
	var known *problem.Problem
	if errors.As(err, &known) {
		return known
	}
	var e *chat.Error
	if !errors.As(err, &e) {
		logOf(ctx).ErrorContext(ctx, "internal error", "cause", err.Error())
		return internalError()
	}
	if e.Cause != nil {
		logOf(ctx).WarnContext(ctx, "request failed", "kind", e.Kind.String(), "cause", e.Cause.Error())
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
	p.RetryAfter = e.RetryAfter
	return p
}

// internalError returns the problem of a failure that is not the client's.
func internalError() *problem.Problem {
	return problem.OfStatus(http.StatusInternalServerError, "the server failed; its log has the cause")
}

// writeProblem answers with a problem outside of an operation.
func writeProblem(w http.ResponseWriter, p *problem.Problem) {
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", problem.MediaType)
	w.WriteHeader(p.Status)
	// The status has been sent, so a failed write cannot be reported to the client.
	_ = marshal(w, p)
}

// GatewayMessage is the body of the errors that API Gateway returns without calling a function.
// docs/problems.md lists them. An HTTP API cannot change them.
type GatewayMessage struct {
	Message string `json:"message" doc:"The status in words" example:"Unauthorized"`
}
