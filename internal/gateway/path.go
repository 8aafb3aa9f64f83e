package gateway

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Deliver returns the request with the path that an HTTP API passes to its routes and functions.
// The service decodes the path, cuts it at the first question mark, and decodes the rest again. It
// refuses a path that it cannot decode twice; Deliver returns an error then. The query stays as
// sent.
func Deliver(r *http.Request) (*http.Request, error) {
	path, err := deliveredPath(r.URL.Path)
	if err != nil {
		return nil, err
	}
	d := r.WithContext(r.Context())
	u := *r.URL
	u.Path, u.RawPath = path, ""
	d.URL = &u
	return d, nil
}

// deliveredPath is Deliver for a path that has been decoded once.
func deliveredPath(decoded string) (string, error) {
	path, _, _ := strings.Cut(decoded, "?")
	twice, err := url.PathUnescape(path)
	if err != nil {
		return "", fmt.Errorf("decode the path: %w", err)
	}
	return twice, nil
}
