package socketapi

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzDecode decodes any message. A request that is accepted decodes to the same once encoded, and
// a problem is the client's and names a field or the body.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"type":"hello","id":"1","rooms":[{"id":"seattle","since":"AxZP","mode":"full"}]}`, `{"type":"hello","id":"1","rooms":[]}`,
		`{"type":"subscribe","id":"1","rooms":[{"id":"a"},{"id":"b","mode":"counts"}]}`, `{"type":"unsubscribe","id":"1","rooms":[{"id":"a"}]}`,
		`{"type":"typing","id":"1","room":"a"}`, `{"type":"sync","id":"\u00e9"}`, `{"type":"sync","id":"1"`, `{"id":"1","type":"sync","id":"2"}`, `[]`, `null`, ``,
		`{"type":"hello","id":"1","rooms":[null]}`, `{"type":"hello","id":"1","rooms":[{"id":1e999}]}`, strings.Repeat(`[`, 20_000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		message, head, p := decode(body)
		if (p == nil) == (message == nil) || len(head.ID) > MaxID {
			t.Fatalf("%q: %+v, %+v, %+v", body, message, head, p)
		}
		if p != nil {
			if p.Status != 400 && p.Status != 413 && p.Status != 422 || p.Detail == "" || p.Status != 413 && len(p.Errors) != 1 {
				t.Errorf("%q: %+v", body, p)
			}
			return
		}
		if !utf8.ValidString(body) || head.ID == "" {
			t.Errorf("%q was accepted as %+v", body, head)
		}
		text := string(encode(message))
		again, _, p := decode(text)
		if p != nil && len(text) <= MaxMessage || p == nil && string(encode(again)) != text {
			t.Errorf("%q becomes %q, and then %+v, %+v", body, text, again, p)
		}
	})
}
