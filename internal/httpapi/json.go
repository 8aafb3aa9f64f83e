package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/problem"
	"example.com/parley/internal/wire"
)

// strictJSON returns a format that refuses input that encoding/json accepts: duplicate keys, keys
// in the wrong case, unknown keys, invalid UTF-8 and trailing bytes. Long arrays in a body are cut
// for validation.
func strictJSON(body *bodySchema) huma.Format {
	return huma.Format{
		Marshal: marshal,
		Unmarshal: func(data []byte, v any) error {
			err := json.Unmarshal(data, v, json.RejectUnknownMembers(true), json.WithUnmarshalers(anyNumber))
			if tree, ok := v.(*any); ok && err == nil {
				*tree = body.shorten(*tree)
				refuseNulls(*tree)
			}
			return clientJSONError(err)
		},
	}
}

// anyNumber decodes the numbers of a JSON tree. A number beyond the range of floats becomes
// infinite: metadata may contain it, and no number schema accepts it.
var anyNumber = json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *any) error {
	if d.PeekKind() != '0' {
		return json.SkipFunc
	}
	digits, err := d.ReadValue()
	if err != nil {
		return err
	}
	number, _ := strconv.ParseFloat(string(digits), 64) // infinite if it is out of range
	*v = number
	return nil
})

// null replaces each null in a body during validation. No schema accepts it, whereas huma would
// read nil as an absent field if the field is optional.
type null struct{}

// refuseNulls replaces each nil below the root of a JSON tree by null.
func refuseNulls(tree any) {
	switch node := tree.(type) {
	case map[string]any:
		for name, value := range node {
			if value == nil {
				node[name] = null{}
			}
			refuseNulls(value)
		}
	case []any:
		for i, value := range node {
			if value == nil {
				node[i] = null{}
			}
			refuseNulls(value)
		}
	}
}

// each returns the result of f for each element. No elements give an empty list, whose JSON is not
// null.
func each[T, R any](all []T, f func(T) R) []R {
	results := make([]R, len(all))
	for i, v := range all {
		results[i] = f(v)
	}
	return results
}

// marshal writes v as JSON and a newline, which terminals need and parsers skip.
func marshal(w io.Writer, v any) error {
	if err := wire.Marshal(w, v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// unknownField is the prefix of the error for a body with a field that its schema does not have.
// The field's path follows.
const unknownField = "unknown field "

// clientJSONError returns the error that a client may see: without names of Go types or values
// from the body.
func clientJSONError(err error) error {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsontext.ErrDuplicateName):
		return errors.New("must not contain a key twice")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("must be whole: its JSON ends too early")
	case errors.As(err, &syntactic):
		return fmt.Errorf("must be valid JSON in UTF-8; the error is at byte %d", syntactic.ByteOffset)
	case errors.As(err, &semantic) && errors.Is(err, json.ErrUnknownName):
		return errors.New(unknownField + wire.FieldPath(semantic.JSONPointer))
	}
	return errors.New("must have the form that /openapi.json describes")
}

const jsonType = "application/json"

// checkMedia returns the problem of a body that is compressed, or whose Content-Type is not JSON
// in UTF-8. A body without a Content-Type is read as JSON, because many clients send none. It
// rewrites the header to the form that huma expects. With anyMedia, the type may be any.
func checkMedia(r *http.Request, anyMedia bool) *problem.Problem {
	if r.ContentLength == 0 {
		return nil
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return problem.OfStatus(http.StatusUnsupportedMediaType, "send the body without compression")
	}
	given := r.Header.Get("Content-Type")
	if given == "" || anyMedia {
		return nil
	}
	media, parameters, err := mime.ParseMediaType(given)
	if err != nil || media != jsonType {
		return problem.OfStatus(http.StatusUnsupportedMediaType, "send the body as application/json")
	}
	if charset, ok := parameters["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return problem.OfStatus(http.StatusUnsupportedMediaType, "send the body in UTF-8")
	}
	r.Header.Set("Content-Type", jsonType)
	return nil
}

// bodySchema is the schema of an operation's body.
type bodySchema struct {
	schemas huma.Registry
	schema  *huma.Schema
}

// take sets the schema to the one of an API's only operation.
func (b *bodySchema) take(api huma.API) {
	b.schemas = api.OpenAPI().Components.Schemas
	for _, op := range described(api.OpenAPI()) {
		if op.RequestBody != nil {
			b.schema = op.RequestBody.Content[jsonType].Schema
		}
	}
}

// shorten returns a body whose arrays end at the first element over the limit. Otherwise huma
// would validate every element and report every fault.
func (b *bodySchema) shorten(tree any) any { return b.cut(tree, b.schema) }

func (b *bodySchema) cut(tree any, s *huma.Schema) any {
	for s != nil && s.Ref != "" {
		s = b.schemas.SchemaFromRef(s.Ref)
	}
	if s == nil {
		return tree
	}
	switch node := tree.(type) {
	case map[string]any:
		for name, p := range s.Properties {
			if value, ok := node[name]; ok {
				node[name] = b.cut(value, p)
			}
		}
	case []any:
		if s.MaxItems != nil && len(node) > *s.MaxItems {
			node = node[:*s.MaxItems+1]
		}
		for i := range node {
			node[i] = b.cut(node[i], s.Items)
		}
		return node
	}
	return tree
}
