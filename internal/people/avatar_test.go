package people_test

import (
	"strings"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/test/chattest"
)

func TestPutPerson_Avatar(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	const host = "https://example.com/"
	for _, good := range []string{
		"https://example.com", host + "a.png?size=64#x", "https://example.com:8443/a", "https://[2001:db8::1]/a", host + "%E2%98%83.png",
		host + strings.Repeat("a", people.MaxAvatar-len(host)), "",
	} {
		if p := putPerson(t, s, "e129", people.Draft{Name: "R", Avatar: &good}); p.Avatar != good {
			t.Errorf("%q is stored as %q", good, p.Avatar)
		}
	}
	for name, bad := range map[string]string{
		"no scheme": "example.com/a.png", "http": "http://example.com/a.png", "a script": "javascript:alert(1)", "data": "data:image/png;base64,AA",
		"upper case": "HTTPS://example.com", "no host": "https:///a.png", "only a port": "https://:443/", "opaque": "https:example.com",
		"a user": "https://bob@example.com/", "a password": "https://bob:secret@example.com/", "an empty user": "https://@example.com/",
		"a space": host + "a b", "a quote": host + `"onload="x`, "a tag": host + "<a>", "a backslash": `https:\\example.com`, "a line": host + "\n",
		"letters outside ASCII": host + "é.png", "a bad escape": host + "%zz", "a port beyond the last": "https://example.com:65536/",
		"an empty port": "https://example.com:/", "a name as a port": "https://example.com:https/", "a byte too much": host + strings.Repeat("a", people.MaxAvatar-len(host)+1),
	} {
		_, _, err := s.People.PutPerson(t.Context(), "e129", people.Draft{Name: "R", Avatar: &bad})
		chattest.WantKind(t, name, err, chat.Invalid)
	}
}
