package httpapi

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/chat"
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

// parseTime returns a time in a query, or the zero time for an absent parameter.
func parseTime(field, s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, ok := parseRFC3339(s)
	if !ok {
		err := &chat.Error{
			Kind: chat.Invalid, Field: field, Detail: "must be an existing time, such as 2018-08-29T12:00:00Z",
		}
		return time.Time{}, hintPlus(err, s)
	}
	if !t.After(time.Time{}) {
		// The zero time means that the parameter is absent.
		return time.Time{}, &chat.Error{Kind: chat.Invalid, Field: field, Detail: "must be after 0001-01-01T00:00:00Z"}
	}
	return t, nil
}

// hintPlus adds a hint to err if the value of a parameter contains a space, which is likely a +
// that was not encoded.
func hintPlus(err error, value string) error {
	var e *chat.Error
	if !strings.Contains(value, " ") || !errors.As(err, &e) {
		return err
	}
	hinted := *e
	hinted.Detail += " (the value contains a space; write + as %2B in a query)"
	return &hinted
}

// parseRFC3339 parses a time as strictly as RFC 3339 demands. time.Parse also accepts T1:00:00Z, a
// comma before the fraction, and offsets of any size.
func parseRFC3339(s string) (time.Time, bool) {
	s = strings.ToUpper(s) // RFC 3339 allows t and z
	const whole = "dddd-dd-ddTdd:dd:dd"
	if len(s) <= len(whole) || !shaped(s[:len(whole)], whole) {
		return time.Time{}, false
	}
	rest := s[len(whole):]
	if fraction, found := strings.CutPrefix(rest, "."); found {
		rest = strings.TrimLeft(fraction, "0123456789")
		if rest == fraction {
			return time.Time{}, false
		}
	}
	offset := shaped(rest, "+dd:dd") || shaped(rest, "-dd:dd")
	if rest != "Z" && (!offset || rest[1:3] > "23" || rest[4:] > "59") {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	return t, err == nil
}

// shaped reports whether s matches a pattern, in which d stands for any digit.
func shaped(s, pattern string) bool {
	if len(s) != len(pattern) {
		return false
	}
	for i := range len(s) {
		if pattern[i] == 'd' && (s[i] < '0' || '9' < s[i]) || pattern[i] != 'd' && s[i] != pattern[i] {
			return false
		}
	}
	return true
}
