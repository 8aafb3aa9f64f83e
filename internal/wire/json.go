package wire

import (
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Marshal writes v as JSON. Map keys are sorted, so equal answers have equal bytes. Metadata keeps
// the escapes of its strings.
func Marshal(w io.Writer, v any) error {
	return json.MarshalWrite(w, v, json.Deterministic(true), jsontext.PreserveRawStrings(true))
}

// FieldPath returns a pointer in the form of a fault's location: events[0].at.
func FieldPath(pointer jsontext.Pointer) string {
	var path strings.Builder
	for token := range pointer.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			path.WriteString("[" + token + "]")
			continue
		}
		if path.Len() > 0 {
			path.WriteByte('.')
		}
		path.WriteString(token)
	}
	return path.String()
}
