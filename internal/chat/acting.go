package chat

import "context"

// actingKey is the key under which a context holds the acting service.
type actingKey struct{}

// WithService returns a context for the requests of a service, on its own behalf or on behalf of a
// user. Messages and audit lines name the service, and it may add members to any room.
func WithService(ctx context.Context, service UserID) context.Context {
	return context.WithValue(ctx, actingKey{}, service)
}

// ServiceOf returns the service that makes the request, or "" if a person does.
func ServiceOf(ctx context.Context) UserID {
	service, _ := ctx.Value(actingKey{}).(UserID)
	return service
}

// IsService reports whether a caller is the service that makes the request, on its own behalf.
func IsService(ctx context.Context, caller UserID) bool {
	return caller != "" && ServiceOf(ctx) == caller
}

// Via returns the service that acts for a caller, or "" if the caller makes the request.
func Via(ctx context.Context, caller UserID) UserID {
	if service := ServiceOf(ctx); service != caller {
		return service
	}
	return ""
}
