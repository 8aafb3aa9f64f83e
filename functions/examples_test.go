package functions_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/parley/api"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/test/requests"
)

// Parts of answers that are replaced in the examples: the origin of the local server, and the token
// of an invitation, which the search for secrets would report.
var (
	localOrigin = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	inviteToken = regexp.MustCompile(`"token":"[a-z2-7]{32}"`)
)

// examples collects the requests that succeeded, and their answers, by route. A route's example is
// the first one without an empty list or a refused entry, or else the first.
type examples map[string]api.Example

func (all examples) add(r requests.Request, status int, body string) {
	have, known := all[r.Route]
	if status >= 300 || r.Route == "" || strings.HasSuffix(r.Route, "{proxy+}") || known && (isPoor(body) || !isPoor(string(have.Answer))) {
		return
	}
	e := api.Example{Path: r.Path, Header: r.Header, Status: status}
	if e.Path == "" {
		_, e.Path, _ = strings.Cut(r.Route, " ")
	}
	if r.Body != "" {
		e.Body = json.RawMessage(r.Body)
	}
	if body != "" {
		body = localOrigin.ReplaceAllString(body, "https://files.example.com")
		e.Answer = json.RawMessage(inviteToken.ReplaceAllString(body, `"token":"mfrggzdfmztwq2lkmfrggzdfmztwq2lk"`))
	}
	all[r.Route] = e
}

// isPoor reports whether an answer has an empty list or a refused entry.
func isPoor(answer string) bool {
	return strings.Contains(answer, "[]") || strings.Contains(answer, `"problem":`)
}

// check compares the examples with api/examples.json. Of the answers it compares the fields and
// types, because times and ids differ between runs. If writes is set, it writes those that differ.
func (all examples) check(t *testing.T, writes bool) {
	t.Helper()
	for _, r := range httpapi.Routes() {
		if r.Operation == "" {
			delete(all, r.Key())
		} else if _, ok := all[r.Key()]; !ok {
			t.Errorf("no request of %s succeeds", r.Key())
		}
	}
	kept, err := api.Examples()
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range slices.Sorted(maps.Keys(all)) {
		got, want := all[route], kept[route]
		g, w := shapeOf(t, got.Answer), shapeOf(t, want.Answer)
		switch same := got.Status == want.Status && g == w; {
		case same && got.Path == want.Path && compact(got.Body) == compact(want.Body) && maps.Equal(got.Header, want.Header):
			all[route] = want
		case !same && !writes:
			t.Errorf("%s answers %d %s\nits example is %d %s; make golden writes it", route, got.Status, g, want.Status, w)
		}
	}
	if len(all) != len(kept) && !writes {
		t.Errorf("api/examples.json has %d examples, want %d; make golden writes it", len(kept), len(all))
	}
	if !writes {
		return
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("../api/examples.json", append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}

func compact(body json.RawMessage) string {
	var b bytes.Buffer
	_ = json.Compact(&b, body) // none is empty
	return b.String()
}

// shapeOf returns the fields and types of an answer, without its values.
func shapeOf(t *testing.T, answer json.RawMessage) string {
	t.Helper()
	if len(answer) == 0 {
		return "nothing"
	}
	var value any
	if err := json.Unmarshal(answer, &value); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(shapeOfValue(value))
}

func shapeOfValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, v := range value {
			value[name] = shapeOfValue(v)
		}
		return value
	case []any:
		forms := map[string]bool{}
		for _, v := range value {
			forms[fmt.Sprint(shapeOfValue(v))] = true
		}
		return slices.Sorted(maps.Keys(forms))
	}
	return fmt.Sprintf("%T", value)
}
