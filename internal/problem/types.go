package problem

import (
	"net/http"
	"slices"
)

// Type is a kind of problem. docs/problems.md lists all.
type Type struct {
	Name      string // the end of the identifier, which clients may rely on
	Title     string
	Status    int
	Retryable bool // the very same request may succeed later
}

// URI returns the stable identifier.
func (t Type) URI() string { return Prefix + t.Name }

// types are all types. The first of a status is its general one.
var types = []Type{
	{Name: "malformed", Status: http.StatusBadRequest, Title: "The request cannot be read"},
	{Name: badCursor, Status: http.StatusBadRequest, Title: "The cursor is of no use here"},
	{Name: "unauthorized", Status: http.StatusUnauthorized, Title: "A valid token is needed"},
	{Name: "forbidden", Status: http.StatusForbidden, Title: "It is not allowed"},
	{Name: "not-found", Status: http.StatusNotFound, Title: "There is no such thing"},
	{Name: "conflict", Status: http.StatusConflict, Title: "What is there does not admit it"},
	{Name: clockSkew, Status: http.StatusConflict, Title: "The time is out of bounds"},
	{Name: "stale", Status: http.StatusPreconditionFailed, Title: "It has changed meanwhile"},
	{Name: "too-large", Status: http.StatusRequestEntityTooLarge, Title: "The request is too large"},
	{Name: "unsupported-media-type", Status: http.StatusUnsupportedMediaType, Title: "The body must be application/json"},
	{Name: "invalid", Status: http.StatusUnprocessableEntity, Title: "A field breaks a rule"},
	{Name: "rate-limited", Status: http.StatusTooManyRequests, Title: "Too many requests", Retryable: true},
	{Name: "internal", Status: http.StatusInternalServerError, Title: "The server failed"},
	{Name: "unavailable", Status: http.StatusServiceUnavailable, Title: "The service cannot answer for now", Retryable: true},
}

// The types that share their status with a general one.
const (
	badCursor = "bad-cursor"
	clockSkew = "clock-skew"
)

// Types returns all types.
func Types() []Type { return slices.Clone(types) }

// BadCursor returns the problem of a cursor that does not belong to its request.
func BadCursor(detail string) *Problem { return New(named(badCursor), detail) }

// ClockSkew returns the problem of a time too far from the server's.
func ClockSkew(detail string) *Problem { return New(named(clockSkew), detail) }

func named(name string) Type {
	return types[slices.IndexFunc(types, func(t Type) bool { return t.Name == name })]
}
