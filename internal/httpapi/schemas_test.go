package httpapi_test

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/parley/internal/hook"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/problem"
)

var (
	goName  = regexp.MustCompile(`(Body|Output|Input|Response)$`)
	goVerb  = regexp.MustCompile(`^(Get|Put|Post|Patch|Delete|List)[A-Z]`)
	goodRef = regexp.MustCompile(`^#/components/schemas/([A-Z][A-Za-z]*)$`)
)

// TestOpenAPI_SchemasHaveNamesOfTheAPI keeps Go names out of generated clients.
func TestOpenAPI_SchemasHaveNamesOfTheAPI(t *testing.T) {
	t.Parallel()
	_, doc := description(t)
	for name := range doc.Components.Schemas {
		if goName.MatchString(name) || goVerb.MatchString(name) && !strings.HasSuffix(name, "Request") {
			t.Errorf("the schema %s has a name of Go: rename the type, or give its Body the tag nameHint", name)
		}
	}
}

// TestOpenAPI_SchemasAreStrictInRequestsAlone requires that request bodies refuse further fields
// and that responses may gain some. It finds null, and free fields outside metadata.
func TestOpenAPI_SchemasAreStrictInRequestsAlone(t *testing.T) {
	t.Parallel()
	_, doc := description(t)
	requested := map[string]bool{}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			if op.RequestBody != nil {
				refsIn(op.RequestBody.Value.Content["application/json"].Schema, requested)
			}
		}
	}
	if len(requested) < 8 {
		t.Fatalf("only these schemas are of requests: %v", requested)
	}
	for name, s := range doc.Components.Schemas {
		free := s.Value.AdditionalProperties.Has
		if strict := free != nil && !*free; s.Value.Properties != nil && strict != requested[name] {
			t.Errorf("%s is in a request: %t, refuses further fields: %t", name, requested[name], strict)
		}
		eachSchema(name, s, func(where string, s *openapi3.Schema) {
			if requested[name] && s.Type.Is("array") && s.MaxItems == nil {
				t.Errorf("%s is an array of a request, and has no maxItems", where)
			}
			if requested[name] && s.Default != nil {
				t.Errorf("%s has a default, so some generators require it", where)
			}
			if s.Type.Includes("null") || s.Nullable {
				t.Errorf("%s may be null", where)
			}
			if free := s.AdditionalProperties.Has; free != nil && *free && !strings.HasSuffix(where, "metadata") {
				t.Errorf("%s has free fields", where)
			}
		})
	}
}

// TestOpenAPI_CreatedInviteIsAnInvite requires that a new invitation has every field of a listed
// one, such as the id by which it is revoked.
func TestOpenAPI_CreatedInviteIsAnInvite(t *testing.T) {
	t.Parallel()
	_, doc := description(t)
	created, listed := doc.Components.Schemas["CreatedInvite"].Value, doc.Components.Schemas["Invite"].Value
	for name := range listed.Properties {
		if created.Properties[name] == nil || slices.Contains(created.Required, name) != slices.Contains(listed.Required, name) {
			t.Errorf("a new invitation has no %s, or does not require it as a listed one", name)
		}
	}
	if listed.Properties["id"] == nil || !slices.Contains(created.Required, "token") {
		t.Error("the id of an invitation, or the token of a new one, is missing")
	}
}

// refsIn adds the names of the schemas to which a schema refers.
func refsIn(s *openapi3.SchemaRef, names map[string]bool) {
	if m := goodRef.FindStringSubmatch(s.Ref); m != nil {
		if names[m[1]] {
			return
		}
		names[m[1]] = true
	}
	for _, p := range s.Value.Properties {
		refsIn(p, names)
	}
	if s.Value.Items != nil {
		refsIn(s.Value.Items, names)
	}
}

// eachSchema calls visit for a schema and all schemas inside it, but not for referenced schemas.
func eachSchema(where string, s *openapi3.SchemaRef, visit func(where string, s *openapi3.Schema)) {
	visit(where, s.Value)
	inside := map[string]*openapi3.SchemaRef{"[]": s.Value.Items}
	maps.Copy(inside, s.Value.Properties)
	for name, p := range inside {
		if p != nil && p.Ref == "" {
			eachSchema(where+"."+name, p, visit)
		}
	}
}

// TestOpenAPI_EnumsOfAnswersAreOpen requires that answers state known values without refusing
// others, which a later version may add, and that requests are closed.
func TestOpenAPI_EnumsOfAnswersAreOpen(t *testing.T) {
	t.Parallel()
	_, doc := description(t)
	open := 0
	for name, s := range doc.Components.Schemas {
		request := strings.HasSuffix(name, "Request")
		eachSchema(name, s, func(where string, s *openapi3.Schema) {
			if known, ok := s.Extensions["x-extensible-enum"].([]any); ok && len(known) > 0 {
				open++
				if request {
					t.Errorf("%s is open in a request", where)
				}
			}
			if len(s.Enum) > 0 && s.AdditionalProperties.Has == nil && strings.HasSuffix(name, "Page") {
				t.Errorf("%s is closed in an answer", where)
			}
		})
	}
	for object, field := range map[string]string{"Problem": "type", "Change": "type", "Room": "posting", "Member": "role", "Person": "kind"} {
		s := doc.Components.Schemas[object].Value.Properties[field].Value
		if len(s.Enum) > 0 || s.Extensions["x-extensible-enum"] == nil {
			t.Errorf("%s.%s must be open, with its known values", object, field)
		}
	}
	if open < 10 {
		t.Errorf("only %d values of answers are open", open)
	}
	var problems []any
	for _, k := range problem.Types() {
		problems = append(problems, k.URI())
	}
	if got := doc.Components.Schemas["Problem"].Value.Properties["type"].Value.Extensions["x-extensible-enum"]; !reflect.DeepEqual(got, problems) {
		t.Errorf("the types of problems are %v, want %v", got, problems)
	}
}

// TestHookSettings_HaveEveryType requires that a hook may select each type of change, and no other.
func TestHookSettings_HaveEveryType(t *testing.T) {
	t.Parallel()
	field, _ := reflect.TypeFor[httpapi.HookSettings]().FieldByName("Types")
	stated, want := strings.Split(field.Tag.Get("enum"), ","), hook.Types()
	slices.Sort(stated)
	slices.Sort(want)
	if !slices.Equal(stated, want) {
		t.Errorf("the document has %q, want %q", stated, want)
	}
}
