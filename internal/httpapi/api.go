// Package httpapi is the HTTP edge: the API's operations (OpenAPI 3.1), strict JSON, and the table
// that turns errors of the domain into problems (RFC 9457). It holds no rules of the domain.
package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/explain"
	"example.com/parley/internal/problem"
)

const (
	// maxBody bounds a request's body. JSON may write each byte of a text of MaxText as \u00XX; 4
	// KB are for all fields except text and metadata.
	maxBody = 6*chat.MaxText + chat.MaxMetadata + 4<<10

	// RequestTimeout is shorter than the functions' timeout, which the stack sets. If the store
	// hangs, the client therefore gets 503 and Retry-After before Lambda stops the function. A
	// lookup and a put take less time unless both use up all attempts.
	RequestTimeout = 15 * time.Second

	// tokenScheme names the bearer token in the OpenAPI document.
	tokenScheme = "token"
	// serviceScheme names a service's token in it.
	serviceScheme = "service"

	title = "Parley"

	// versionHeader names the API's version in answers, and may name the client's in requests (ADR
	// 67).
	versionHeader = "Parley-Version"
)

// The line of a request in a function's log, and the fields that the dashboard reads.
const (
	LogLine   = "request"
	LogRoute  = "route"
	LogTime   = "ms"
	LogSample = "sample" // the number of requests for which a line stands: config.SampleOf, or 1
)

// Options are the settings of a handler.
type Options struct {
	Service    *app.Services
	Operations Operations // are served
	// Subject returns the subject of a request's token, which the gateway has verified. It returns
	// the empty string for a request without a token.
	Subject func(*http.Request) string
	// Name returns the name that a request's token claims for its subject, or the empty string. It
	// is nil if no token claims a name.
	Name func(*http.Request) string
	// IsService reports whether a request's token belongs to a service. It is nil if no token
	// does.
	IsService func(*http.Request) bool
	// Refused returns the check that failed for the token of a request without a subject, for the
	// log. It may be nil.
	Refused func(*http.Request) string
	// RequestID returns the id of a request in the gateway's log. It is nil without a gateway.
	RequestID func(*http.Request) string
	Log       *slog.Logger
	// Quiet logs requests that neither fail nor are slow only at debug, except for a sample,
	// because the gateway's log has them (config.RequestLevel).
	Quiet bool
	Clock func() time.Time
}

// New returns the handler of one function.
func New(o Options) http.Handler {
	mux := http.NewServeMux()
	s, compression := &server{service: o.Service}, &compression{patterns: map[string]bool{}}
	for _, op := range o.Operations.list() {
		mux.Handle(op.Method+" "+op.Path, checked(op.anyMedia, lazyOperation(op, s)))
		compression.add(op)
	}
	for _, d := range o.Operations.documents() {
		mux.Handle("GET "+d.path, checked(false, d.handler))
	}
	mux.Handle("/", unrouted())
	return edge(o, compression, mux)
}

// lazyOperation returns a handler that registers its operation on the first request. Only then
// does huma inspect the operation's types, so a cold start pays for only one operation.
func lazyOperation(op operation, s *server) http.Handler {
	handler := sync.OnceValue(func() http.Handler {
		mux := http.NewServeMux()
		body := &bodySchema{}
		api := newAPI(mux, body)
		op.register(api, s)
		body.take(api)
		return mux
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler().ServeHTTP(w, r) })
}

// newAPI returns an API without operations. Request bodies have the schema that body holds when
// they are read.
func newAPI(mux *http.ServeMux, body *bodySchema) huma.API {
	return humago.New(mux, huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info:    &huma.Info{Title: title, Version: config.Version, Description: description},
			Components: &huma.Components{
				Schemas: newSchemas(),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					tokenScheme: {
						Type: "http", Scheme: "bearer", BearerFormat: "JWT", Description: "A person's access token",
					},
					serviceScheme: {
						Type: "http", Scheme: "bearer", BearerFormat: "JWT",
						Description: "A service's access token, which has the scope parley/act-as",
					},
				},
			},
		},
		Formats:       map[string]huma.Format{jsonType: strictJSON(body), "json": strictJSON(body)},
		DefaultFormat: jsonType,
		Transformers:  []huma.Transformer{problemTransformer},
	})
}

// edge wraps the handler of all routes with everything that each request needs: a time limit,
// a log entry, recovery from panics, compression, and a context with the caller and a logger.
func edge(o Options, compression *compression, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := o.Clock()
		log, quiet, sample := o.Log, o.Quiet, 1
		if o.RequestID != nil {
			id := o.RequestID(r)
			log = log.With("request", id)
			if o.Quiet && config.Sampled(id) {
				quiet, sample = false, config.SampleOf
			}
		}
		ctx, cancel := context.WithTimeout(r.Context(), RequestTimeout)
		defer cancel()
		r = r.WithContext(context.WithValue(ctx, requestKey{}, requestOf(o, r, log)))
		cw := compression.writer(w, r)
		defer cw.close()
		sw := &statusWriter{ResponseWriter: cw} // counts the bytes before compression
		defer func() {
			if p := recover(); p != nil {
				log.ErrorContext(r.Context(), "panic", "cause", p, "stack", string(debug.Stack()))
				if sw.status == 0 {
					writeProblem(sw, explain.Internal())
				}
			}
			took := o.Clock().Sub(began)
			log.Log(r.Context(), config.RequestLevel(
				quiet, sw.status, took,
			), LogLine, "method", r.Method, LogRoute, r.Pattern,
				"status", sw.status, LogTime, took.Milliseconds(), LogSample, sample)
		}()
		sw.Header().Set("X-Content-Type-Options", "nosniff")
		sw.Header().Set("Cache-Control", "no-store")
		sw.Header().Set(versionHeader, config.APIVersion)
		next.ServeHTTP(sw, r)
		settle(r, sw)
	})
}

// checked refuses requests with an unknown version, query, condition or media type before they
// reach an operation. With anyMedia, bodies may have any type.
func checked(anyMedia bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := refusal(r, anyMedia); p != nil {
			writeProblem(w, p)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refusal returns the problem of a request that must not reach an operation, or nil.
func refusal(r *http.Request, anyMedia bool) *problem.Problem {
	if v := r.Header.Get(versionHeader); v != "" && !config.Speaks(v) {
		return problem.OfField(
			http.StatusBadRequest, versionHeader, "must be a version that this deployment serves, "+config.APIVersion,
		)
	}
	if p := checkQuery(r.URL); p != nil {
		return p
	}
	if p := checkConditions(r); p != nil {
		return p
	}
	return checkMedia(r, anyMedia)
}

// statusWriter records the status for the log, and the size of the response for its price.
type statusWriter struct {
	http.ResponseWriter
	status int
	bytes  int
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.bytes += len(b)
	return w.ResponseWriter.Write(b)
}

func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
