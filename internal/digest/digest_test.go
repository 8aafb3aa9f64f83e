package digest

import (
	"bytes"
	"encoding/hex"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawContent draws contents that are easily confused: few letters, and texts that look like
// lengths.
func drawContent(t *rapid.T) Content {
	word := rapid.SampledFrom([]string{"", "a", "b", "ab", "\x00", "\x00\x00\x00\x00\x00\x00\x00\x01", "\x00\x00\x00\x00\x00\x00\x00\x01a"})
	c := Content{Text: word.Draw(t, "text")}
	if rapid.Bool().Draw(t, "more") {
		c.More = rapid.MapOfN(word, rapid.SliceOfN(word, 0, 3), 0, 3).Draw(t, "fields")
	}
	return c
}

func (c Content) same(d Content) bool {
	present := func(c Content) map[string][]string {
		more := maps.Clone(c.More)
		maps.DeleteFunc(more, func(_ string, values []string) bool { return len(values) == 0 })
		return more
	}
	return c.Text == d.Text && maps.EqualFunc(present(c), present(d), slices.Equal)
}

// TestContent_CanonicalIsInjective compares random contents by their fields and by their encodings.
func TestContent_CanonicalIsInjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(drawContent), 2, 12).Draw(t, "contents")
		for i, c := range all {
			for _, d := range all[:i] {
				if c.same(d) != bytes.Equal(c.canonical(), d.canonical()) {
					t.Fatalf("%+v and %+v are %x and %x", c, d, c.canonical(), d.canonical())
				}
			}
		}
	})
}

// TestSum_KeepsItsBytes pins the digests of stored messages: a retry after an upgrade
// must find its message.
func TestSum_KeepsItsBytes(t *testing.T) {
	for _, tt := range []struct {
		content Content
		want    string
	}{
		{Content{}, "156c691c91078c7b54a2cc7edb4ca934"},
		{Content{Text: "hello"}, "860a423692668e9766507ea8af16ff0f"},
		{Content{Text: "日本 👍"}, "af4d7bb9263d7a123fa906c076600652"},
		{Content{Text: "hello", More: map[string][]string{"thread": nil}}, "860a423692668e9766507ea8af16ff0f"},
		{Content{Text: "hello", More: map[string][]string{"thread": {"a"}, "mentions": {"amsg", "bob"}}}, "cf56b52a0e702a52a4b4ae421319c23f"},
	} {
		if got := hex.EncodeToString(Sum([]byte("key"), tt.content)); got != tt.want {
			t.Errorf("%+v is %s, want %s", tt.content, got, tt.want)
		}
	}
}

func TestSum_DependsOnKeyAndText(t *testing.T) {
	a := Sum([]byte("k"), Content{Text: "text"})
	if string(a) == string(Sum([]byte("l"), Content{Text: "text"})) || string(a) == string(Sum([]byte("k"), Content{Text: "texT"})) {
		t.Error("two digests are equal")
	}
	if string(a) != string(Sum([]byte("k"), Content{Text: "text"})) || len(a) != digestSize {
		t.Errorf("the digest is %x", a)
	}
}
