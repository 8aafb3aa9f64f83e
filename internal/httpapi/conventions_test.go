package httpapi_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	described "example.com/parley/api"
	"example.com/parley/internal/config"
	"example.com/parley/internal/httpapi"
)

// conventions are the rules that every operation of the document follows, so that generated
// clients stay usable. Each returns violations of its rule.
var conventions = map[string]func(where string, op *openapi3.Operation, doc *openapi3.T) []string{
	"text": func(where string, op *openapi3.Operation, _ *openapi3.T) (broken []string) {
		if op.Summary == "" || op.Description == "" || op.OperationID == "" {
			broken = append(broken, where+" needs an OperationID, a Summary and a Description")
		}
		return broken
	},
	"tag": func(where string, op *openapi3.Operation, doc *openapi3.T) (broken []string) {
		if len(op.Tags) != 1 || doc.Tags.Get(op.Tags[0]) == nil || doc.Tags.Get(op.Tags[0]).Description == "" {
			broken = append(broken, fmt.Sprintf("%s has the tags %v: it needs one of tags in describe.go", where, op.Tags))
		}
		return broken
	},
	"successes": alikeSuccesses,
	"failures":  declaredFailures,
	"forms":     statedForms,
	"names":     namedBodies,
	"lists":     listsOfItems,
}

// listsOfItems requires that each list has its entries in items.
func listsOfItems(where string, op *openapi3.Operation, _ *openapi3.T) (broken []string) {
	if !strings.HasPrefix(op.OperationID, "list-") {
		return nil
	}
	object := op.Responses.Value("200").Value.Content["application/json"].Schema.Value
	if items := object.Properties["items"]; items == nil || !items.Value.Type.Is("array") {
		broken = append(broken, where+" must have its entries in items")
	}
	for name, p := range object.Properties {
		if name != "items" && p.Value.Type.Is("array") {
			broken = append(broken, fmt.Sprintf("%s has a second list, %s", where, name))
		}
	}
	return broken
}

// alikeSuccesses requires the same body and the same headers for each success.
func alikeSuccesses(where string, op *openapi3.Operation, _ *openapi3.T) (broken []string) {
	ok, created := op.Responses.Value("200"), op.Responses.Value("201")
	if ok == nil || created == nil {
		return nil
	}
	if want := objectIn(created.Value.Content); want == "" || objectIn(ok.Value.Content) != want {
		broken = append(broken, fmt.Sprintf("%s has the body %q for 200, %q for 201", where, objectIn(ok.Value.Content), want))
	}
	if !reflect.DeepEqual(headersIn(ok), headersIn(created)) {
		broken = append(broken, fmt.Sprintf("%s has the headers %v for 200, %v for 201", where, headersIn(ok), headersIn(created)))
	}
	return broken
}

func headersIn(r *openapi3.ResponseRef) []string { return slices.Sorted(maps.Keys(r.Value.Headers)) }

// declaredFailures requires all statuses with which an operation can fail, and no default, which
// would hide the others.
func declaredFailures(where string, op *openapi3.Operation, _ *openapi3.T) (broken []string) {
	want := []string{"400", "422", "429", "431", "500", "503"}
	if len((*op.Security)[0]) > 0 {
		want = append(want, "401", "403")
	}
	if op.RequestBody != nil {
		want = append(want, "413", "415")
	}
	for _, status := range want {
		if op.Responses.Value(status) == nil {
			broken = append(broken, where+" lacks the status "+status)
		}
	}
	if op.Responses.Default() != nil {
		broken = append(broken, where+" has a default answer")
	}
	for _, status := range []string{"429", "503"} {
		if r := op.Responses.Value(status); r != nil && r.Value.Headers["Retry-After"] == nil {
			broken = append(broken, where+" has no Retry-After for "+status)
		}
	}
	return broken
}

// statedForms requires that the valid values of each parameter are stated, so that tests can
// generate them.
func statedForms(where string, op *openapi3.Operation, _ *openapi3.T) (broken []string) {
	for _, p := range op.Parameters {
		s := p.Value.Schema.Value
		if s.Type.Includes("null") {
			broken = append(broken, fmt.Sprintf("%s: %s may be null", where, p.Value.Name))
		}
		if s.Type.Is("array") {
			s = s.Items.Value
		}
		if s.Type.Is("string") && s.Pattern == "" && s.Format == "" && s.Enum == nil && s.MaxLength == nil {
			broken = append(broken, fmt.Sprintf("%s: %s needs a format, such as those in forms.go", where, p.Value.Name))
		}
		if p.Value.In == "path" && s.Type.Is("string") && s.Pattern == "" {
			broken = append(broken, fmt.Sprintf("%s: %s needs a format with a pattern in forms.go", where, p.Value.Name))
		}
	}
	return broken
}

