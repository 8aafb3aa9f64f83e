package httpapi

import (
	"mime"
	"net/http"
	"strings"

	"example.com/parley/internal/problem"
)

const jsonType = "application/json"

// checkMedia returns the problem of a body that is compressed, or whose Content-Type is not JSON
// in UTF-8. A body without a Content-Type is read as JSON, because many clients send none. It
// rewrites the header to the form that huma expects.
func checkMedia(r *http.Request) *problem.Problem {
	if r.ContentLength == 0 {
		return nil
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return problem.OfStatus(http.StatusUnsupportedMediaType, "send the body without compression")
	}
	given := r.Header.Get("Content-Type")
	if given == "" {
		return nil
	}
	media, parameters, err := mime.ParseMediaType(given)
	if err != nil || media != jsonType {
		return problem.OfStatus(http.StatusUnsupportedMediaType, "send the body as application/json")
	}
	if charset, ok := parameters["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return problem.OfStatus(http.StatusUnsupportedMediaType, "send the body in UTF-8")
	}
	r.Header.Set("Content-Type", jsonType)
	return nil
}
