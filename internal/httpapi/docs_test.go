package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	described "example.com/parley/api"
	"example.com/parley/internal/config"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/problem"
)

// documents returns the read function, behind events of one route.
func documents() http.Handler { return loggedDocuments(io.Discard) }

func loggedDocuments(logs io.Writer) http.Handler {
	return httpapi.New(httpapi.Options{
		Operations: httpapi.Reads(), Clock: func() time.Time { return start }, Log: slog.New(slog.NewTextHandler(logs, nil)),
		Subject: func(*http.Request) string { return "" },
	})
}

func get(h http.Handler, method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func read(t *testing.T, r io.Reader) []byte {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDocuments_AreCompressedForClientsThatTakeIt(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/docs", "/openapi.json", "/openapi-3.0.json", "/asyncapi.json"} {
		h := documents()
		plain := get(h, "GET", path)
		text := read(t, plain.Body)
		packed := get(h, "GET", path, "Accept-Encoding", "gzip, br")
		packedText := read(t, packed.Body)
		unpacked, err := gzip.NewReader(bytes.NewReader(packedText))
		if err != nil {
			t.Fatal(path, err)
		}
		if plain.StatusCode != http.StatusOK || packed.StatusCode != http.StatusOK || !bytes.Equal(text, read(t, unpacked)) {
			t.Errorf("%s: %d, compressed %d, or the texts differ", path, plain.StatusCode, packed.StatusCode)
		}
		if len(packedText)*2 > len(text) {
			t.Errorf("%s: %d of %d bytes", path, len(packedText), len(text))
		}
		if plain.Header.Get("Content-Encoding") != "" || packed.Header.Get("Content-Encoding") != "gzip" ||
			plain.Header.Get("Content-Type") != packed.Header.Get("Content-Type") {
			t.Errorf("%s: %v\n%v", path, plain.Header, packed.Header)
		}
		for _, resp := range []*http.Response{plain, packed} {
			if resp.Header.Get("Vary") != "Accept-Encoding" || resp.Header.Get("Cache-Control") != "public, max-age=300" {
				t.Errorf("%s cannot be cached: %v", path, resp.Header)
			}
		}
	}
}

// TestDocuments_AreThoseOfTheCode compares the stored documents with those that the operations
// generate.
func TestDocuments_AreThoseOfTheCode(t *testing.T) {
	t.Parallel()
	for path, generate := range map[string]func() ([]byte, error){"/openapi.json": httpapi.OpenAPI, "/openapi-3.0.json": described.OpenAPI30} {
		want, err := generate()
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, get(documents(), "GET", path).Body); string(got) != string(want)+"\n" {
			t.Errorf("%s is stale, as TestOpenAPI_IsGolden explains", path)
		}
	}
}

func TestDocuments_StateTheVersion(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/openapi.json", "/openapi-3.0.json", "/asyncapi.json"} {
		var document struct{ Info struct{ Version string } }
		err := json.Unmarshal(read(t, get(documents(), "GET", path).Body), &document)
		if err != nil || document.Info.Version != config.Version {
			t.Errorf("%s states the version %q, %v; want %s", path, document.Info.Version, err, config.Version)
		}
	}
}

func TestDocuments_AreNotSentAgainToAClientThatHasThem(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/docs", "/openapi.json", "/openapi-3.0.json", "/asyncapi.json"} {
		h := documents()
		tags := map[string]bool{}
		for _, coding := range []string{"identity", "gzip"} {
			first := get(h, "GET", path, "Accept-Encoding", coding)
			tag := first.Header.Get("Etag")
			tags[tag] = true
			for _, known := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
				again := get(h, "GET", path, "Accept-Encoding", coding, "If-None-Match", known)
				if again.StatusCode != http.StatusNotModified || len(read(t, again.Body)) > 0 || again.Header.Get("Etag") != tag ||
					again.Header.Get("Cache-Control") == "no-store" || again.Header.Get("Vary") == "" {
					t.Errorf("%s as %s, If-None-Match %s: %d %v", path, coding, known, again.StatusCode, again.Header)
				}
			}
			if other := get(h, "GET", path, "Accept-Encoding", coding, "If-None-Match", `"other"`); other.StatusCode != http.StatusOK {
				t.Errorf("%s as %s, another tag: %d", path, coding, other.StatusCode)
			}
		}
		if len(tags) != 2 || tags[""] {
			t.Errorf("%s: the representations share their tag: %v", path, tags)
		}
	}
}

// TestUnrouted_RefusesWhatTheFunctionLacks asks the read function for unknown paths and methods, and
// for operations of other functions. Neither their queries nor their media types are checked first.
func TestUnrouted_RefusesWhatTheFunctionLacks(t *testing.T) {
	t.Parallel()
	logs := &bytes.Buffer{}
	h := loggedDocuments(logs)
	for request, status := range map[string]int{
		"GET /nowhere": 404, "GET /": 404, "POST /nowhere?limit=1&limit=2": 404, "HEAD /nowhere": 404,
		"POST /rooms/seattle/messages": 404, "GET /search": 404, "PUT /rooms/seattle": 404,
		"POST /docs": 405, "OPTIONS /docs": 405, "PUT /rooms/seattle/messages?limit=1&limit=2": 405, "POST /search": 405,
	} {
		method, path, _ := strings.Cut(request, " ")
		got := get(h, method, path, "Content-Type", "text/plain")
		body := string(read(t, got.Body))
		if got.StatusCode != status || got.Header.Get("Content-Type") != "application/problem+json" || got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s %v", request, got.StatusCode, body, got.Header)
		}
		if allow := got.Header.Get("Allow"); (status == 405) != (allow != "") {
			t.Errorf("%s: %d allows %q", request, status, allow)
		}
	}
	if lines := logs.String(); strings.Contains(lines, "nowhere") {
		t.Errorf("the log holds a path:\n%s", lines)
	}
}

// TestProblem_TypesAreListedInTheDocs compares the list with the table of types.
func TestProblem_TypesAreListedInTheDocs(t *testing.T) {
	const (
		path = "../../docs/problems.md"
		from = "<!-- Generated: go test ./internal/httpapi -run Problem_TypesAre -args -update -->\n"
		to   = "<!-- End of the generated part -->"
	)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), from)
	old, after, closed := strings.Cut(rest, to)
	if !ok || !closed {
		t.Fatalf("%s has no generated part", path)
	}
	want := "| type | title | status | retryable | meaning |\n| --- | --- | --- | --- | --- |\n"
	for _, p := range problem.Types() {
		retryable := map[bool]string{true: "yes", false: "no"}[p.Retryable]
		want += fmt.Sprintf("| `%s` | %s | %d | %s | %s |\n", p.URI(), p.Title, p.Status, retryable, p.Meaning)
	}
	switch {
	case *update:
		if err := os.WriteFile(path, []byte(before+from+want+to+after), 0o600); err != nil {
			t.Fatal(err)
		}
	case old != want:
		t.Errorf("%s is stale; go test ./internal/httpapi -run Problem_TypesAre -args -update writes it", path)
	}
}

// TestProblemPage_IsAtEachType follows the type of each problem.
func TestProblemPage_IsAtEachType(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, p := range problem.Types() {
		got := a.do(t, "GET", p.URI(), "", userHeader, "")
		if got.status != 200 || !strings.Contains(got.text, "<h1>"+p.Title+"</h1>") || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %d %s", p.URI(), got.status, got.text)
		}
	}
	checkProblem(t, "an unknown type", a.want(t, 404, "GET", "/problems/none", ""))
}