// namedBodies requires request and response schemas that generated clients can name.
func namedBodies(where string, op *openapi3.Operation, _ *openapi3.T) (broken []string) {
	bodies := map[string]openapi3.Content{}
	if op.RequestBody != nil {
		bodies["request"] = op.RequestBody.Value.Content
	}
	for status, r := range op.Responses.Map() {
		bodies[status] = r.Value.Content
	}
	for name, content := range bodies {
		for _, media := range content {
			if media.Schema == nil || media.Schema.Ref == "" {
				broken = append(broken, fmt.Sprintf("%s: the body of %s has no name", where, name))
			}
		}
	}
	return broken
}

// TestOpenAPI_KeepsTheConventions checks the form of the document, operation by operation.
func TestOpenAPI_KeepsTheConventions(t *testing.T) {
	t.Parallel()
	_, doc := description(t)
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			for _, convention := range conventions {
				for _, broken := range convention(method+" "+path, op, doc) {
					t.Error(broken)
				}
			}
		}
	}
	if len(doc.Servers) == 0 {
		t.Error("the document has no servers")
	}
}

// TestConventions_NoticeEachFault breaks each convention for an operation that keeps them all.
func TestConventions_NoticeEachFault(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(op *openapi3.Operation){
		"text":      func(op *openapi3.Operation) { op.Description = "" },
		"tag":       func(op *openapi3.Operation) { op.Tags = []string{"others"} },
		"successes": func(op *openapi3.Operation) { op.Responses.Value("200").Value.Headers = nil },
		"failures":  func(op *openapi3.Operation) { op.Responses.Delete("422") },
		"forms":     func(op *openapi3.Operation) { op.Parameters[0].Value.Schema.Value.Pattern = "" },
		"names":     func(op *openapi3.Operation) { op.RequestBody.Value.Content["application/json"].Schema.Ref = "" },
		"lists":     func(op *openapi3.Operation) { op.OperationID = "list-messages" }, // its answer is no list
	} {
		_, doc := description(t)
		op := doc.Paths.Value("/rooms/{room}/messages").Post
		convention, ok := conventions[name]
		if !ok || len(convention("", op, doc)) > 0 {
			t.Fatalf("%s is no convention, or the operation breaks it", name)
		}
		if fault(op); len(convention("", op, doc)) == 0 {
			t.Errorf("%s: the fault is not noticed", name)
		}
	}
}

// TestOpenAPI30_IsTheSameAPI validates the form for older tools, and compares it with the document.
func TestOpenAPI30_IsTheSameAPI(t *testing.T) {
	t.Parallel()
	text, err := described.OpenAPI30()
	if err != nil {
		t.Fatal(err)
	}
	old, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Validate(context.Background(), openapi3.DisableExamplesValidation()); err != nil {
		t.Error(err)
	}
	if old.OpenAPI != "3.0.3" || strings.Contains(string(text), `"examples"`) || strings.Contains(string(text), `"type":[`) {
		t.Errorf("version %s, or a form of 3.1", old.OpenAPI)
	}
	_, doc := description(t)
	if diff := cmp.Diff(apiTables(doc), apiTables(old)); diff != "" {
		t.Errorf("the two documents differ (-3.1 +3.0):\n%s", diff)
	}
}

// declared returns the statuses that the document declares, by route.
var declared = sync.OnceValues(func() (map[string]map[string]bool, error) {
	text, err := httpapi.OpenAPI()
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	all := map[string]map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			all[method+" "+path] = map[string]bool{}
			for status := range op.Responses.Map() {
				all[method+" "+path][status] = true
			}
		}
	}
	return all, nil
})

// checkDeclared fails the test for a response whose status the document does not declare for the
// route. It checks each response of this package's tests.
func checkDeclared(t testing.TB, route string, status int) {
	t.Helper()
	all, err := declared()
	if err != nil {
		t.Fatal(err)
	}
	if statuses, ok := all[route]; ok && !statuses[fmt.Sprint(status)] {
		t.Errorf("%s answers %d (%s), which the document does not declare: add it to the operation's Errors", route, status, http.StatusText(status))
	}
}

