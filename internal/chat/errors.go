package chat

import (
	"errors"
	"fmt"
	"time"
)

// Kind says what went wrong, in words an edge can map to its own.
// The set is closed: an error without a Kind is a fault of ours, and
// edges show it as such.
type Kind int

const (
	// Invalid says that the input breaks a rule; Field names it. From every parser
	// and from the service.
	Invalid Kind = iota + 1
	// BadCursor says that the cursor is not one of ours, or belongs to another
	// room or question. From the service.
	BadCursor
	// NotFound says that the thing does not exist, or the caller may not know that
	// it does; the two are never told apart. From the store and the service.
	NotFound
	// Forbidden says that the caller may know of the room and not do this
	// in it, may not make rooms, or asks for what is another's own. From the service.
	Forbidden
	// Stale says that what the caller meant to change has changed meanwhile:
	// the version in If-Match is not the newest. From the service.
	Stale
	// RateLimited says that the caller sends too fast; RetryAfter is set. From the service.
	RateLimited
	// Conflict says that what is there does not admit the change: an id is taken by other
	// content or another maker, a message is deleted or full, a room would be without an owner.
	// From the service, and from the store where an instant of a log is full.
	Conflict
	// ClockSkew says that the time of a message's id, or of an event, is further from ours than a
	// retry or an offline queue explains; ServerTime is set. From Service.PostMessage and Service.Report.
	ClockSkew
	// Unavailable says that the store could not answer in time or is throttled;
	// the same call may be made again after RetryAfter. From the store.
	Unavailable
)

func (k Kind) String() string {
	switch k {
	case Invalid:
		return "invalid"
	case BadCursor:
		return "bad cursor"
	case NotFound:
		return "not found"
	case Forbidden:
		return "forbidden"
	case Stale:
		return "stale"
	case RateLimited:
		return "rate limited"
	case Conflict:
		return "conflict"
	case ClockSkew:
		return "clock skew"
	case Unavailable:
		return "unavailable"
	}
	return "unknown"
}

// RetryHint ends the detail of a refusal that carries RetryAfter.
const RetryHint = "retry after the seconds in Retry-After"

// Error is every error of the domain that a caller can do something about.
type Error struct {
	Kind       Kind
	Field      string        // the path of the input at fault: "text", "limit", "events[0].at"
	Detail     string        // for Invalid what the field must be, otherwise a sentence; holds no message text
	ServerTime time.Time     // for ClockSkew
	RetryAfter time.Duration // for Unavailable and RateLimited
	Cause      error         // for the log alone
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

// Unwrap gives the cause, so that errors.Is sees a cancelled context.
func (e *Error) Unwrap() error { return e.Cause }

// KindOf returns the kind of err, or 0 when it has none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return 0
}

// InField returns err with the name of the field that it is about, where it
// has the domain's form: a parser cannot know what its input is called.
func InField(field string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	named := *e
	named.Field = field
	return &named
}

func Invalidf(field, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Field: field, Detail: fmt.Sprintf(format, args...)}
}

// NoSuchRoom is for a room that does not exist, and for one that the caller may not know
// of. It is the only one of its words, for stores too: the two must never be told apart.
func NoSuchRoom() error {
	return &Error{Kind: NotFound, Detail: "there is no such room"}
}

// ErrUnreadable is wrapped by the error for an item that exists and cannot be read. Reading it again does
// not help.
var ErrUnreadable = errors.New("the item cannot be read")
