package httpapi_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	gocmp "github.com/google/go-cmp/cmp"
)

const (
	apiDoc = "../../docs/api.md"
	// generatedFrom and generatedTo enclose the part that -update writes.
	generatedFrom = "<!-- Generated from the OpenAPI document: go test ./internal/httpapi -run APIDoc -args -update -->\n"
	generatedTo   = "<!-- End of the generated part -->\n"
)

// TestOpenAPI_IsDescribedInTheAPIDoc fails when docs/api.md differs from the OpenAPI document in an
// operation, a parameter or a field.
func TestOpenAPI_IsDescribedInTheAPIDoc(t *testing.T) {
	text, err := os.ReadFile(apiDoc)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), generatedFrom)
	old, after, closed := strings.Cut(rest, generatedTo)
	if !ok || !closed {
		t.Fatalf("%s has no generated part", apiDoc)
	}
	_, doc := description(t)
	want := apiTables(doc)
	if *update {
		if err := os.WriteFile(apiDoc, []byte(before+generatedFrom+want+generatedTo+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := gocmp.Diff(old, want); diff != "" {
		t.Errorf("%s is stale; go test ./internal/httpapi -run OpenAPI_Is -args -update writes it:\n%s", apiDoc, diff)
	}
}

// apiTables returns the tables of operations, parameters and objects.
func apiTables(doc *openapi3.T) string {
	var b strings.Builder
	b.WriteString("\n## Operations\n\n| request | purpose | parameters | body | answer |\n| --- | --- | --- | --- | --- |\n")
	meanings := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
		for _, method := range slices.Sorted(maps.Keys(doc.Paths.Value(path).Operations())) {
			op := doc.Paths.Value(path).GetOperation(method)
			fmt.Fprintf(&b, "| `%s %s` | %s | %s | %s | %s |\n", method, path, op.Summary, parameterNames(op, meanings), bodyOf(op), answersOf(op))
		}
	}
	b.WriteString("\n## Parameters\n\n| parameter | meaning |\n| --- | --- |\n")
	for _, row := range slices.Sorted(maps.Keys(meanings)) {
		b.WriteString(row)
	}
	b.WriteString("\n## Objects\n\nA field marked with … may be absent. Values marked with … are those known so far; a later version may add some.\n")
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		writeObject(&b, name, doc.Components.Schemas[name].Value)
	}
	b.WriteString("\n")
	return b.String()
}

// parameterNames returns an operation's parameters outside the path, and records their
// descriptions.
func parameterNames(op *openapi3.Operation, meanings map[string]bool) string {
	var names []string
	for _, p := range op.Parameters {
		meanings[fmt.Sprintf("| `%s` | %s |\n", p.Value.Name, cell(p.Value.Description))] = true
		if p.Value.In != "path" && p.Value.Name != actAs { // which every operation takes
			names = append(names, "`"+p.Value.Name+"`")
		}
	}
	return strings.Join(names, " ")
}

func bodyOf(op *openapi3.Operation) string {
	if op.RequestBody == nil {
		return ""
	}
	content := op.RequestBody.Value.Content
	if media := content["application/json"]; media != nil { // the body of a webhook may also be a form
		content = openapi3.Content{"application/json": media}
	}
	return objectIn(content)
}

// answersOf returns the statuses of success, with the object of each.
func answersOf(op *openapi3.Operation) string {
	var statuses []string
	object := ""
	for _, status := range slices.Sorted(maps.Keys(op.Responses.Map())) {
		if status >= "400" {
			continue
		}
		statuses = append(statuses, status)
		object = cmp.Or(objectIn(op.Responses.Value(status).Value.Content), object)
	}
	return strings.TrimSpace(strings.Join(statuses, ", ") + " " + object)
}

func objectIn(content openapi3.Content) string {
	for _, media := range content {
		if media.Schema != nil && media.Schema.Ref != "" {
			return objectLink(media.Schema.Ref)
		}
	}
	return ""
}

// writeObject writes the table of an object's fields.
func writeObject(b *strings.Builder, name string, schema *openapi3.Schema) {
	fmt.Fprintf(b, "\n### %s\n\n", name)
	b.WriteString("| field | type | meaning |\n| --- | --- | --- |\n")
	for _, field := range slices.Sorted(maps.Keys(schema.Properties)) {
		optional := ""
		if !slices.Contains(schema.Required, field) {
			optional = " …"
		}
		p := schema.Properties[field]
		fmt.Fprintf(b, "| `%s`%s | %s | %s |\n", field, optional, typeOf(p), cell(p.Value.Description))
	}
}

// typeOf returns the name of a field's type: an object, the elements of a list, or the values of an
// enumeration.
func typeOf(p *openapi3.SchemaRef) string {
	switch {
	case p.Ref != "":
		return objectLink(p.Ref)
	case len(p.Value.AllOf) == 1: // a reference with a description, in OpenAPI 3.0
		return typeOf(p.Value.AllOf[0])
	case p.Value.Items != nil:
		return "list of " + typeOf(p.Value.Items)
	case len(p.Value.Enum) > 0:
		return valuesOf(p.Value.Enum)
	case p.Value.Extensions["x-extensible-enum"] != nil:
		return valuesOf(p.Value.Extensions["x-extensible-enum"].([]any)) + " …"
	case p.Value.Format != "" && p.Value.Format != "int64":
		return p.Value.Format
	case p.Value.Type != nil:
		return strings.Join(p.Value.Type.Slice(), ", ")
	}
	return "object"
}

func valuesOf(enum []any) string {
	var values []string
	for _, v := range enum {
		values = append(values, fmt.Sprintf("`%v`", v))
	}
	return strings.Join(values, " ")
}

// objectLink returns a link to the heading of an object.
func objectLink(ref string) string {
	name := ref[strings.LastIndex(ref, "/")+1:]
	return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name))
}

// cell returns a text formatted for a table cell.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(text)
}
