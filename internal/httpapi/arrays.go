package httpapi

import "github.com/danielgtaylor/huma/v2"

// bodySchema is the schema of an operation's body.
type bodySchema struct {
	schemas huma.Registry
	schema  *huma.Schema
}

// take takes the schema of the only operation of an API.
func (b *bodySchema) take(api huma.API) {
	b.schemas = api.OpenAPI().Components.Schemas
	for _, op := range described(api.OpenAPI()) {
		if op.RequestBody != nil {
			b.schema = op.RequestBody.Content[jsonType].Schema
		}
	}
}

// shorten returns a body without the elements of arrays behind the first one too many. huma
// validates each element, even if there are too many of them, and reports each fault.
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
