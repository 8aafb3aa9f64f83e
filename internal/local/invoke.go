package local

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"golang.org/x/sync/semaphore"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/gateway"
)

const (
	// maxBody and maxHeader are fixed quotas of HTTP APIs.
	maxBody   = 10 << 20
	maxHeader = 10_240
	// invokeTimeout is the longest that an HTTP API waits for a function.
	invokeTimeout = 30 * time.Second
	// requestIDSize is the size of the service's request ids.
	requestIDSize = 11
	// requestIDHeader is the response header with the request id.
	requestIDHeader = "Apigw-Requestid"
)

// invoke returns a handler that calls the function of a route.
func (a *API) invoke(route Route) http.Handler {
	names := parameterNames(route.Path)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := gateway.Incoming{Request: r, Route: route.key(), Time: a.cfg.Clock()}
		var err error
		if in.RequestID, err = a.requestID(); err != nil {
			a.fail(w, in, err)
			return
		}
		w.Header().Set(requestIDHeader, in.RequestID)
		if !route.Public && !a.authorize(w, &in) {
			return
		}
		body, done, err := a.bodies.read(w, r)
		if err != nil {
			a.refuseBody(w, r, err)
			return
		}
		defer done()
		in.Body = body
		in.Parameters = parameters(r, names)
		ctx := r.Context()
		if !route.Ends { // as in the service
			ctx = context.WithoutCancel(ctx)
		}
		ctx, cancel := context.WithTimeout(ctx, invokeTimeout)
		defer cancel()
		resp, err := call(ctx, route.Invoke, gateway.Event(in))
		if err == nil {
			err = a.respond(w, r, resp)
		}
		if err != nil {
			a.fail(w, in, err)
		}
	})
}

// parameters returns the values of the names in a route's path. The value of a greedy name is the
// whole path.
func parameters(r *http.Request, names []string) map[string]string {
	values := make(map[string]string, len(names))
	for _, name := range names {
		if plain, greedy := strings.CutSuffix(name, "+"); greedy {
			values[plain] = strings.TrimPrefix(r.URL.Path, "/")
		} else {
			values[name] = r.PathValue(name)
		}
	}
	return values
}

// authorize acts as the JWT authorizer. It stores the token's claims in the event and reports
// whether the request is authorized. If not, it has answered the request.
func (a *API) authorize(w http.ResponseWriter, in *gateway.Incoming) bool {
	claims, err := a.cfg.Verifier.Verify(in.Request.Context(), bearer(in.Request))
	switch {
	case errors.Is(err, auth.ErrRefused):
		w.Header().Set("WWW-Authenticate", challenge(in.Request))
		a.cfg.Log.InfoContext(in.Request.Context(), "unauthorized", "route", in.Route, "check", err.Error())
		a.refuse(w, in.Request, http.StatusUnauthorized)
	case err != nil: // the issuer does not answer, so its keys are unknown
		a.cfg.Log.WarnContext(in.Request.Context(), "a token cannot be checked", "route", in.Route, "error", err)
		w.Header().Set("Retry-After", "1")
		a.refuse(w, in.Request, http.StatusServiceUnavailable)
	default:
		in.Claims, in.Scopes = claims.Values, claims.Scopes
		return true
	}
	return false
}

// bearer returns the token of a request, or "" if there is none or more than one.
func bearer(r *http.Request) string {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}

// challenge returns the WWW-Authenticate header for a missing or an invalid token (RFC 6750,
// section 3). It has the form of the service's header, which gives its own reason.
func challenge(r *http.Request) string {
	if r.Header.Get("Authorization") == "" {
		return "Bearer"
	}
	return `Bearer scope="" error="invalid_token" error_description="the token is not valid"`
}

// respond sends a function's response, with the CORS headers of the API.
func (a *API) respond(w http.ResponseWriter, r *http.Request, resp events.APIGatewayV2HTTPResponse) error {
	if len(a.cfg.CORS.Origins) == 0 {
		return gateway.WriteResponse(w, resp)
	}
	a.allowOrigin(w, r)
	err := gateway.WriteResponse(w, withoutCORS(resp))
	if err != nil { // nothing was written: the gateway answers itself
		w.Header().Del("Vary")
		maps.DeleteFunc(w.Header(), func(name string, _ []string) bool { return isCORS(name) })
	}
	return err
}

