package httpapi

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/wire"
)

// changeSchema has the schema of wire.Change.
type changeSchema struct{}

const changeFallback = "One entry of a room's feed. Its type selects the form. Later versions may have other types: " +
	"a client skips an entry of a type that it does not know, as it skips unknown, and counts its seq."

// Schema registers the union of the entries by their type.
func (changeSchema) Schema(r huma.Registry) *huma.Schema {
	const name = "Change"
	ref := &huma.Schema{Ref: schemaPrefix + name}
	if _, known := r.Map()[name]; known {
		return ref
	}
	union := &huma.Schema{
		Description:   changeFallback,
		Discriminator: &huma.Discriminator{PropertyName: "type", Mapping: map[string]string{}},
	}
	r.Map()[name] = union
	for _, form := range []reflect.Type{
		reflect.TypeFor[wire.MessageChange](), reflect.TypeFor[wire.MemberChange](), reflect.TypeFor[wire.RoomChange](), reflect.TypeFor[wire.PinChange](), reflect.TypeFor[wire.UnknownChange](),
	} {
		one := r.Schema(form, true, "")
		union.OneOf = append(union.OneOf, one)
		for _, value := range r.SchemaFromRef(one.Ref).Properties["type"].Enum {
			union.Discriminator.Mapping[value.(string)] = one.Ref
		}
	}
	return ref
}
