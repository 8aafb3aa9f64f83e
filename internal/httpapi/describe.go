package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/api"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/problem"
	"example.com/parley/internal/wire"
)

const description = `Chat in the team's own AWS account.

Every request needs a bearer token, except those for this document and its page. The token's subject is the user. Times are RFC 3339 in UTC with milliseconds.
A token with the scope parley/act-as is a service's. It may act for a user: the header Parley-Act-As names them, and what they may do decides. Messages and audit logs then name the service as via. The header is refused with other tokens (403).
Errors are problems (RFC 9457): type is stable, and retryable reports whether the same request may succeed later.
API Gateway itself may answer 400, 401, 413, 429, 431, 500 and 503. Such an answer is application/json with a message; decide by the status.`

// tags lists the groups of operations in the order of the documentation.
var tags = []*huma.Tag{
	{Name: "rooms", Description: "Create, find and change rooms."},
	{Name: "messages", Description: "Post, list, edit and delete messages."},
	{Name: "files", Description: "Send and read files of messages, whose bytes never pass through the API."},
	{Name: "threads", Description: "Replies to messages, and the threads that people follow."},
	{Name: "members", Description: "Who is in a room, and with which role."},
	{Name: "webhooks", Description: "Addresses to which other programs post messages."},
	{Name: "changes", Description: "The numbered changes of a room, and read markers."},
	{Name: "people", Description: "Profiles, and the caller's own lists."},
	{Name: "documents", Description: "Texts in parts, whose versions stay."},
	{Name: "hooks", Description: "Programs that receive all changes of rooms. Experimental."},
	{Name: "activity", Description: "The events of the caller's devices, and the audit of a room."},
}

// OpenAPI returns the OpenAPI 3.1 document of the API.
func OpenAPI() ([]byte, error) {
	document, err := describe()
	if err != nil {
		return nil, err
	}
	return json.Marshal(document)
}

// describe returns the description of all operations.
func describe() (*huma.OpenAPI, error) {
	api := newAPI(http.NewServeMux(), &bodySchema{})
	for _, op := range operations() {
		op.register(api, nil)
	}
	document := api.OpenAPI()
	document.Info.License = &huma.License{Name: "Apache-2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"}
	document.Info.Contact = &huma.Contact{
		Name: "Parley", URL: "https://example.com/parley", Email: "parley@example.com",
	}
	document.Servers = []*huma.Server{{URL: "/", Description: "The origin that serves this document"}}
	document.Tags = tags
	describeFailures(document)
	describeSchemas(document)
	for _, op := range described(document) {
		op.Parameters = append(op.Parameters, actAs)
	}
	documentForms(document)
	if err := describeExamples(document); err != nil {
		return nil, err
	}
	return document, shareParameters(document)
}

// describeSchemas finishes the schemas of a document. Request bodies refuse unknown fields and
// values, and responses may gain some. Neither allows null, which huma permits for every array.
func describeSchemas(document *huma.OpenAPI) {
	schemas := document.Components.Schemas.Map()
	for _, t := range problem.Types() {
		kind := schemas["Problem"].Properties["type"]
		kind.Enum = append(kind.Enum, t.URI())
	}
	// huma registers its own schemas of errors, which problemTransformer replaces.
	delete(schemas, "ErrorModel")
	delete(schemas, "ErrorDetail")
	for name, text := range schemaTexts {
		schemas[name].Description = text
	}
	requested := map[string]bool{}
	for _, op := range described(document) {
		if op.RequestBody != nil {
			requested[op.RequestBody.Content[jsonType].Schema.Ref] = true
		}
	}
	for changed := true; changed; { // until requests refer to no further schema
		changed = false
		for name, s := range schemas {
			walk(s, func(s *huma.Schema) {
				if requested[schemaPrefix+name] && s.Ref != "" && !requested[s.Ref] {
					requested[s.Ref], changed = true, true
				}
			})
		}
	}
	for name, s := range schemas {
		walk(s, func(s *huma.Schema) { s.Nullable = false })
		if !requested[schemaPrefix+name] {
			walk(s, openEnum)
		}
		if _, isBool := s.AdditionalProperties.(bool); isBool && !requested[schemaPrefix+name] {
			s.AdditionalProperties = nil
		}
	}
}

// schemaTexts describe objects as a whole. Some have fields that only some products need: they show
// the patterns of the table's design.
var schemaTexts = map[string]string{
	"Person": "A profile. title, previousTitles, state and hired are facts that only some products need. They show " +
		"how one overloaded index finds people by several facts, and by a former value; metadata is for the facts of " +
		"your own product",
	"ListedRoom": "A room in a list. place is a hierarchy in one sort key, of which any beginning finds rooms; it " +
		"suits any tree, such as departments",
	"Event": "An event of a device. Such logs show sort keys that are a numeric time; a device may be anything " +
		"that reports events",
}

// openEnums is the extension that lists the values of an enumeration that may gain some.
const openEnums = "x-extensible-enum"

// openEnum turns the enumeration of an answer into a string with known values. A generated client
// would refuse a value that a later version adds.
func openEnum(s *huma.Schema) {
	if len(s.Enum) == 0 {
		return
	}
	s.Extensions = map[string]any{openEnums: s.Enum}
	s.Enum = nil
}

// walk calls visit for a schema and all schemas inside it.
func walk(s *huma.Schema, visit func(*huma.Schema)) {
	if s == nil {
		return
	}
	visit(s)
	walk(s.Items, visit)
	for _, p := range s.Properties {
		walk(p, visit)
	}
	for _, one := range s.OneOf {
		walk(one, visit)
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		walk(values, visit)
	}
}

