package explain_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/explain"
	"example.com/parley/internal/problem"
)

// TestError_EveryKindHasItsProblem compares the types of problems with the kinds of errors, which
// are a closed set.
func TestError_EveryKindHasItsProblem(t *testing.T) {
	t.Parallel()
	for kind, want := range map[chat.Kind]string{
		chat.Invalid: "invalid", chat.BadCursor: "bad-cursor", chat.NotFound: "not-found", chat.Forbidden: "forbidden", chat.Suspended: "suspended", chat.Stale: "stale",
		chat.PreconditionRequired: "precondition-required", chat.RateLimited: "rate-limited", chat.Conflict: "conflict",
		chat.ClockSkew: "clock-skew", chat.Unavailable: "unavailable",
	} {
		p := explain.Error(fmt.Errorf("wrapped: %w", &chat.Error{Kind: kind, Field: "a.b", Detail: "x", RetryAfter: time.Second, Cause: errors.New("c")}))
		if p == nil || p.Type != problem.Prefix+want || p.RetryAfter != time.Second || len(p.Errors) != 1 || p.Errors[0].Location != "a.b" {
			t.Errorf("%v: %+v, want %s", kind, p, want)
		}
	}
	for kind := chat.Kind(1); kind.String() != "unknown"; kind++ {
		if p := explain.Error(&chat.Error{Kind: kind}); p == nil || p.Status == 0 || p.Title == "" {
			t.Errorf("%v has no problem: %+v", kind, p)
		}
	}
}

// TestError_OthersAreTheServersFault tells errors of the domain from others, and their causes.
func TestError_OthersAreTheServersFault(t *testing.T) {
	t.Parallel()
	if p := explain.Error(errors.New("x")); p != nil {
		t.Errorf("%+v", p)
	}
	if p := explain.Internal(); p.Status != http.StatusInternalServerError {
		t.Errorf("%+v", p)
	}
	known := problem.NoRoute()
	if p := explain.Error(fmt.Errorf("wrapped: %w", known)); p != known {
		t.Errorf("%+v", p)
	}
	cause := errors.New("throttled")
	if kind, got, ok := explain.Cause(&chat.Error{Kind: chat.Unavailable, Cause: cause}); !ok || kind != chat.Unavailable || !errors.Is(got, cause) {
		t.Errorf("%v, %v, %t", kind, got, ok)
	}
	for _, err := range []error{cause, known, &chat.Error{Kind: chat.NotFound}} {
		if _, _, ok := explain.Cause(err); ok {
			t.Errorf("%v has a cause", err)
		}
	}
	if p := explain.Error(&chat.Error{Kind: chat.Unavailable}); p.Detail != "The store cannot answer at present; retry after the seconds in Retry-After." {
		t.Error(p.Detail)
	}
	at := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	if p := explain.Error(&chat.Error{Kind: chat.ClockSkew, ServerTime: at}); p.ServerTime != "2018-08-29T12:00:00.000Z" {
		t.Error(p.ServerTime)
	}
}
