package httpapi

import "github.com/danielgtaylor/huma/v2"

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
