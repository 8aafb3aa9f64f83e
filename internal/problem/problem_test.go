package problem_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"example.com/parley/internal/problem"
)

// TestNoRoute_OnTheWire compares the bytes of a problem.
func TestNoRoute_OnTheWire(t *testing.T) {
	t.Parallel()
	const want = `{"type":"/problems/not-found","title":"Not found","status":404,` +
		`"detail":"No operation has this path; /openapi.json lists all.","retryable":false}`
	if got, err := json.Marshal(problem.NoRoute()); err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

func TestOfStatus_IsTheGeneralType(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		http.StatusBadRequest: "/problems/malformed", http.StatusConflict: "/problems/conflict",
		http.StatusServiceUnavailable: "/problems/unavailable", http.StatusTeapot: "about:blank",
	} {
		if got := problem.OfStatus(status, "x"); got.Type != want || got.Status != status || got.Title == "" || got.Detail != "X." {
			t.Errorf("%d: %+v, want the type %s", status, got, want)
		}
	}
	if got := problem.BadCursor(""); got.Type != "/problems/bad-cursor" || got.Status != http.StatusBadRequest {
		t.Errorf("%+v", got)
	}
	if got := problem.ClockSkew(""); got.Type != "/problems/clock-skew" || got.Status != http.StatusConflict {
		t.Errorf("%+v", got)
	}
}

func TestTypes_AreDistinct(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, k := range problem.Types() {
		if seen[k.Name] || seen[k.Title] || k.Name == "" || k.Title == "" || http.StatusText(k.Status) == "" {
			t.Errorf("%+v is not whole, or there twice", k)
		}
		seen[k.Name], seen[k.Title] = true, true
	}
}

func TestGetHeaders(t *testing.T) {
	t.Parallel()
	p := problem.OfStatus(http.StatusTooManyRequests, "")
	p.RetryAfter = 1200 * time.Millisecond
	if got := p.GetHeaders(); got.Get("Retry-After") != "2" || got.Get("WWW-Authenticate") != "" || got.Get("RateLimit") != "" {
		t.Error(got)
	}
	p.Limit = "messages"
	if got := p.GetHeaders().Get("RateLimit"); got != `"messages";r=0;t=2` {
		t.Error(got)
	}
	if got := problem.OfStatus(http.StatusUnauthorized, "").GetHeaders(); got.Get("Retry-After") != "" || got.Get("WWW-Authenticate") != "Bearer" {
		t.Error(got)
	}
}

func TestNew_DetailIsASentence(t *testing.T) {
	t.Parallel()
	for clause, want := range map[string]string{
		"": "", "x": "X.", "there is no such room": "There is no such room.", "Already one.": "Already one.", "élan": "Élan.",
	} {
		if got := problem.OfStatus(http.StatusNotFound, clause).Detail; got != want {
			t.Errorf("%q becomes %q, want %q", clause, got, want)
		}
	}
}

func TestAddFault_FirstIsTheDetail(t *testing.T) {
	t.Parallel()
	p := problem.OfStatus(http.StatusUnprocessableEntity, "validation failed")
	p.AddFault("events[0].at", "must be a time")
	p.AddFault("limit", "must be at least 1")
	if p.Detail != "events[0].at must be a time." || len(p.Errors) != 2 || p.Errors[1] != (problem.Fault{Location: "limit", Message: "must be at least 1"}) {
		t.Errorf("%+v", p)
	}
	whole := problem.OfStatus(http.StatusBadRequest, "")
	whole.AddFault(problem.Body, "ends too early")
	if whole.Detail != "The body ends too early." || whole.Errors[0].Location != "body" {
		t.Errorf("%+v", whole)
	}
}
