package local

import (
	"encoding/json"
	"errors"
	"net/http"
)

// problem is a refusal of the API's own (RFC 9457), in the form of the
// functions' problems.
type problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail"`
	Retryable bool   `json:"retryable"`
}

const problemPrefix = "urn:parley:problem:"

// refusal names one of the API's own refusals.
type refusal int

const (
	unauthorized refusal = iota
	notFound
	tooLarge
	headerTooLarge
	malformed
)

func (n refusal) problem() problem {
	switch n {
	case unauthorized:
		return problem{Type: "unauthorized", Status: http.StatusUnauthorized,
			Title: "A valid token is needed", Detail: "send a valid access token as Authorization: Bearer"}
	case notFound:
		return problem{Type: "not-found", Status: http.StatusNotFound,
			Title: "There is no such thing", Detail: "there is nothing at this path and method"}
	case tooLarge:
		return problem{Type: "too-large", Status: http.StatusRequestEntityTooLarge,
			Title: "The request is too large", Detail: "a body may have 10 MB at most"}
	case headerTooLarge:
		return problem{Type: "too-large", Status: http.StatusRequestHeaderFieldsTooLarge,
			Title: "The request is too large", Detail: "the request line and headers may have 10,240 bytes at most"}
	case malformed:
	}
	return problem{Type: "malformed", Status: http.StatusBadRequest,
		Title: "The request cannot be read", Detail: "the body ends too early or is not framed as HTTP asks"}
}

// refuse answers a request that reaches no function, and logs it: no
// function does.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, why refusal) {
	p := why.problem()
	p.Type = problemPrefix + p.Type
	a.cfg.Log.InfoContext(r.Context(), "refused", "method", r.Method, "path", r.URL.Path, "status", p.Status)
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the client may have gone
}

func (a *API) refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		a.refuse(w, r, tooLarge)
		return
	}
	a.refuse(w, r, malformed)
}
