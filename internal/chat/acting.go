package chat

import "context"

// actingKey is the key of the acting service of a context.
type actingKey struct{}

// WithService returns a context for the requests of a service, for itself or for somebody. Their
// messages and audit lines name it, and it adds members to any room.
func WithService(ctx context.Context, service UserID) context.Context {
	return context.WithValue(ctx, actingKey{}, service)
}

// ServiceOf returns the service that makes a request, or "" if a person does.
func ServiceOf(ctx context.Context) UserID {
	service, _ := ctx.Value(actingKey{}).(UserID)
	return service
}

// Via returns the service that acts for a caller, or "" if the caller makes the request.
func Via(ctx context.Context, caller UserID) UserID {
	if service := ServiceOf(ctx); service != caller {
		return service
	}
	return ""
}
