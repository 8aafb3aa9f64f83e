package httpapi

import (
	"context"
	"log/slog"
	"net/http"

	"parley/internal/chat"
	"parley/internal/problem"
)

// request carries what the edge knows of a request to its operation.
type request struct {
	subject string
	service bool // the token is a service's
	log     *slog.Logger
}

type requestKey struct{}

func requestOf(o Options, r *http.Request, log *slog.Logger) request {
	return request{subject: o.Subject(r), service: o.IsService != nil && o.IsService(r), log: log}
}

// callerOf returns the authenticated user of a request.
func callerOf(ctx context.Context) (chat.UserID, error) {
	r, _ := ctx.Value(requestKey{}).(request)
	if r.subject == "" {
		return "", problem.OfStatus(http.StatusUnauthorized, "send a valid access token in the Authorization header")
	}
	user, err := chat.ParseUserID(r.subject)
	if err != nil {
		return "", problem.OfStatus(http.StatusUnauthorized, "the token's subject must be a user id: 1 to 64 of A-Z a-z 0-9 . _ @ | : + = -")
	}
	return user, nil
}

// isService reports whether the caller of a request is a service.
func isService(ctx context.Context) bool {
	r, _ := ctx.Value(requestKey{}).(request)
	return r.service
}

func logOf(ctx context.Context) *slog.Logger {
	if r, ok := ctx.Value(requestKey{}).(request); ok {
		return r.log
	}
	return slog.New(slog.DiscardHandler)
}
