package problem

import (
	"net/http"
	"slices"
)

// Type is a type of problem. docs/problems.md lists all types, and each has a page at its URI.
type Type struct {
	Name      string // the end of the identifier, which never changes
	Title     string
	Status    int
	Retryable bool // the same request may succeed later
	Meaning   string
}

// URI returns the stable identifier. It is the path of a page about the type, which each deployment
// serves: relative to the API's address (RFC 9457, section 3.1.1).
func (t Type) URI() string { return Prefix + t.Name }

// types lists all types. The first type of a status is its general one.
var types = []Type{
	{Name: "malformed", Status: http.StatusBadRequest, Title: "Malformed request",
		Meaning: "The body is not JSON, contains a key twice or invalid UTF-8, or the query cannot be decoded."},
	{Name: badCursor, Status: http.StatusBadRequest, Title: "Invalid cursor",
		Meaning: "The cursor is invalid, or belongs to another room, query or order."},
	{Name: "unauthorized", Status: http.StatusUnauthorized, Title: "Unauthorized",
		Meaning: "The token is not an access token, or its subject is not a valid user id (me, . and .. are " +
			"invalid). The server's log names the check. Without a valid token, API Gateway answers itself."},
	{Name: "forbidden", Status: http.StatusForbidden, Title: "Forbidden",
		Meaning: "The caller's role in this room does not allow it, the room is archived, the caller may not create " +
			"rooms or change the facts of profiles in this deployment, or the requested rooms are somebody else's."},
	{Name: suspended, Status: http.StatusForbidden, Title: "Suspended",
		Meaning: "The person is suspended. Requests by them, or by a service that acts for them, are refused."},
	{Name: "not-found", Status: http.StatusNotFound, Title: "Not found",
		Meaning: "It does not exist, or the caller may not know that it does."},
	{Name: "method-not-allowed", Status: http.StatusMethodNotAllowed, Title: "Method not allowed",
		Meaning: "The path has no operation with this method. The header Allow lists the path's methods."},
	{Name: "conflict", Status: http.StatusConflict, Title: "Conflict",
		Meaning: "The current state does not allow it. The id was used for another message or event. The room's id " +
			"is taken or belonged to a deleted room, or its shards were changed 255 times. The message to edit is " +
			"deleted, was edited too often, or its versions would be too long in total. An owner may not change " +
			"their own role. The log holds too many events at one instant."},
	{Name: clockSkew, Status: http.StatusConflict, Title: "Clock skew",
		Meaning: "The time in the message id or the requestId is over 24 hours old, or it or an event's time is over " +
			"2 seconds ahead; serverTime is the server's clock."},
	{Name: "stale", Status: http.StatusPreconditionFailed, Title: "Precondition failed",
		Meaning: "The resource has changed since the version in If-Match."},
	{Name: "too-large", Status: http.StatusRequestEntityTooLarge, Title: "Content too large",
		Meaning: "The body is larger than any valid one."},
	{Name: "unsupported-media-type", Status: http.StatusUnsupportedMediaType, Title: "Unsupported media type",
		Meaning: "The body is not application/json, not UTF-8, or compressed. A body without a Content-Type is read " +
			"as JSON."},
	{Name: "invalid", Status: http.StatusUnprocessableEntity, Title: "Validation failed",
		Meaning: "A field or a parameter breaks a rule; errors names each. If it is since, start over with a page of " +
			"messages and its since."},
	{Name: "precondition-required", Status: http.StatusPreconditionRequired, Title: "Precondition required",
		Meaning: "The document's part already exists: read it, and send its ETag in If-Match."},
	{Name: "rate-limited", Status: http.StatusTooManyRequests, Title: "Rate limited", Retryable: true,
		Meaning: "The caller has used up the limit that limit names, or the room is in slow mode, which also counts " +
			"edits and documents. Retry after the seconds in Retry-After; if that is more than a minute, show the " +
			"error to the user instead."},
	{Name: "internal", Status: http.StatusInternalServerError, Title: "Internal server error",
		Meaning: "The server failed; its log has the cause."},
	{Name: "unavailable", Status: http.StatusServiceUnavailable, Title: "Service unavailable", Retryable: true,
		Meaning: "The store cannot answer now; retry after the seconds in Retry-After."},
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
