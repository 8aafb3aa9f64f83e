package faults

import (
	"fmt"
	"net/http"
	"strings"

	smithytime "github.com/aws/smithy-go/time"
)

// Transport adds the injector to the calls of a bucket, whose operations are "HeadObject" and
// "DeleteObject". All attempts for one file are one call.
func (i *Injector) Transport(next http.RoundTripper) http.RoundTripper { return &transport{i, next} }

// transport injects faults into calls of a bucket, and passes the others to the next transport.
type transport struct {
	injector *Injector
	next     http.RoundTripper
}

// objectOperation ends the names of a bucket's operations.
const objectOperation = "Object"

// RoundTrip sends one attempt of one call.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	operation := r.Method[:1] + strings.ToLower(r.Method[1:]) + objectOperation
	switch fault := t.injector.fault(operation, operation+r.URL.Path); fault {
	case LostRequest:
		return nil, timeoutError{}
	case Unreachable:
		return nil, fmt.Errorf("injected: %v", fault)
	case LostAnswer:
		if answer, err := t.next.RoundTrip(r); err == nil {
			_ = answer.Body.Close()
		}
		return nil, timeoutError{}
	case Slow:
		if err := smithytime.SleepWithContext(r.Context(), slowDelay); err != nil {
			return nil, err
		}
	case Throttled:
		return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: http.NoBody, Request: r}, nil
	case ServerError:
		return &http.Response{StatusCode: http.StatusInternalServerError, Body: http.NoBody, Request: r}, nil
	}
	return t.next.RoundTrip(r)
}
