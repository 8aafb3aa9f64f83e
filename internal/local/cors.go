package local

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// The stack configures the deployed API with the same lists.
const (
	corsHeaders = "authorization,content-type,if-match"
	corsExposed = "etag,idempotent-replay,location,retry-after"
	// corsMaxAge is how long a browser may remember a preflight's answer, in
	// seconds: an hour, so that a change of origins is not felt for long.
	corsMaxAge = "3600"
)

// crossOrigin does the part that the service does for browsers: it lets in the
// pages of configured origins, and answers preflights itself, whatever
// the path. It says whether the request is answered.
func (a *API) crossOrigin(w http.ResponseWriter, r *http.Request) bool {
	if len(a.cfg.Origins) == 0 {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	preflight := r.Method == http.MethodOptions && origin != "" &&
		r.Header.Get("Access-Control-Request-Method") != ""
	if allowed := a.allowedOrigin(origin); allowed != "" {
		h.Set("Access-Control-Allow-Origin", allowed)
		if preflight {
			h.Set("Access-Control-Allow-Methods", strings.Join(a.methods, ","))
			h.Set("Access-Control-Allow-Headers", corsHeaders)
			h.Set("Access-Control-Max-Age", corsMaxAge)
		} else {
			h.Set("Access-Control-Expose-Headers", corsExposed)
		}
	}
	if preflight {
		w.WriteHeader(http.StatusNoContent)
	}
	return preflight
}

// allowedOrigin returns what to allow, or "".
func (a *API) allowedOrigin(origin string) string {
	switch {
	case origin == "":
		return ""
	case slices.Contains(a.cfg.Origins, "*"):
		return "*"
	case slices.Contains(a.cfg.Origins, origin):
		return origin
	}
	return ""
}

// withoutCORS drops a function's own headers of this kind, as the service does
// where it is configured itself.
func (a *API) withoutCORS(resp events.APIGatewayV2HTTPResponse) events.APIGatewayV2HTTPResponse {
	if len(a.cfg.Origins) == 0 {
		return resp
	}
	resp.Headers = maps.Clone(resp.Headers)
	maps.DeleteFunc(resp.Headers, func(name, _ string) bool { return isCORS(name) })
	resp.MultiValueHeaders = maps.Clone(resp.MultiValueHeaders)
	maps.DeleteFunc(resp.MultiValueHeaders, func(name string, _ []string) bool { return isCORS(name) })
	return resp
}

func isCORS(name string) bool {
	return strings.HasPrefix(strings.ToLower(name), "access-control-")
}
