package rights

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Recorder records the calls of functions to AWS. Like IAM, it denies calls that their roles do
// not allow. It is safe for concurrent use.
type Recorder struct {
	names Names
	stack *Stack
	roles map[string][]Statement // by function

	mu     sync.Mutex
	calls  map[string]map[Call]error // by function; the error is the reason for a denial
	faults map[string]bool           // calls that are denied or cannot be parsed
}

// NewRecorder returns a recorder for resources with the given names.
func NewRecorder(stack *Stack, names Names) *Recorder {
	return &Recorder{
		names: names, stack: stack, roles: map[string][]Statement{}, calls: map[string]map[Call]error{}, faults: map[string]bool{},
	}
}

// caller is the context key for the name of a function.
type caller struct{}

// As returns a context in which calls are recorded as a function's calls.
func As(ctx context.Context, function string) context.Context {
	return context.WithValue(ctx, caller{}, function)
}

// Handler returns a handler that runs h as a function, so that its calls are recorded.
func Handler(function string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(As(r.Context(), function)))
	})
}

// Options records the calls of a client whose context is from As. Other calls belong to the test
// itself and are not recorded.
func (r *Recorder) Options(o *dynamodb.Options) { r.option("")(o) }

// Client returns an option that records all calls of a client as a function's calls.
func (r *Recorder) Client(function string) func(*dynamodb.Options) { return r.option(function) }

func (r *Recorder) option(function string) func(*dynamodb.Options) {
	return func(o *dynamodb.Options) {
		next := o.HTTPClient
		if next == nil {
			next = http.DefaultClient
		}
		o.HTTPClient = r.calling(function, next.Do)
	}
}

// Files records the calls of a bucket's client whose context is from As. next answers them.
func (r *Recorder) Files(next http.RoundTripper) http.RoundTripper {
	return r.calling("", next.RoundTrip)
}

// FilesOf returns a function that records all calls of a bucket's client as a function's calls.
func (r *Recorder) FilesOf(function string) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper { return r.calling(function, next.RoundTrip) }
}

// calling records the calls of a function, or else of the function that a call's context names.
func (r *Recorder) calling(function string, next doer) doer {
	return func(request *http.Request) (*http.Response, error) {
		by := function
		if by == "" {
			by, _ = request.Context().Value(caller{}).(string)
		}
		if by == "" {
			return next(request)
		}
		return r.do(by, request, next)
	}
}

type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

// RoundTrip implements http.RoundTripper, so that a proxy can use a doer as its transport.
func (d doer) RoundTrip(r *http.Request) (*http.Response, error) { return d(r) }

// Transport returns the transport of a proxy for a function that runs in a separate process.
func (r *Recorder) Transport(function string) http.RoundTripper {
	return doer(func(request *http.Request) (*http.Response, error) {
		return r.do(function, request, http.DefaultTransport.RoundTrip)
	})
}

// do records one attempt of a call, and sends it if the function's role allows it.
func (r *Recorder) do(function string, request *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
		_ = request.Body.Close() // the body has been read
	}
	refusal := r.record(function, request, body)
	if refusal != "" {
		return denial(request, refusal), nil
	}
	again := request.Clone(request.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	return next(again)
}

// record records the calls of a request. It returns the reason if the request is denied.
func (r *Recorder) record(function string, request *http.Request, body []byte) (refusal string) {
	calls, err := connectionCall(request), error(nil)
	switch target := request.Header.Get("X-Amz-Target"); {
	case calls != nil:
	case target == "":
		calls, err = r.names.objectCall(request)
	default:
		calls, err = r.names.calls(target, body)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		return r.fault(function, err)
	}
	role, ok := r.roles[function]
	if !ok {
		if role, err = CodeRole(r.stack, function); err != nil {
			return r.fault(function, err)
		}
		r.roles[function] = role
	}
	for _, c := range calls {
		if r.calls[function] == nil {
			r.calls[function] = map[Call]error{}
		}
		refused, known := r.calls[function][c]
		if !known {
			refused = Check(r.stack, role, c)
			r.calls[function][c] = refused
		}
		if refused != nil {
			return r.fault(function, refused)
		}
	}
	return ""
}

func (r *Recorder) fault(function string, err error) string {
	text := function + ": " + err.Error()
	r.faults[text] = true
	return text
}

// Check returns an error if a role does not allow a call.
func Check(stack *Stack, role []Statement, c Call) error {
	request, err := c.request(stack)
	if err != nil {
		return err
	}
	switch decision, err := Evaluate(role, request); {
	case err != nil:
		return err
	case decision == Denied:
		return fmt.Errorf("%s is denied by the role", c)
	case decision != Allowed:
		return fmt.Errorf("%s is not allowed by the role: grant it in infra/stack", c)
	}
	return nil
}

// denial returns the service's response to a call that IAM denies.
func denial(request *http.Request, refusal string) *http.Response {
	text, err := json.Marshal(map[string]string{
		"__type": "com.amazon.coral.service#AccessDeniedException", "Message": "User is not authorized: " + refusal,
	})
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return &http.Response{
		StatusCode: http.StatusBadRequest, Status: "400 Bad Request", Request: request, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:   io.NopCloser(bytes.NewReader(text)), ContentLength: int64(len(text)),
	}
}
