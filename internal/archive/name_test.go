package archive

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
)

func TestEscapeName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		want chat.UserID
	}{
		{"ada", "ada"},
		{"|ada|", "|ada|"},
		{"[ada]", "=5Bada=5D"},
		{"a=b", "a=3Db"},
		{"a\\`^{}", "a=5C=60=5E=7B=7D"},
		{"é", "=C3=A9"},
		{"me", "=6De"},
		{"..", "=2E."},
		{"mea", "mea"},
		{strings.Repeat("x", 64), chat.UserID(strings.Repeat("x", 64))},
		{strings.Repeat("x", 65), chat.UserID(strings.Repeat("x", 30) + "==9537c5fdf120482f7d58d25e9ed583f5")},
	} {
		if got := EscapeName(c.name); got != c.want {
			t.Errorf("EscapeName(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}

func TestUnescapeName_Foreign(t *testing.T) {
	t.Parallel()
	for _, id := range []chat.UserID{"=", "=4", "=zz", "=5b", "=41", "a==0123456789abcdef0123456789abcdef"} {
		if name, ok := UnescapeName(id); ok {
			t.Errorf("UnescapeName(%q) = %q", id, name)
		}
	}
}

// names draws names. Many need escapes, and some are too long.
func names() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[a-c=\[\]{}^é -]{1,40}`),
		rapid.StringN(1, 40, 100),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 30), func(b []byte) string { return string(b) }),
	)
}

func TestEscapeName_ValidAndReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := names().Draw(t, "name")
		id := EscapeName(name)
		if _, err := chat.ParseUserID(string(id)); err != nil {
			t.Fatalf("%q: %v", id, err)
		}
		back, ok := UnescapeName(id)
		if short := !strings.Contains(string(id), digestPrefix); ok != short {
			t.Fatalf("UnescapeName(%q) = %v", id, ok)
		}
		if ok && back != name {
			t.Fatalf("%q came back as %q", name, back)
		}
	})
}

func TestEscapeName_Distinct(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := names().Draw(t, "a")
		// Similar names differ at the end, in an escape or in case, or one name is the id of the
		// other.
		b := rapid.OneOf(names(), rapid.Just(a+"="), rapid.Just(string(EscapeName(a))),
			rapid.Just(strings.ToUpper(a)), rapid.Just(strings.Repeat(a, 5))).Draw(t, "b")
		if a != b && EscapeName(a) == EscapeName(b) {
			t.Fatalf("%q and %q are both %q", a, b, EscapeName(a))
		}
	})
}
