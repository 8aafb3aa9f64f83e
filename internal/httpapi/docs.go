package httpapi

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"sync"
)

const description = `Chat in the team's own AWS account.

Every request needs a bearer token, except those for this document and its page. The token's subject is the user. Times are RFC 3339 in UTC with milliseconds.
A token with the scope parley/act-as is a service's. It may act for a user: the header Parley-Act-As names them, and what they may do decides. Messages and audit logs then name the service as via. The header is refused with other tokens (403).
Errors are problems (RFC 9457): type is stable, and retryable reports whether the same request may succeed later.
API Gateway itself may answer 401, 413, 429, 431, 500 and 503. Such an answer is application/json with a message; decide by the status.`

//go:embed docs.html
var docsPage []byte

// document is a page that needs no token.
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

// openAPIHandler returns a handler of the OpenAPI document, which covers the operations of all
// functions.
func openAPIHandler() http.Handler {
	return lazyDocument(jsonType, func() ([]byte, error) {
		b, err := OpenAPI()
		return append(b, '\n'), err
	})
}

// lazyDocument returns a handler of the document that content returns. The first request creates
// and compresses the document, so a cold start does not pay for it.
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

// OpenAPI returns the OpenAPI 3.1 document of the API.
func OpenAPI() ([]byte, error) {
	api := newAPI(http.NewServeMux())
	for _, op := range operations() {
		op.register(api, nil)
	}
	documentInstants(api.OpenAPI())
	// huma registers its own schemas of errors, which problemTransformer replaces.
	delete(api.OpenAPI().Components.Schemas.Map(), "ErrorModel")
	delete(api.OpenAPI().Components.Schemas.Map(), "ErrorDetail")
	return json.Marshal(api.OpenAPI())
}

// docsPolicy allows the page its own script and style, and requests to its own origin.
const docsPolicy = "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func docsHandler() http.Handler {
	page := lazyDocument("text/html; charset=utf-8", func() ([]byte, error) { return docsPage, nil })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", docsPolicy)
		page.ServeHTTP(w, r)
	})
}
