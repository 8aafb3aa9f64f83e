package stack_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/templates"
)

// template is a CloudFormation template.
type template struct {
	Description string
	Parameters  map[string]any
	Resources   map[string]resource
	Outputs     map[string]any
	Rules       map[string]any

	// byType has the logical ids in order by type, while a template does not change.
	byType map[string][]string
}

type resource struct {
	Type                string
	Properties          map[string]any `json:",omitempty"`
	DependsOn           any            `json:",omitempty"`
	Metadata            any            `json:",omitempty"`
	DeletionPolicy      string         `json:",omitempty"`
	UpdateReplacePolicy string         `json:",omitempty"`
}

// ids returns the logical ids of the resources of a type, in order.
func (t template) ids(kind string) []string {
	if t.byType != nil {
		return slices.Clone(t.byType[kind])
	}
	var ids []string
	for id, r := range t.Resources {
		if r.Type == kind {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// sorted returns the template with the ids of each type looked up.
func (t template) sorted() template {
	t.byType = map[string][]string{}
	for _, id := range slices.Sorted(maps.Keys(t.Resources)) {
		kind := t.Resources[id].Type
		t.byType[kind] = append(t.byType[kind], id)
	}
	return t
}

// get follows a path of keys; "0" stands for a list's only entry. A missing value is nil.
func (r resource) get(path ...string) any { return get(r.Properties, path...) }

func (r resource) text(path ...string) string {
	s, _ := r.get(path...).(string)
	return s
}

func (r resource) number(path ...string) float64 {
	f, _ := r.get(path...).(float64)
	return f
}

func get(v any, path ...string) any {
	for _, key := range path {
		switch at := v.(type) {
		case map[string]any:
			v = at[key]
		case []any:
			if key != "0" || len(at) != 1 {
				return nil
			}
			v = at[0]
		default:
			return nil
		}
	}
	return v
}

// list returns the entries of a value that CloudFormation allows to be single or a list.
func list(v any) []any { return rights.Elements(v) }

// refs returns the logical ids to which a value refers, by Ref, GetAtt or Sub.
func refs(v any) []string {
	var ids []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			ids = append(ids, refs(e)...)
		}
	case map[string]any:
		for key, e := range v {
			switch key {
			case "Ref":
				ids = append(ids, e.(string))
			case "Fn::GetAtt":
				ids = append(ids, e.([]any)[0].(string))
			default:
				ids = append(ids, refs(e)...)
			}
		}
	}
	return ids
}

// ref returns the only logical id to which a value refers, or "".
func ref(v any) string {
	if ids := refs(v); len(ids) == 1 {
		return ids[0]
	}
	return ""
}

// render formats a value with its references resolved to logical ids in ${}, for comparison with a
// text.
func render(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		if id, ok := v["Ref"].(string); ok {
			return "${" + id + "}"
		}
		if at, ok := v["Fn::GetAtt"].([]any); ok {
			return fmt.Sprintf("${%s.%s}", at...)
		}
		if join, ok := v["Fn::Join"].([]any); ok {
			var parts []string
			for _, p := range join[1].([]any) {
				parts = append(parts, render(p))
			}
			return strings.Join(parts, join[0].(string))
		}
	}
	return fmt.Sprint(v)
}

// walk calls visit for every string in a value, with the keys that lead to it.
func walk(v any, path string, visit func(path, text string)) {
	switch v := v.(type) {
	case string:
		visit(path, v)
	case []any:
		for _, e := range v {
			walk(e, path, visit)
		}
	case map[string]any:
		for key, e := range v {
			walk(e, path+"."+key, visit)
		}
	}
}

// assetHash matches the part that differs with every build of a function.
var assetHash = regexp.MustCompile(`[0-9a-f]{64}`)

// TestNew_MatchesTheGoldenTemplates shows the effect of a change on the stack as a diff. Dev's file is
// the template, each other file the changes from another variant. Write the files with -update, and
// review them.
func TestNew_MatchesTheGoldenTemplates(t *testing.T) {
	each(t, func(t *testing.T, d deployment) {
		name := filepath.Base(t.Name())
		got := d.golden(t)
		if base, ok := templates.Bases[name]; ok {
			var err error
			if got, err = templates.Changes(deployments[base].golden(t), got); err != nil {
				t.Fatal(err)
			}
		}
		file := templates.File(root, name)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(readText(t, file), got); diff != "" {
			t.Errorf("%s differs; make templates writes it:\n%s", file, diff)
		}
	})
}

// golden returns the template as JSON, without the hashes of assets.
func (d deployment) golden(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d.template); err != nil {
		t.Fatal(err)
	}
	return assetHash.ReplaceAllString(b.String(), "<asset hash>")
}
