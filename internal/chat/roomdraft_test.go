package chat

import (
	"reflect"
	"testing"
)

// TestChangedSettings_NamesEachField sets one field of a draft at a time. A field that applyTo or
// changedSettings forgets would be dropped, and the response would still be 200.
func TestChangedSettings_NamesEachField(t *testing.T) {
	t.Parallel()
	fields := reflect.TypeFor[RoomDraft]()
	for n := range fields.NumField() {
		field := fields.Field(n)
		if field.Name == "Shards" || field.Name == "If" {
			continue // changesShards covers the shards; the precondition is no setting
		}
		names := map[string]bool{}
		for _, value := range valuesOf(t, field.Type.Elem()) {
			var draft RoomDraft
			pointer := reflect.New(field.Type.Elem())
			pointer.Elem().Set(value)
			reflect.ValueOf(&draft).Elem().Field(n).Set(pointer)
			for _, name := range changedSettings(Room{}, draft.applyTo(Room{})) {
				names[name] = true
			}
		}
		if len(names) != 1 {
			t.Errorf("a change of %s changes the settings %v, want one", field.Name, names)
		}
	}
}

// valuesOf returns values of a setting's type, at least one of which differs from the default.
func valuesOf(t *testing.T, setting reflect.Type) []reflect.Value {
	t.Helper()
	switch setting.Kind() {
	case reflect.String:
		return []reflect.Value{reflect.ValueOf(`{"color":"red"}`).Convert(setting)} // metadata is an object
	case reflect.Bool:
		return []reflect.Value{reflect.ValueOf(true), reflect.ValueOf(false)}
	case reflect.Slice:
		return []reflect.Value{reflect.ValueOf([]string{"us"})}
	case reflect.Int, reflect.Int64:
		return []reflect.Value{reflect.ValueOf(0).Convert(setting), reflect.ValueOf(1).Convert(setting)}
	}
	t.Fatalf("no value of %s is known; add one", setting)
	return nil
}
