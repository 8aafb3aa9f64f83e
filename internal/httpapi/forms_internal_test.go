package httpapi

import (
	"regexp"
	"strings"
	"testing"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	docs "example.com/parley/internal/document"
	"example.com/parley/internal/report"
)

// parsers are the domain's checks of the values that a form describes.
var parsers = map[string]func(string) error{
	"slug": func(s string) error {
		_, err := chat.ParseRoomID(s)
		if _, part := docs.ParsePartID(s); (part == nil) != (err == nil) {
			return part
		}
		return err
	},
	"user-id":        func(s string) error { _, err := chat.StoredUserID(s); return err },
	"device-id":      func(s string) error { _, err := activity.ParseDeviceID(s); return err },
	"uuidv7":         func(s string) error { _, err := chat.ParseUUID(s); return err },
	"message-id":     func(s string) error { _, err := chat.ParseMessageID(s); return err },
	"own-message-id": func(s string) error { _, err := chat.ParseOwnMessageID("amsg", s); return err },
	"report-id":      func(s string) error { _, err := report.ParseID(s); return err },
	"one-etag":       func(s string) error { _, err := parseETag(s); return err },
}

// TestForms_AgreeWithTheDomain compares each pattern with the check that it describes.
func TestForms_AgreeWithTheDomain(t *testing.T) {
	t.Parallel()
	const id, user = "01890a5d-ac96-774b-bcce-b302099a8057", "~amsg"
	samples := []string{
		"a", "a-b", "a--b", "-a", "a-", "-", "A", "0", "a_b", "a.b", "a b", "é", "a#b", "a/b", "auth0|5", "a@b.c", "a+b=c:d", "a~b", "a\n", "\x00",
		id, id + user, id + user + user, id + "~", id + "~~", id + user + "~", "~amsg", strings.ToUpper(id), strings.ToUpper(id) + user,
		strings.Replace(id, "-7", "-4", 1), strings.Replace(id, "-b", "-c", 1) + user, strings.ReplaceAll(id, "-", ""), id + "~a#b", "{" + id + "}",
		`"1"`, `"0"`, `"01"`, `"12345678"`, `W/"1"`, `1`, `"1`, `"-1"`, `"1234567890"`, "*",
	}
	for name, parse := range parsers {
		pattern := regexp.MustCompile(forms[name].pattern)
		accepted := 0
		for _, s := range samples {
			err := parse(s)
			if matches := pattern.MatchString(s); matches != (err == nil) {
				t.Errorf("%s: %q matches: %t, the domain: %v", name, s, matches, err)
			}
			if err == nil {
				accepted++
			}
		}
		if accepted == 0 || accepted == len(samples) {
			t.Errorf("%s: the domain accepts %d of %d samples", name, accepted, len(samples))
		}
	}
}
