package httpapi

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"example.com/parley/api"
	"example.com/parley/internal/problem"
)

// unrouted returns the handler of requests that match no operation of a function. It answers
// 405 with the allowed methods if the path has operations, but none with the request's method,
// and 404 otherwise. It reads the methods from the OpenAPI document, because a function's
// binary lacks the operations of the others.
func unrouted() http.Handler {
	paths := sync.OnceValues(func() (*http.ServeMux, error) { return methodsByPath(api.OpenAPI()) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux, err := paths()
		if err != nil {
			writeProblem(w, problemOf(r.Context(), err))
			return
		}
		h, _ := mux.Handler(r) // without naming the pattern in the request, whose route is another
		h.ServeHTTP(w, r)
	})
}

// methodsByPath returns a handler that refuses every method of the paths of a document, and of the
// public documents.
func methodsByPath(document []byte) (*http.ServeMux, error) {
	var d struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { writeProblem(w, problem.NoRoute()) })
	for path := range d.Paths {
		methods := map[string]bool{}
		for template, operations := range d.Paths {
			if !covers(template, path) {
				continue
			}
			for method := range operations {
				methods[strings.ToUpper(method)] = true
			}
		}
		if methods[http.MethodGet] {
			methods[http.MethodHead] = true
		}
		mux.Handle(path, notAllowed(strings.Join(slices.Sorted(maps.Keys(methods)), ", ")))
	}
	for _, d := range documents() {
		mux.Handle(d.path, notAllowed("GET, HEAD"))
	}
	return mux, nil
}

// covers reports whether every path of a template is one of another's: /people/{user} covers
// /people/me.
func covers(template, path string) bool {
	ours, theirs := strings.Split(template, "/"), strings.Split(path, "/")
	return slices.EqualFunc(ours, theirs, func(a, b string) bool { return a == b || strings.HasPrefix(a, "{") })
}

// notAllowed answers 405 with the methods that are allowed. A request with one of these is of
// another function, to which the gateway would have sent it: it gets 404.
type notAllowed string

func (allow notAllowed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if slices.Contains(strings.Split(string(allow), ", "), r.Method) {
		writeProblem(w, problem.NoRoute())
		return
	}
	w.Header().Set("Allow", string(allow))
	writeProblem(w, problem.OfStatus(http.StatusMethodNotAllowed, "the path has the methods "+string(allow)))
}