// call invokes a function and turns a panic into an error. As in the service, a panic ends one
// invocation and not the whole API.
func call(
	ctx context.Context, f Invoke, e events.APIGatewayV2HTTPRequest,
) (resp events.APIGatewayV2HTTPResponse, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("function panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return f(ctx, e)
}

func (a *API) requestID() (string, error) {
	var id [requestIDSize]byte
	if _, err := io.ReadFull(a.cfg.Rand, id[:]); err != nil {
		return "", fmt.Errorf("create a request id: %w", err)
	}
	return base64.StdEncoding.EncodeToString(id[:]), nil
}

// headerSize returns the size that the service counts: the request line and all headers.
func headerSize(r *http.Request) int {
	size := len(r.Method) + len(r.RequestURI) + len(r.Proto) + len(r.Host)
	for name, values := range r.Header {
		for _, value := range values {
			size += len(name) + len(value)
		}
	}
	return size
}

// refuse answers a request that reaches no function, with the service's message. It is not a
// problem document, because an HTTP API cannot change these responses. refuse also logs the
// request.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, status int) {
	a.cfg.Log.InfoContext(r.Context(), "refused", "method", r.Method, "path", r.URL.Path, "status", status)
	a.message(w, status)
}

// refuseBody answers a request whose body is too large, cannot be read, or arrives while too many
// others are in memory.
func (a *API) refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	var over *http.MaxBytesError
	switch {
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", "1")
		a.refuse(w, r, http.StatusServiceUnavailable)
	case errors.As(err, &over):
		a.refuse(w, r, http.StatusRequestEntityTooLarge)
	default:
		a.refuse(w, r, http.StatusBadRequest)
	}
}

// fail answers a request whose function or gateway failed, as the service does. Only the log
// contains the reason.
func (a *API) fail(w http.ResponseWriter, in gateway.Incoming, err error) {
	a.cfg.Log.ErrorContext(in.Request.Context(), "invocation failed",
		"route", in.Route, "request", in.RequestID, "error", err)
	a.message(w, http.StatusInternalServerError)
}

// message writes a response of the gateway itself: the status in words and the request's id. It has
// no CORS headers, because the service adds those only to the responses of functions.
func (a *API) message(w http.ResponseWriter, status int) {
	if w.Header().Get(requestIDHeader) == "" {
		if id, err := a.requestID(); err == nil {
			w.Header().Set(requestIDHeader, id)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	text, err := json.Marshal(map[string]string{"message": http.StatusText(status)})
	if err != nil {
		status, text = http.StatusInternalServerError, nil
	}
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may have disconnected
}

// maxBodies bounds the bodies in memory, by their declared sizes: six of the largest fit. The
// functions' events hold further copies of a body, so the memory in use is about four times as
// much.
const maxBodies = 64 << 20

// errBusy is the error for a body that would exceed maxBodies.
var errBusy = errors.New("too many bytes of requests are in flight")

// bodies bounds the bodies that an API holds in memory.
type bodies struct{ free *semaphore.Weighted }

func newBodies() bodies { return bodies{semaphore.NewWeighted(maxBodies)} }

// read reads the body of a request, of at most maxBody bytes. The caller calls done when it no
// longer needs the body. A body of undeclared length counts as one of maxBody. The error is
// errBusy if the bodies in flight leave no room. Waiting would let slow senders of large bodies
// delay everybody.
func (b bodies) read(w http.ResponseWriter, r *http.Request) (body []byte, done func(), err error) {
	size := r.ContentLength
	if size < 0 || size > maxBody {
		size = maxBody
	}
	if !b.free.TryAcquire(size) {
		// A client that is still sending would lose the answer with its connection.
		_, _ = io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxBody))
		return nil, nil, errBusy
	}
	done = func() { b.free.Release(size) }
	read := bytes.NewBuffer(make([]byte, 0, min(size, bytes.MinRead)))
	if _, err = io.Copy(read, http.MaxBytesReader(w, r.Body, maxBody)); err != nil {
		done()
		return nil, nil, err
	}
	return read.Bytes(), done, nil
}
