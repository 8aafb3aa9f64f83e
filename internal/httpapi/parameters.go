package httpapi

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

const parameterPrefix = "#/components/parameters/"

// actAs describes the header by which a service names a person. Every operation takes it, so it is
// described here rather than in each input.
var actAs = &huma.Param{
	Name: actAsHeader, In: "header",
	Description: "The user for whom a service acts. Only with a token that has the scope parley/act-as; 403 with " +
		"others",
	Schema:  &huma.Schema{Type: huma.TypeString, Format: "user-id"},
	Example: "bob",
}

// shareParameters moves the parameters that several operations have to the components of a
// document, where generated clients give each a name. Of different parameters with one name, it
// moves the most frequent.
func shareParameters(document *huma.OpenAPI) error {
	texts := map[*huma.Param]string{}
	uses := map[string]int{}
	for _, op := range described(document) {
		for _, p := range op.Parameters {
			text, err := json.Marshal(p)
			if err != nil {
				return err
			}
			texts[p] = string(text)
			uses[string(text)]++
		}
	}
	shared := map[string]*huma.Param{}
	for _, p := range slices.SortedFunc(
		maps.Keys(texts), func(a, b *huma.Param) int { return strings.Compare(texts[a], texts[b]) },
	) {
		if known := shared[componentName(p)]; uses[texts[p]] > 1 &&
			(known == nil || uses[texts[p]] > uses[texts[known]]) {
			shared[componentName(p)] = p
		}
	}
	document.Components.Parameters = shared
	for _, op := range described(document) {
		for i, p := range op.Parameters {
			if known := shared[componentName(p)]; known != nil && texts[known] == texts[p] {
				op.Parameters[i] = &huma.Param{Ref: parameterPrefix + componentName(p)}
			}
		}
	}
	return nil
}

// componentName returns the name of a parameter among the components: IfMatchParameter for
// If-Match. Some generators give parameters and schemas one name space.
func componentName(p *huma.Param) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(p.Name, func(r rune) bool { return r == '-' || r == '_' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String() + "Parameter"
}
