package wire

import (
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Marshal writes v as JSON. Map keys are sorted, so equal answers have equal bytes. Metadata keeps
// the escapes of its strings.
func Marshal(w io.Writer, v any) error {
	return json.MarshalWrite(w, v, json.Deterministic(true), jsontext.PreserveRawStrings(true))
}
