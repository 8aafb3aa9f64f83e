package chat

import (
	"cmp"

	"example.com/parley/internal/visual"
)

// CheckShows returns an Invalid error about field if s shows nothing, as visual.Blank reports.
func CheckShows(field, s string) error { return broken(field, visual.TextRule(s)) }

// CheckLine returns an Invalid error about field unless s is one line of text of at most maxBytes,
// as visual.LineRule defines it. It may be empty.
func CheckLine(field, s string, maxBytes int) error {
	if len(s) > maxBytes {
		return Invalidf(field, "must be at most %d bytes of UTF-8", maxBytes)
	}
	return broken(field, visual.LineRule(s))
}

// CheckName returns an Invalid error about field unless s is a line that visual.NameRule accepts.
func CheckName(field, s string, maxBytes int) error {
	return cmp.Or(CheckLine(field, s, maxBytes), broken(field, visual.NameRule(s)))
}

func broken(field, rule string) error {
	if rule == "" {
		return nil
	}
	return Invalidf(field, "%s", rule)
}
