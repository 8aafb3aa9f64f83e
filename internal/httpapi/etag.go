package httpapi

import (
	"net/http"
	"slices"
	"strconv"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/problem"
)

// anyETag matches every revision.
const anyETag = "*"

// etag returns a version or a revision as an ETag.
func etag(number int) string { return strconv.Quote(strconv.Itoa(number)) }

// parseETag returns the number in an ETag, or 0 for an absent header.
func parseETag(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' {
		digits := s[1 : len(s)-1]
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n < chat.MaxVersion && strconv.Itoa(n) == digits {
			return n, nil
		}
	}
	return 0, &chat.Error{Kind: chat.Invalid, Field: "If-Match", Detail: `must be one ETag, such as "3"`}
}

// checkIfMatch returns the problem of an If-Match without a value. Such a header would count as
// absent, and an edit would replace content that its sender has not seen.
func checkIfMatch(h http.Header) *problem.Problem {
	if !slices.Contains(h.Values("If-Match"), "") {
		return nil
	}
	return problem.OfField(http.StatusUnprocessableEntity, "If-Match", "must have a value")
}
