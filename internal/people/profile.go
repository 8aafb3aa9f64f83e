package people

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"example.com/parley/internal/chat"
)

// Status is a person's current status, such as 🌴 "on holiday". The zero Status means none.
type Status struct {
	Text  string
	Emoji string
	Until time.Time // it is not shown from then on; zero means no end
}

// at returns the status that is shown at a time.
func (s Status) at(now time.Time) Status {
	if !s.Until.IsZero() && !now.Before(s.Until) {
		return Status{}
	}
	return s
}

func (s Status) equal(other Status) bool {
	return s.Text == other.Text && s.Emoji == other.Emoji && s.Until.Equal(other.Until)
}

// check returns an error unless s is zero, or has a text or an emoji.
func (s Status) check() error {
	if s.Text == "" && s.Emoji == "" {
		if !s.Until.IsZero() {
			return chat.Invalidf("status.until", "must come with a text or an emoji")
		}
		return nil
	}
	if err := chat.CheckLine("status.text", s.Text, MaxStatusText); err != nil {
		return err
	}
	return checkEmoji("status.emoji", s.Emoji)
}

// checkEmoji returns an error unless s can be an emoji, or is empty. There is no list of emoji,
// because it would reject next year's emoji.
func checkEmoji(field, s string) error {
	if s == "" {
		return nil
	}
	if err := chat.CheckLine(field, s, MaxEmoji); err != nil {
		return err
	}
	wrong := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsSpace(r) || unicode.Is(unicode.Z, r) }
	foreign := func(r rune) bool { return r >= utf8.RuneSelf }
	if strings.ContainsFunc(s, wrong) || !strings.ContainsFunc(s, foreign) {
		return chat.Invalidf(field, "must be one emoji")
	}
	return nil
}

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
