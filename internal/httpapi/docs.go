package httpapi

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"sync"
)

const description = `Chat that a team owns.

Every request but these documents needs a bearer token; the user is its subject. Times are RFC 3339 in UTC with milliseconds.
Errors are problems (RFC 9457): type is stable, retryable tells whether the very same request may succeed later.
API Gateway itself answers 401, 413, 429, 431, 500 and 503 when it asks no function; such an answer is application/json with a message. Clients go by the status.`

//go:embed docs.html
var docsPage []byte

// document is a page that anyone may read.
type document struct {
	path    string
	handler http.Handler
}

func documents() []document {
	return []document{
		{path: "/openapi.json", handler: openAPIHandler()},
		{path: "/docs", handler: docsHandler()},
	}
}

// openAPIHandler serves the OpenAPI document of the whole API, also of what other
// functions serve.
func openAPIHandler() http.Handler {
	return lazyDocument(jsonType, func() ([]byte, error) {
		b, err := OpenAPI()
		return append(b, '\n'), err
	})
}

// lazyDocument serves what content returns. The document is made and compressed by the first
// request for it, so that a cold start does not pay for it.
func lazyDocument(contentType string, content func() ([]byte, error)) http.Handler {
	document := sync.OnceValues(func() (*static, error) {
		b, err := content()
		if err != nil {
			return nil, err
		}
		return newStatic(contentType, b)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, err := document()
		if err != nil {
			writeProblem(w, problemOf(r.Context(), err))
			return
		}
		d.ServeHTTP(w, r)
	})
}

// OpenAPI is the OpenAPI 3.1 document of the API.
func OpenAPI() ([]byte, error) {
	api := newAPI(http.NewServeMux())
	for _, op := range operations() {
		op.register(api, nil)
	}
	documentInstants(api.OpenAPI())
	// huma notes its own form of errors, which no operation gives.
	delete(api.OpenAPI().Components.Schemas.Map(), "ErrorModel")
	delete(api.OpenAPI().Components.Schemas.Map(), "ErrorDetail")
	return json.Marshal(api.OpenAPI())
}

// docsPolicy lets the page run what is in it and fetch the document; nothing else.
const docsPolicy = "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func docsHandler() http.Handler {
	page := lazyDocument("text/html; charset=utf-8", func() ([]byte, error) { return docsPage, nil })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", docsPolicy)
		page.ServeHTTP(w, r)
	})
}
