package httpapi

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// strictJSON refuses what encoding/json lets pass: duplicate keys, keys in the
// wrong case, unknown keys, invalid UTF-8 and trailing bytes.
func strictJSON() huma.Format {
	return huma.Format{
		Marshal: marshal,
		Unmarshal: func(data []byte, v any) error {
			err := json.Unmarshal(data, v, json.RejectUnknownMembers(true))
			if tree, ok := v.(*any); ok && err == nil {
				refuseNulls(*tree)
			}
			return plainly(err)
		},
	}
}

// null stands for a null within a body while it is checked. No schema
// accepts it: what has no value is left out. huma would take a null for an absent field
// wherever the field is optional.
type null struct{}

// refuseNulls puts null where a tree of JSON holds nil below its root.
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

// marshal ends its JSON with a newline, which a terminal needs and a parser skips.
func marshal(w io.Writer, v any) error {
	if err := json.MarshalWrite(w, v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// plainly says what is wrong with a body without the names of our types,
// and without what stands in it.
func plainly(err error) error {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsontext.ErrDuplicateName):
		return errors.New("holds the same key twice")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("ends before its JSON does")
	case errors.As(err, &syntactic):
		return fmt.Errorf("is not valid JSON in UTF-8 at byte %d", syntactic.ByteOffset)
	case errors.As(err, &semantic) && errors.Is(err, json.ErrUnknownName):
		return fmt.Errorf("holds the unknown key %s", semantic.JSONPointer.LastToken())
	}
	return errors.New("does not have the expected form")
}

// timeLayout is RFC 3339 in UTC with milliseconds, always of one width.
const timeLayout = "2006-01-02T15:04:05.000Z"

func timeText(t time.Time) string { return t.UTC().Format(timeLayout) }
