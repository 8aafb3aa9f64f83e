package httpapi

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/parley/internal/problem"
)

// lists are the parameters that accept several values, separated by commas. Clients may also
// repeat them, since some generated clients do so for every array.
var lists = map[string]bool{"ids": true, "include": true}

// checkQuery returns the problem of a query that cannot be decoded, or that gives a parameter twice
// or without a value. It joins the repeated values of a list.
func checkQuery(u *url.URL) *problem.Problem {
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return problem.OfStatus(http.StatusBadRequest, "the query string must be percent-encoded UTF-8")
	}
	p := problem.OfStatus(http.StatusUnprocessableEntity, "")
	joined := false
	for _, name := range slices.Sorted(maps.Keys(q)) {
		values := q[name]
		if slices.Contains(values, "") {
			p.AddFault(name, "must have a value")
		} else if len(values) > 1 && lists[name] {
			q.Set(name, strings.Join(values, ","))
			joined = true
		} else if len(values) > 1 {
			p.AddFault(name, "must be given once")
		}
	}
	if len(p.Errors) > 0 {
		return p
	}
	if joined {
		u.RawQuery = q.Encode()
	}
	return nil
}
