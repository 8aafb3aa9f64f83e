package httpapi

import (
	"fmt"
	"html"
	"net/http"

	"example.com/parley/internal/problem"
)

// problemPolicy allows the page of a problem nothing: it is text.
const problemPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// problemPage answers with the page to which the type of a problem leads.
func problemPage(w http.ResponseWriter, r *http.Request) {
	t, ok := problem.Named(r.PathValue("type"))
	if !ok {
		writeProblem(w, problem.NoRoute())
		return
	}
	retry := "The same request fails again."
	if t.Retryable {
		retry = "The same request may succeed later."
	}
	w.Header().Set("Content-Security-Policy", problemPolicy)
	w.Header().Set("Cache-Control", documentCache)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// The status has been sent, so a failed write cannot be reported to the client.
	_, _ = fmt.Fprintf(w, problemHTML, t.Title, t.Title, t.URI(), t.Status, html.EscapeString(t.Meaning), retry)
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