// TestIdempotencyKey_IsHonoredOrRefused sends the header with each kind of POST.
func TestIdempotencyKey_IsHonoredOrRefused(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	const header, private = "Idempotency-Key", `{"visibility":"private","name":"x"}`
	for path, body := range map[string]string{"/rooms/seattle/messages": `{"text":"x"}`, "/rooms": private} {
		first := a.want(t, 201, "POST", path, body, header, `"`+freshID+`"`)
		again := a.want(t, 200, "POST", path, body, header, freshID)
		if again.body["id"] != first.body["id"] || again.header.Get("Idempotent-Replay") != "true" {
			t.Errorf("%s: a retry answers %s after %s", path, again.text, first.text)
		}
		checkProblem(t, path, a.want(t, 422, "POST", path, body, header, "retry-1"))
	}
	other := strings.Replace(freshID, "7000", "7001", 1)
	if other == freshID {
		other = freshID[:len(freshID)-1] + "9"
	}
	a.want(t, 422, "POST", "/rooms/seattle/messages", `{"text":"x","id":"`+freshID+`"}`, header, other)
	a.want(t, 200, "POST", "/rooms/seattle/messages", `{"text":"x","id":"`+freshID+`"}`, header, freshID)
	got := a.want(t, 400, "POST", "/rooms/seattle/invites", "{}", header, freshID)
	if checkProblem(t, "a POST without keys", got); !strings.Contains(got.text, `"location":"Idempotency-Key"`) {
		t.Errorf("the refusal does not name the header: %s", got.text)
	}
	a.want(t, 200, "PATCH", "/rooms/seattle", `{"topic":"x"}`, header, "as other methods need none")
}

// TestVersion_IsAnsweredAndChecked asks for versions that there are and are not.
func TestVersion_IsAnsweredAndChecked(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for asked, want := range map[string]int{"": 200, "1": 200, "1.0": 200, config.Version: 400, "1.7.3": 200, "2": 400, "x": 400} {
		got := a.want(t, want, "GET", "/people/me", "", "Parley-Version", asked)
		if got.header.Get("Parley-Version") != config.APIVersion {
			t.Errorf("asked for %q: the answer is of version %q", asked, got.header.Get("Parley-Version"))
		}
	}
}

// TestHead_IsGetWithoutABody compares the two.
func TestHead_IsGetWithoutABody(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	for _, path := range []string{"/rooms/seattle", "/rooms/seattle/messages", "/people/me", "/openapi.json", "/rooms/none", "/search?q=x", "/rooms/seattle/search?q=x", "/search"} {
		get := a.do(t, "GET", path, "")
		head := a.do(t, "HEAD", path, "")
		if head.status != get.status || head.header.Get("Content-Type") != get.header.Get("Content-Type") || head.header.Get("ETag") != get.header.Get("ETag") {
			t.Errorf("%s: HEAD %d %v, GET %d %v", path, head.status, head.header, get.status, get.header)
		}
	}
}

// TestUnrouted_NamesTheMethods asks with methods that a path does not have.
func TestUnrouted_NamesTheMethods(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for path, want := range map[string]string{
		"/rooms/seattle":                      "DELETE, GET, HEAD, PATCH, PUT",
		"/rooms/seattle/messages":             "GET, HEAD, POST",
		"/people/me":                          "DELETE, GET, HEAD, PATCH, PUT", // DELETE is of /people/{user}
		"/docs":                               "GET, HEAD",
		"/problems/conflict":                  "GET, HEAD",
		"/rooms/seattle/documents/a/parts/b":  "GET, HEAD, PUT",
		"/rooms/seattle/messages/x/reactions": "GET, HEAD",
	} {
		method := "POST"
		if strings.Contains(want, "POST") {
			method = "DELETE"
		}
		got := a.want(t, 405, method, path, "")
		if checkProblem(t, path, got); got.header.Get("Allow") != want {
			t.Errorf("%s allows %q, want %q", path, got.header.Get("Allow"), want)
		}
	}
	checkProblem(t, "an unknown path", a.want(t, 404, "POST", "/nowhere", ""))
}
