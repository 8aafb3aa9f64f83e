package httpapi

import (
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// TestLists_AreTheArraysOfTheDocument compares the names with the parameters that are arrays.
func TestLists_AreTheArraysOfTheDocument(t *testing.T) {
	t.Parallel()
	arrays := map[string]bool{}
	document, err := describe()
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range described(document) {
		for _, p := range op.Parameters {
			if name, ok := strings.CutPrefix(p.Ref, parameterPrefix); ok {
				p = document.Components.Parameters[name]
			}
			isArray := p.Schema.Type == huma.TypeArray
			if p.In == "query" && isArray != lists[p.Name] {
				t.Errorf("%s: the parameter %s is an array: %t, a list: %t", op.OperationID, p.Name, isArray, lists[p.Name])
			}
			arrays[p.Name] = arrays[p.Name] || isArray
		}
	}
	for name := range lists {
		if !arrays[name] {
			t.Errorf("no operation has the list %s", name)
		}
	}
}
