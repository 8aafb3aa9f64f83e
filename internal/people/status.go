package people

import (
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
