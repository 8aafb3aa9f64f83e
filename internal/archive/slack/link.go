package slack

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
)

// maxTarget is the longest address behind a label that clients read.
const maxTarget = 2000

// link returns the Markdown of a link. apart reports whether clients recognize the address without
// a label. An address that is not of the web follows its label in brackets, because clients do not
// link it.
func link(address, label string, apart bool) string {
	plain := strings.TrimPrefix(address, "mailto:")
	plain = strings.TrimPrefix(plain, "tel:")
	label = strings.TrimSpace(label)
	same := label == "" || bareAddress(label) == bareAddress(plain)
	target, ok := target(address)
	switch {
	case same && (apart || !ok):
		return plain
	case !ok || !balanced(label):
		return fmt.Sprintf("%s (%s)", label, plain)
	case same:
		label = plain
	}
	return "[" + label + "](" + target + ")"
}

// bareAddress returns what distinguishes two spellings of an address.
func bareAddress(s string) string {
	s = strings.TrimSuffix(strings.ToLower(s), "/")
	_, rest, found := strings.Cut(s, "://")
	if found {
		s = rest
	}
	return strings.TrimPrefix(s, "mailto:")
}

// target returns an address of the web as the target of a link in Markdown. It reports false for
// an address that clients do not link.
func target(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return "", false
	}
	var b strings.Builder
	for _, c := range []byte(address) {
		if c <= ' ' || c >= unicode.MaxASCII || strings.IndexByte("\"<>`|\\^{}()", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String(), b.Len() <= maxTarget
}

// balanced reports whether the square brackets in a label form pairs.
func balanced(label string) bool {
	depth := 0
	for _, c := range label {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}
