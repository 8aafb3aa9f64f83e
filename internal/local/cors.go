package local

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// CORS configures the access of pages of other origins. Without origins, they have no access.
type CORS struct {
	Origins []string
	Headers []string      // that a page may send
	Exposed []string      // that a page may read
	MaxAge  time.Duration // how long a browser may cache a preflight's response
}

// preflight answers a preflight request on any path, as the service does. It reports whether the
// request was one.
func (a *API) preflight(w http.ResponseWriter, r *http.Request) bool {
	if len(a.cfg.CORS.Origins) == 0 || r.Method != http.MethodOptions ||
		r.Header.Get("Origin") == "" || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	if allowed := a.allowedOrigin(r.Header.Get("Origin")); allowed != "" {
		h.Set("Access-Control-Allow-Origin", allowed)
		h.Set("Access-Control-Allow-Methods", strings.Join(a.methods, ","))
		h.Set("Access-Control-Allow-Headers", strings.Join(a.cfg.CORS.Headers, ","))
		h.Set("Access-Control-Max-Age", strconv.Itoa(int(a.cfg.CORS.MaxAge.Seconds())))
	}
	w.WriteHeader(http.StatusNoContent)
	return true
}

// allowOrigin adds the headers that let pages of configured origins read a response.
func (a *API) allowOrigin(w http.ResponseWriter, r *http.Request) {
	if len(a.cfg.CORS.Origins) == 0 {
		return
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	if allowed := a.allowedOrigin(r.Header.Get("Origin")); allowed != "" {
		h.Set("Access-Control-Allow-Origin", allowed)
		h.Set("Access-Control-Expose-Headers", strings.Join(a.cfg.CORS.Exposed, ","))
	}
}

// allowedOrigin returns the value of Access-Control-Allow-Origin, or "".
func (a *API) allowedOrigin(origin string) string {
	switch {
	case origin == "":
		return ""
	case slices.Contains(a.cfg.CORS.Origins, "*"):
		return "*"
	case slices.Contains(a.cfg.CORS.Origins, origin):
		return origin
	}
	return ""
}

// withoutCORS removes a function's own CORS headers, as the service does if it is configured
// itself.
func withoutCORS(resp events.APIGatewayV2HTTPResponse) events.APIGatewayV2HTTPResponse {
	resp.Headers = maps.Clone(resp.Headers)
	maps.DeleteFunc(resp.Headers, func(name, _ string) bool { return isCORS(name) })
	resp.MultiValueHeaders = maps.Clone(resp.MultiValueHeaders)
	maps.DeleteFunc(resp.MultiValueHeaders, func(name string, _ []string) bool { return isCORS(name) })
	return resp
}

func isCORS(name string) bool {
	return strings.HasPrefix(strings.ToLower(name), "access-control-")
}
