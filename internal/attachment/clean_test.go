package attachment

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
)

func TestClean(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 100)
	for name, want := range map[string]string{
		"plan.png": "plan.png", " a b.txt ": "a b.txt", "../../etc/passwd": ".._.._etc_passwd", `C:\a.doc`: "C:_a.doc",
		"gnp.\u202eexe": "gnp.exe", "a\x00\nb": "ab", "": "file", "..": "file", " ": "file", "\u200b\u3164": "file", "\xff.png": ".png",
		long + ".tar": strings.Repeat("é", 58) + ".tar", "x." + long: "x." + strings.Repeat("é", 59),
	} {
		if got := Clean(chat.Attachment{Name: name}).Name; got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
	for given, want := range map[string]string{
		"image/png": "image/png", "Text/HTML; charset=utf-8": "text/html", "": "application/octet-stream", "text/": "application/octet-stream",
	} {
		if got := Clean(chat.Attachment{Type: given}).Type; got != want {
			t.Errorf("type %q became %q, want %q", given, got, want)
		}
	}
}

func TestClean_UploadsAcceptTheResult(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := Clean(chat.Attachment{Name: rapid.String().Draw(t, "name"), Type: rapid.String().Draw(t, "type"), Alt: strings.Repeat(rapid.String().Draw(t, "alt"), 20)})
		f.Bytes = 1
		if err := (Draft{File: f}).check(Limits{FileBytes: math.MaxInt64, DayBytes: math.MaxInt64}, time.Now()); err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		if again := Clean(f); again.Name != f.Name || again.Type != f.Type || again.Alt != f.Alt {
			t.Fatalf("%+v became %+v", f, again)
		}
	})
}
