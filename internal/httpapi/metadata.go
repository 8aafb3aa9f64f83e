package httpapi

import (
	"fmt"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"parley/internal/chat"
)

// metadata is the JSON object that a client attached to something. The zero value means that there
// is none; a field of this type has the tag omitzero.
type metadata string

// MarshalJSONTo writes the object.
func (m metadata) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteValue(jsontext.Value(m))
}

// UnmarshalJSONFrom reads any JSON value as it is. The service checks it.
func (m *metadata) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	*m = metadata(v)
	return err
}

// Schema implements huma.SchemaProvider.
func (metadata) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: true,
		Description: fmt.Sprintf("A JSON object of the client's own, at most %d bytes. It is returned as given, but for the white space "+
			"around its tokens", chat.MaxMetadata),
	}
}

// given returns what a client gave for an optional object: nil for none.
func (m metadata) given() *string {
	if m == "" {
		return nil
	}
	return new(string(m))
}
