package httpapi

import (
	"fmt"
	"html"
	"net/http"

	"example.com/parley/internal/problem"
)

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
