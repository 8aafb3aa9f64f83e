package problem

import (
	"net/http"
	"slices"
)

// Type is a type of problem. docs/problems.md lists all types.
type Type struct {
	Name      string // the end of the identifier, which never changes
	Title     string
	Status    int
	Retryable bool // the same request may succeed later
}

// URI returns the stable identifier.
func (t Type) URI() string { return Prefix + t.Name }

// types lists all types. The first type of a status is its general one.
var types = []Type{
	{Name: "malformed", Status: http.StatusBadRequest, Title: "Malformed request"},
	{Name: badCursor, Status: http.StatusBadRequest, Title: "Invalid cursor"},
	{Name: "unauthorized", Status: http.StatusUnauthorized, Title: "Unauthorized"},
	{Name: "forbidden", Status: http.StatusForbidden, Title: "Forbidden"},
	{Name: suspended, Status: http.StatusForbidden, Title: "Suspended"},
	{Name: "not-found", Status: http.StatusNotFound, Title: "Not found"},
	{Name: "conflict", Status: http.StatusConflict, Title: "Conflict"},
	{Name: clockSkew, Status: http.StatusConflict, Title: "Clock skew"},
	{Name: "stale", Status: http.StatusPreconditionFailed, Title: "Precondition failed"},
	{Name: "too-large", Status: http.StatusRequestEntityTooLarge, Title: "Content too large"},
	{Name: "unsupported-media-type", Status: http.StatusUnsupportedMediaType, Title: "Unsupported media type"},
	{Name: "invalid", Status: http.StatusUnprocessableEntity, Title: "Validation failed"},
	{Name: "precondition-required", Status: http.StatusPreconditionRequired, Title: "Precondition required"},
	{Name: "rate-limited", Status: http.StatusTooManyRequests, Title: "Rate limited", Retryable: true},
	{Name: "internal", Status: http.StatusInternalServerError, Title: "Internal server error"},
	{Name: "unavailable", Status: http.StatusServiceUnavailable, Title: "Service unavailable", Retryable: true},
}

// These types share their status with a general one.
const (
	badCursor = "bad-cursor"
	clockSkew = "clock-skew"
	suspended = "suspended"
)

// ClockSkewURI identifies the problem of ClockSkew, on which clients act.
const ClockSkewURI = Prefix + clockSkew

// Types returns all types.
func Types() []Type { return slices.Clone(types) }

// BadCursor returns the problem of a cursor that is invalid or belongs to another query.
func BadCursor(detail string) *Problem { return New(named(badCursor), detail) }

// ClockSkew returns the problem of a time that is too far from the server's.
func ClockSkew(detail string) *Problem { return New(named(clockSkew), detail) }

// Suspended returns the problem of a caller from whom nothing is accepted.
func Suspended(detail string) *Problem { return New(named(suspended), detail) }

func named(name string) Type {
	return types[slices.IndexFunc(types, func(t Type) bool { return t.Name == name })]
}
