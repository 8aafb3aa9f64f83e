package httpapi

import (
	"strconv"

	"parley/internal/chat"
)

// anyETag matches whatever stands.
const anyETag = "*"

// etag is how a version or a revision is named in headers.
func etag(number int) string { return strconv.Quote(strconv.Itoa(number)) }

// parseETag reads what etag wrote; none is 0.
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
