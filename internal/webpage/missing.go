package webpage

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// missingPath is the document for people who open an address that is not the page's.
const missingPath = "/missing.html"

// serveMissing passes a request on. If the answer refuses somebody who opened the address in a
// browser, they get a document that leads to the page, with the same status. Programs get the
// answer itself.
func (p page) serveMissing(w http.ResponseWriter, r *http.Request) {
	if !opensAddress(r) {
		p.next.ServeHTTP(w, r)
		return
	}
	answer := &refusable{ResponseWriter: w, header: http.Header{}}
	p.next.ServeHTTP(answer, r)
	if answer.refusal == 0 {
		return
	}
	document, err := p.find(missingPath)
	if err != nil || document == nil {
		http.Error(w, http.StatusText(answer.refusal), answer.refusal)
		return
	}
	p.setHeaders(w.Header())
	plain := r.Clone(r.Context())
	// no condition: the status is the refusal's
	plain.Header = http.Header{"Accept-Encoding": r.Header["Accept-Encoding"]}
	document.ServeHTTP(withStatus{w, answer.refusal}, plain)
}

// opensAddress reports whether a browser sends a request because a person opened the address.
func opensAddress(r *http.Request) bool {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return strings.Contains(accept, "text/html") && r.Header.Get("Authorization") == ""
}

// refusable passes an answer on, unless it refuses a path or asks for a token.
type refusable struct {
	http.ResponseWriter
	header  http.Header
	refusal int // the status that was not passed on
	passed  bool
}

func (w *refusable) Header() http.Header { return w.header }

func (w *refusable) WriteHeader(status int) {
	if w.passed || w.refusal != 0 {
		return
	}
	if slices.Contains([]int{http.StatusNotFound, http.StatusUnauthorized}, status) {
		w.refusal = status
		return
	}
	w.passed = status >= http.StatusOK // others are only informational
	maps.Copy(w.ResponseWriter.Header(), w.header)
	w.ResponseWriter.WriteHeader(status)
}

func (w *refusable) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.refusal != 0 {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// withStatus gives an answer another status.
type withStatus struct {
	http.ResponseWriter
	status int
}

func (w withStatus) WriteHeader(int) { w.ResponseWriter.WriteHeader(w.status) }
