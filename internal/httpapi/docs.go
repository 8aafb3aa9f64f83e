package httpapi

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"sync"
)

const description = `Chat that a team owns.

Every request but these documents needs a bearer token; the user is its subject. Times are RFC 3339 in UTC with milliseconds.
Errors are problems (RFC 9457): type is stable, retryable tells whether the very same request may succeed later.`

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
		{path: "/docs", handler: http.HandlerFunc(serveDocs)},
	}
}

// openAPIHandler serves the OpenAPI document of the whole API, also of what other
// functions serve. It is made when it is first asked for, so that a cold start
// does not pay for it.
func openAPIHandler() http.Handler {
	document := sync.OnceValues(func() ([]byte, error) {
		b, err := OpenAPI()
		return append(b, '\n'), err
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := document()
		if err != nil {
			writeProblem(w, problemOf(r.Context(), err, nil))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		// A client that is gone cannot be told.
		_, _ = w.Write(b)
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

func serveDocs(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", docsPolicy)
	// A client that is gone cannot be told.
	_, _ = w.Write(docsPage)
}
