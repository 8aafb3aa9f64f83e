package httpapi

import (
	"context"
	"net/http"

	"example.com/parley/internal/explain"
	"example.com/parley/internal/problem"
)

// problemOf returns the problem of an error. Any other error than the domain's is a server fault:
// the client gets a fixed text, and the cause is logged.
func problemOf(ctx context.Context, err error) *problem.Problem {
	p := explain.Error(err)
	if p == nil {
		logOf(ctx).ErrorContext(ctx, "internal error", "cause", err.Error())
		return explain.Internal()
	}
	if kind, cause, ok := explain.Cause(err); ok {
		logOf(ctx).WarnContext(ctx, "request failed", "kind", kind.String(), "cause", cause.Error())
	}
	return p
}

// writeProblem responds with a problem outside of an operation.
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
