package local

import (
	"encoding/json"
	"errors"
	"net/http"

	"parley/internal/gateway"
)

// refuse answers a request that reaches no function as the service does: with a message instead of
// a problem, because an HTTP API cannot change these answers. It logs the request, which no
// function does.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, status int) {
	a.cfg.Log.InfoContext(r.Context(), "refused", "method", r.Method, "path", r.URL.Path, "status", status)
	a.message(w, status)
}

// refuseBody answers a request whose body is too large or cannot be read.
func (a *API) refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		a.refuse(w, r, http.StatusRequestEntityTooLarge)
		return
	}
	a.refuse(w, r, http.StatusBadRequest)
}

// fail answers as the service does when a function or its own part failed. Only the log says why.
func (a *API) fail(w http.ResponseWriter, in gateway.Incoming, err error) {
	a.cfg.Log.ErrorContext(in.Request.Context(), "invocation failed",
		"route", in.Route, "request", in.RequestID, "error", err)
	a.message(w, http.StatusInternalServerError)
}

// message returns an answer of the gateway's own: the status in words. It has the request's id, and
// no CORS headers, since the service is known to add those to the answers of functions alone.
func (a *API) message(w http.ResponseWriter, status int) {
	if w.Header().Get(requestIDHeader) == "" {
		if id, err := a.requestID(); err == nil {
			w.Header().Set(requestIDHeader, id)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	text, err := json.Marshal(map[string]string{"message": http.StatusText(status)})
	if err != nil {
		status, text = http.StatusInternalServerError, nil
	}
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may have gone
}
