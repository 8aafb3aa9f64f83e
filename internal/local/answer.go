package local

import (
	"encoding/json"
	"errors"
	"net/http"

	"example.com/parley/internal/gateway"
)

// refuse answers a request that reaches no function, with the service's message. It is not a
// problem document, because an HTTP API cannot change these responses. refuse also logs the
// request.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, status int) {
	a.cfg.Log.InfoContext(r.Context(), "refused", "method", r.Method, "path", r.URL.Path, "status", status)
	a.message(w, status)
}

// refuseBody answers a request whose body is too large, cannot be read, or arrives while too many
// others are in memory.
func (a *API) refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	var over *http.MaxBytesError
	switch {
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", "1")
		a.refuse(w, r, http.StatusServiceUnavailable)
	case errors.As(err, &over):
		a.refuse(w, r, http.StatusRequestEntityTooLarge)
	default:
		a.refuse(w, r, http.StatusBadRequest)
	}
}

// fail answers a request whose function or gateway failed, as the service does. Only the log
// contains the reason.
func (a *API) fail(w http.ResponseWriter, in gateway.Incoming, err error) {
	a.cfg.Log.ErrorContext(in.Request.Context(), "invocation failed",
		"route", in.Route, "request", in.RequestID, "error", err)
	a.message(w, http.StatusInternalServerError)
}

// message writes a response of the gateway itself: the status in words and the request's id. It has
// no CORS headers, because the service adds those only to the responses of functions.
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
	_, _ = w.Write(text) // the client may have disconnected
}
