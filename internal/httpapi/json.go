package httpapi

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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
