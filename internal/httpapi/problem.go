package httpapi

import (
	"context"
	"errors"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"parley/internal/chat"
	"parley/internal/problem"
)

// statuses is the one table from the domain's errors to HTTP. BadCursor and ClockSkew, which have
// types of their own, are not in it.
var statuses = map[chat.Kind]int{
	chat.Invalid:     http.StatusUnprocessableEntity,
	chat.NotFound:    http.StatusNotFound,
	chat.Forbidden:   http.StatusForbidden,
	chat.Stale:       http.StatusPreconditionFailed,
	chat.RateLimited: http.StatusTooManyRequests,
	chat.Conflict:    http.StatusConflict,
	chat.Unavailable: http.StatusServiceUnavailable,
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

// problemOf turns an error of the domain into a problem; at tells where the
// operation's parameters are. What it does not know is a fault of ours: the
// client gets a fixed text, the log gets the cause.
func problemOf(ctx context.Context, err error, at locations) *problem.Problem {
	var known *problem.Problem
	if errors.As(err, &known) {
		return known
	}
	var e *chat.Error
	if !errors.As(err, &e) {
		logOf(ctx).ErrorContext(ctx, "internal error", "cause", err.Error())
		return problem.OfStatus(http.StatusInternalServerError, "")
	}
	if e.Cause != nil {
		logOf(ctx).WarnContext(ctx, e.Kind.String(), "cause", e.Cause.Error())
	}
	p := ofKind(e.Kind, e.Detail)
	if e.Field != "" {
		p.Errors = []problem.Fault{{Location: at.of(e.Field), Message: e.Detail}}
	}
	if !e.ServerTime.IsZero() {
		p.ServerTime = timeText(e.ServerTime)
	}
	p.RetryAfter = e.RetryAfter
	return p
}

// writeProblem answers with a problem outside of an operation.
func writeProblem(w http.ResponseWriter, p *problem.Problem) {
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", problem.MediaType)
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
	p := problem.OfStatus(m.Status, m.Detail)
	for _, e := range m.Errors {
		p.Errors = append(p.Errors, problem.Fault{Location: e.Location, Message: e.Message})
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
