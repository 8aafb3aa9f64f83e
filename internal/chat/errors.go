package chat

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"time"

	"example.com/parley/internal/visual"
)

// Kind classifies an error in terms that each edge maps to its own. The set is closed: edges
// report an error without a Kind as an internal error.
type Kind int

const (
	// Invalid means that the input breaks a rule. Field names the input. Parsers and the
	// service return it.
	Invalid Kind = iota + 1
	// BadCursor means that the cursor is invalid or belongs to another query. The service
	// returns it.
	BadCursor
	// NotFound means that something does not exist, or that the caller may not know that it
	// does. The two cases look the same. The store and the service return it.
	NotFound
	// Forbidden means that the caller may see the room but not perform the action, may not
	// create rooms, or asks for another person's data. The service returns it.
	Forbidden
	// Suspended means that the operator has suspended the caller and accepts nothing from them.
	// The account service returns it.
	Suspended
	// Stale means that the object has changed since the caller read it: the version in If-Match is
	// no longer current. The service returns it.
	Stale
	// PreconditionRequired means that the caller must name the version that a change is based
	// on, because the object exists. The service returns it.
	PreconditionRequired
	// RateLimited means that the caller sends too many requests. RetryAfter is set. The service
	// returns it.
	RateLimited
	// Conflict means that the current state does not allow the change. For example, an id is taken
	// by different content or another creator, a message is deleted or full, or a room would have
	// no owner. The service returns it; the store returns it if an instant of a log is full.
	Conflict
	// ClockSkew means that the time of a message id or an event is too far from the server's
	// for a retry or an offline queue. ServerTime is set. Service.PostMessage and
	// activity.Service.AppendEvents return it.
	ClockSkew
	// Unavailable means that the store is throttled or did not answer in time, or that
	// concurrent changes interfered. The caller may retry after RetryAfter, if it is set. The
	// store and the service return it.
	Unavailable
)

var kindNames = [...]string{
	Invalid: "invalid", BadCursor: "bad cursor", NotFound: "not found", Forbidden: "forbidden", Suspended: "suspended",
	Stale:                "stale",
	PreconditionRequired: "precondition required", RateLimited: "rate limited", Conflict: "conflict",
	ClockSkew:   "clock skew",
	Unavailable: "unavailable",
}

func (k Kind) String() string {
	if k < Invalid || int(k) >= len(kindNames) {
		return "unknown"
	}
	return kindNames[k]
}

// RetryHint ends the detail of every error that carries RetryAfter.
const RetryHint = "retry after the seconds in Retry-After"

// Error is an error that a caller can act on. Every such error of the domain is an *Error or wraps
// one; KindOf finds its kind.
type Error struct {
	Kind       Kind
	Field      string        // the path of the input at fault: "text", "limit", "events[0].at"
	Detail     string        // for Invalid the rule for the field, otherwise a sentence; never message text
	Limit      string        // for RateLimited, the name of the limit; it may be empty
	ServerTime time.Time     // for ClockSkew
	RetryAfter time.Duration // for Unavailable and RateLimited
	Cause      error         // for the log only
}

func (e *Error) Error() string {
	s := e.Kind.String()
	if e.Field != "" {
		s += " " + e.Field
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

// Unwrap returns the cause, so that errors.Is recognizes a canceled context.
func (e *Error) Unwrap() error { return e.Cause }

// KindOf returns the kind of err, or 0 if it has none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return 0
}

// InField returns err with its Field set, if it is an *Error. Callers use it to name an input
// whose name the parser does not know.
func InField(field string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	named := *e
	named.Field = field
	return &named
}

// Invalidf returns an error of kind Invalid for a field.
func Invalidf(field, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Field: field, Detail: fmt.Sprintf(format, args...)}
}

// Conflictf returns an error of kind Conflict with a detail.
func Conflictf(format string, args ...any) *Error {
	return &Error{Kind: Conflict, Detail: fmt.Sprintf(format, args...)}
}

// NoSuchRoom returns the error for a room that does not exist or that the caller may not know
// about. Stores also return it. All code must use this error to make the two cases
// indistinguishable.
func NoSuchRoom() error {
	return &Error{Kind: NotFound, Detail: "there is no such room"}
}

// NotAllowed returns the error for a caller who may know about the room, but whose role does not
// allow the action.
func NotAllowed() error {
	return &Error{Kind: Forbidden, Detail: "your role in this room does not allow this"}
}

// ErrUnreadable is wrapped by errors for items that exist but cannot be read. A retry does not
// help.
var ErrUnreadable = errors.New("the item cannot be read")

// Precondition restricts which state of a room or a profile a change may replace. Without one, nil,
// the last change wins.
type Precondition struct {
	Absent   bool // none: the change only creates
	Any      bool // every existing one
	Revision int  // the one with this revision, 0 before a profile is saved; unless Absent or Any is set
}

// Check returns a Stale error unless p accepts a state. same reports that the change would leave
// it as it is. Such a change may be the retry of one whose response was lost, so it is accepted at
// every revision (RFC 9110, section 13.1.1).
func (p *Precondition) Check(exists bool, revision int, same bool) error {
	switch {
	case p == nil, p.Absent && !exists:
		return nil
	case p.Absent:
		return &Error{
			Kind: Stale, Field: "If-None-Match", Detail: "it exists already; leave the header out to replace it",
		}
	case same, p.Any && exists, !p.Any && p.Revision == revision:
		return nil
	case !exists:
		return &Error{Kind: Stale, Field: "If-Match", Detail: "it does not exist: leave the header out to create it"}
	}
	return &Error{
		Kind: Stale, Field: "If-Match",
		Detail: "it is at revision " + strconv.Itoa(revision) + ": read it and send its ETag in If-Match",
	}
}

// CheckShows returns an Invalid error about field if s shows nothing, as visual.Blank reports.
func CheckShows(field, s string) error { return broken(field, visual.TextRule(s)) }

// CheckLine returns an Invalid error about field unless s is one line of text of at most maxBytes,
// as visual.LineRule defines it. It may be empty.
func CheckLine(field, s string, maxBytes int) error {
	if len(s) > maxBytes {
		return Invalidf(field, "must be at most %d bytes of UTF-8", maxBytes)
	}
	return broken(field, visual.LineRule(s))
}

// CheckName returns an Invalid error about field unless s is a line that visual.NameRule accepts.
func CheckName(field, s string, maxBytes int) error {
	return cmp.Or(CheckLine(field, s, maxBytes), broken(field, visual.NameRule(s)))
}

func broken(field, rule string) error {
	if rule == "" {
		return nil
	}
	return Invalidf(field, "%s", rule)
}
