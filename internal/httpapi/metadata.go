package httpapi

import (
	"fmt"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/wire"
)

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
