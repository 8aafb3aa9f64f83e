package httpapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"sync"

	"example.com/parley/api"
	"example.com/parley/internal/problem"
	"example.com/parley/internal/webpage"
)

//go:embed docs.html
var docsPage []byte

// publicDocument is a page that needs no token.
type publicDocument struct {
	path    string
	handler http.Handler
}

func documents() []publicDocument {
	return []publicDocument{
		{path: "/openapi.json", handler: openAPIHandler(func() ([]byte, error) { return api.OpenAPI(), nil })},
		{path: "/openapi-3.0.json", handler: openAPIHandler(api.OpenAPI30)},
		{
			path:    "/asyncapi.json",
			handler: lazyDocument(jsonType, func() ([]byte, error) { return api.AsyncAPI(), nil }),
		},
		{path: "/docs", handler: docsHandler()},
		{path: problem.Prefix + "{type}", handler: problemPages()},
	}
}

// openAPIHandler returns a handler of an OpenAPI document, which covers the operations of all
// functions. It is stored with the code, because generating it requires the code of all
// operations. It is sent without the stored form's white space.
func openAPIHandler(stored func() ([]byte, error)) http.Handler {
	return lazyDocument(jsonType, func() ([]byte, error) {
		document, err := stored()
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err = json.Compact(&b, document)
		b.WriteByte('\n')
		return b.Bytes(), err
	})
}

// documentCache lets browsers and proxies cache the public documents. An upgrade shows within five
// minutes. After that, the ETag of an unchanged document yields a 304.
const documentCache = "public, max-age=300"

// lazyDocument returns a handler of the document that content returns. The first request creates
// and compresses the document, so a cold start does not pay for it.
func lazyDocument(contentType string, content func() ([]byte, error)) http.Handler {
	document := sync.OnceValues(func() (*webpage.Document, error) {
		b, err := content()
		if err != nil {
			return nil, err
		}
		return webpage.NewDocument(webpage.Form{ContentType: contentType, CacheControl: documentCache}, b)
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

// docsPolicy allows the page only its own script and style, and requests to its own origin.
const docsPolicy = "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func docsHandler() http.Handler {
	page := lazyDocument("text/html; charset=utf-8", func() ([]byte, error) { return docsPage, nil })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", docsPolicy)
		page.ServeHTTP(w, r)
	})
}

// problemPolicy allows the page of a problem nothing: it is text.
const problemPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// problemPages returns a handler of the pages to which the types of problems lead.
func problemPages() http.Handler {
	pages := map[string]http.Handler{}
	for _, t := range problem.Types() {
		pages[t.Name] = lazyDocument("text/html; charset=utf-8", func() ([]byte, error) { return problemText(t), nil })
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.PathValue("type")]
		if !ok {
			writeProblem(w, problem.NoRoute())
			return
		}
		w.Header().Set("Content-Security-Policy", problemPolicy)
		page.ServeHTTP(w, r)
	})
}

func problemText(t problem.Type) []byte {
	retry := "The same request fails again."
	if t.Retryable {
		retry = "The same request may succeed later."
	}
	return fmt.Appendf(nil, problemHTML, t.Title, t.Title, t.URI(), t.Status, html.EscapeString(t.Meaning), retry)
}

const problemHTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>%s</title>
<h1>%s</h1>
<p><code>%s</code>, status %d</p>
<p>%s</p>
<p>%s</p>
<p><a href="/docs">All operations</a></p>
`
