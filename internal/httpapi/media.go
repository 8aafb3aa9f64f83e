package httpapi

import (
	"mime"
	"net/http"
	"strings"

	"parley/internal/problem"
)

const jsonType = "application/json"

// checkMedia refuses a body that does not say it is JSON in UTF-8, as it stands. A body
// without a Content-Type is taken for JSON: many clients send none, and what
// is no JSON is refused anyway. The type is left in the one form that huma
// compares with.
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
