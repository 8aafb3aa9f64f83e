package chat_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

func TestParseMetadata(t *testing.T) {
	longest := `{"x":"` + strings.Repeat("y", chat.MaxMetadata-len(`{"x":""}`)) + `"}`
	for given, want := range map[string]string{
		"": "", "{}": "{}", " {\n} ": "{}", `{"b":1.50, "a":[1e400,-0]}`: `{"b":1.50,"a":[1e400,-0]}`,
		`{"s":"\u0041 <\/>\t"}`: `{"s":"\u0041 <\/>\t"}`, longest: longest, " " + longest: longest,
	} {
		got, err := chat.ParseMetadata(given)
		if err != nil || got != want {
			t.Errorf("%.50q is %.50q, %v, want %.50q", given, got, err, want)
		}
	}
	for _, given := range []string{"x", "[]", "null", `"{}"`, "1", "{", "{} {}", "{'a':1}", "{\"a\":\"\xff\"}", " ", longest[:len(longest)-2] + `y"}`} {
		_, err := chat.ParseMetadata(given)
		chattest.WantKind(t, given[:min(len(given), 20)], err, chat.Invalid)
	}
}

// FuzzParseMetadata checks that parsing keeps the meaning of metadata, and that parsing it again
// changes nothing.
func FuzzParseMetadata(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"a" : [1.50, "\u0041", null]}`, "[]", "{\"a\":\"\xff\"}", `{"a":1,"a":2}`} {
		f.Add(seed)
	}
	meaning := func(text string) (v any, err error) {
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.UseNumber()
		return v, d.Decode(&v)
	}
	f.Fuzz(func(t *testing.T, given string) {
		got, err := chat.ParseMetadata(given)
		if err != nil || got == "" {
			return
		}
		if len(got) > chat.MaxMetadata || len(got) > len(given) {
			t.Errorf("%d bytes from %d", len(got), len(given))
		}
		before, err := meaning(given)
		after, errAfter := meaning(got)
		if err != nil || errAfter != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%q became %q: %v, %v", given, got, err, errAfter)
		}
		if again, err := chat.ParseMetadata(got); err != nil || again != got {
			t.Errorf("%q parsed again: %q, %v", got, again, err)
		}
	})
}