// described returns the operations of a document.
func described(document *huma.OpenAPI) []*huma.Operation {
	var all []*huma.Operation
	for _, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if op != nil {
				all = append(all, op)
			}
		}
	}
	return all
}

const schemaPrefix = "#/components/schemas/"

// schemaName returns the name of a type in the document: roomBody is Room, the body of
// postMessageInput is PostMessageRequest, and the body of listMessagesOutput is MessagePage. Where
// the rules yield no good name, the field has the tag nameHint.
func schemaName(t reflect.Type, hint string) string {
	name := strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "Body")
	if operation, ok := strings.CutSuffix(name, "Input"); ok {
		return operation + "Request"
	}
	name = strings.TrimSuffix(name, "Output")
	if entries, ok := strings.CutPrefix(name, "List"); ok && entries != "" && !strings.HasPrefix(entries, "ed") {
		return strings.TrimSuffix(entries, "s") + "Page"
	}
	return name
}

// metadata is the JSON object that a client attached to something. Its schema is metadataSchema's.
type metadata = wire.Metadata

type metadataSchema struct{}

// Schema implements huma.SchemaProvider.
func (metadataSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: true,
		Description: fmt.Sprintf("A JSON object of the client's own, at most %d bytes. It is returned as given, "+
			"except for the white space around its tokens", chat.MaxMetadata),
	}
}

// newSchemas returns a registry of schemas that includes the schemas of package wire.
func newSchemas() huma.Registry {
	r := huma.NewMapRegistry(schemaPrefix, schemaName)
	r.RegisterTypeAlias(reflect.TypeFor[wire.Metadata](), reflect.TypeFor[metadataSchema]())
	return r
}

const parameterPrefix = "#/components/parameters/"

// actAs describes the header by which a service names a person. Every operation takes it, so it is
// described here rather than in each input.
var actAs = &huma.Param{
	Name: actAsHeader, In: "header",
	Description: "The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with " +
		"others",
	Schema:  &huma.Schema{Type: huma.TypeString, Format: "user-id"},
	Example: "bob",
}

// shareParameters moves the parameters that several operations have to the components of a
// document, where generated clients give each a name. Of different parameters with one name, it
// moves the most frequent.
func shareParameters(document *huma.OpenAPI) error {
	texts := map[*huma.Param]string{}
	uses := map[string]int{}
	for _, op := range described(document) {
		for _, p := range op.Parameters {
			text, err := json.Marshal(p)
			if err != nil {
				return err
			}
			texts[p] = string(text)
			uses[string(text)]++
		}
	}
	shared := map[string]*huma.Param{}
	for _, p := range slices.SortedFunc(
		maps.Keys(texts), func(a, b *huma.Param) int { return strings.Compare(texts[a], texts[b]) },
	) {
		if known := shared[componentName(p)]; uses[texts[p]] > 1 &&
			(known == nil || uses[texts[p]] > uses[texts[known]]) {
			shared[componentName(p)] = p
		}
	}
	document.Components.Parameters = shared
	for _, op := range described(document) {
		for i, p := range op.Parameters {
			if known := shared[componentName(p)]; known != nil && texts[known] == texts[p] {
				op.Parameters[i] = &huma.Param{Ref: parameterPrefix + componentName(p)}
			}
		}
	}
	return nil
}

// componentName returns the name of a parameter among the components: IfMatchParameter for
// If-Match. Some generators give parameters and schemas one name space.
func componentName(p *huma.Param) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(p.Name, func(r rune) bool { return r == '-' || r == '_' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String() + "Parameter"
}

// codeSamples is the extension of an operation that has a command for a shell.
const codeSamples = "x-codeSamples"

// describeExamples adds an example of each operation to a document: the body of a request and its
// answer, and the command that sends it, with the variables API and TOKEN.
func describeExamples(document *huma.OpenAPI) error {
	all, err := api.Examples()
	if err != nil {
		return err
	}
	for _, op := range described(document) {
		e, ok := all[op.Method+" "+op.Path]
		if !ok {
			continue // a test of the functions demands one of each
		}
		if e.Body != nil && op.RequestBody != nil {
			op.RequestBody.Content[jsonType].Example = e.Body
		}
		if answer := op.Responses[strconv.Itoa(e.Status)]; e.Answer != nil && answer != nil &&
			answer.Content[jsonType] != nil {
			answer.Content[jsonType].Example = e.Answer
		}
		source, err := command(op, e)
		if err != nil {
			return err
		}
		if op.Extensions == nil {
			op.Extensions = map[string]any{}
		}
		op.Extensions[codeSamples] = []map[string]string{{"lang": "Shell", "source": source}}
	}
	return nil
}

// command returns the command that sends a request.
func command(op *huma.Operation, e api.Example) (string, error) {
	words := []string{"curl -sS"}
	if op.Method != http.MethodGet {
		words = append(words, "-X "+op.Method)
	}
	words = append(words, fmt.Sprintf(`"$API%s"`, e.Path))
	if len(op.Security[0]) > 0 {
		words = append(words, `-H "Authorization: Bearer $TOKEN"`)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		words = append(words, "-H "+quoted(name+": "+e.Header[name]))
	}
	if e.Body != nil {
		var body bytes.Buffer
		if err := json.Compact(&body, e.Body); err != nil {
			return "", fmt.Errorf("read the body of an example: %w", err)
		}
		words = append(words, "-H 'Content-Type: application/json'", "-d "+quoted(body.String()))
	}
	return strings.Join(words, " "), nil
}

// quoted returns a word for a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
