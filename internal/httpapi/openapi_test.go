package httpapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/httpapi"
)

var update = flag.Bool("update", false, "write the golden files anew")

func description(t *testing.T) ([]byte, *openapi3.T) {
	t.Helper()
	text, err := httpapi.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	return text, doc
}

func TestOpenAPI_DescribesEveryRoute(t *testing.T) {
	_, doc := description(t)
	if !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Errorf("the document is of version %s", doc.OpenAPI)
	}
	var described, served []string
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			described = append(described, method+" "+path)
			if op.Security == nil {
				t.Errorf("%s %s has no security", method, path)
			}
		}
	}
	for _, r := range httpapi.Routes() {
		if r.Operation != "" {
			served = append(served, r.Method+" "+r.Path)
		} else if r.Method != http.MethodGet && r.Method != http.MethodHead {
			t.Errorf("%s %s is public", r.Method, r.Path)
		}
	}
	slices.Sort(described)
	slices.Sort(served)
	if !slices.Equal(described, served) {
		t.Errorf("described %v\nserved    %v", described, served)
	}
}

// TestOpenAPI_IsGolden shows every change of the document in review. Clients are generated from it.
func TestOpenAPI_IsGolden(t *testing.T) {
	raw, err := httpapi.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := json.Indent(&text, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	text.WriteByte('\n')
	const golden = "../../api/openapi.json"
	if *update {
		if err := os.WriteFile(golden, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, text.Bytes()) {
		t.Errorf("%s is stale; go test ./internal/httpapi -run OpenAPI_Is -args -update writes it: read the diff", golden)
	}
}

// TestOpenAPI_StatesTheBoundsOfAMessagesTime compares the document, and the list of problems, with
// the service.
func TestOpenAPI_StatesTheBoundsOfAMessagesTime(t *testing.T) {
	t.Parallel()
	old := fmt.Sprintf("%g hours old", chat.MaxAge.Hours())
	ahead := fmt.Sprintf("%g seconds ahead", chat.MaxAhead.Seconds())
	for _, path := range []string{"api/openapi.json", "docs/problems.md"} {
		text, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{old, ahead} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not say %q", path, want)
			}
		}
	}
}

// TestOpenAPI_HasAnExampleOfEachOperation checks the examples against the schemas.
func TestOpenAPI_HasAnExampleOfEachOperation(t *testing.T) {
	t.Parallel()
	_, doc := description(t)
	check := func(what string, content openapi3.Content) {
		for _, media := range content {
			if media.Example == nil {
				continue
			}
			if err := media.Schema.Value.VisitJSON(media.Example); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			name := method + " " + path
			if op.Extensions["x-codeSamples"] == nil {
				t.Errorf("%s has no example", name)
			}
			if op.RequestBody != nil {
				check("the body of "+name, op.RequestBody.Value.Content)
			}
			for status, answer := range op.Responses.Map() {
				check("the answer "+status+" of "+name, answer.Value.Content)
			}
		}
	}
}
