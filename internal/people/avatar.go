package people

import (
	"net/url"
	"strconv"
	"strings"

	"example.com/parley/internal/chat"
)

// maxPort is the last port of TCP.
const maxPort = 1<<16 - 1

// checkAvatar returns an error unless s is an absolute https URL of a host, without a user and
// without characters that a URL must encode. Pages put it into their markup.
func checkAvatar(s string) error {
	const field = "avatar"
	if len(s) > MaxAvatar {
		return chat.Invalidf(field, "must be at most %d bytes", MaxAvatar)
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f || strings.IndexByte("\"<>\\^`{|}", s[i]) >= 0 {
			return chat.Invalidf(field, "must be percent-encoded ASCII")
		}
	}
	u, err := url.Parse(s)
	if err != nil || !strings.HasPrefix(s, "https://") || u.Hostname() == "" {
		return chat.Invalidf(field, "must be an https URL, such as https://example.com/rhianna.png")
	}
	if u.User != nil || strings.Contains(u.Host, "@") {
		return chat.Invalidf(field, "must not contain a user or a password")
	}
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > maxPort {
			return chat.Invalidf(field, "must have a valid port, or none")
		}
	}
	return nil
}
