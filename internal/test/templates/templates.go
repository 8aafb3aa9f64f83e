// Package templates reads the reviewed templates of the stack. The template of dev is kept whole,
// the others as changes from a base.
package templates

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Bases has the base of each variant that is kept as changes.
var Bases = map[string]string{"prod": "dev", "own": "prod", "adopted": "prod", "keys": "prod"}

// devName and prodName are the names of the stacks, which the metadata of every resource contains.
// A base is read with prod's name, so that they do not count as changes.
const devName, prodName = "Parley-dev", "Parley-prod"

const (
	separator = " > " // joins the keys of a path
	width     = 100   // columns of a line; a longer value is broken
)

// changes has the values of a template that differ from its base, by the path of their keys. If a
// value is nil, the template lacks it. A list of another length is one value.
type changes map[string]any

// File returns the path of a variant's file, such as prod's. Root is the repository's folder.
func File(root, variant string) string {
	kind := ".golden.json"
	if Bases[variant] != "" {
		kind = ".changes.json"
	}
	return filepath.Join(root, "infra", "stack", "testdata", variant+kind)
}

// Read returns the reviewed template of a variant as indented JSON.
func Read(root, variant string) ([]byte, error) {
	text, err := os.ReadFile(File(root, variant))
	if err != nil || Bases[variant] == "" {
		return text, err
	}
	base, err := Read(root, Bases[variant])
	if err != nil {
		return nil, err
	}
	template, err := apply(string(base), string(text))
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(template, "", "  ")
}

// Changes returns the changes from a base to a template, which are JSON objects. It fails if the
// changes, applied to the base, do not give the template.
func Changes(base, template string) (string, error) {
	from, err := decode(base)
	if err != nil {
		return "", err
	}
	var to map[string]any
	if err := json.Unmarshal([]byte(template), &to); err != nil {
		return "", err
	}
	c := changes{}
	c.add("", from, to)
	text := lines("", "", map[string]any(c)) + "\n"
	again, err := apply(base, text)
	if err == nil && !reflect.DeepEqual(again, to) {
		err = errors.New("the changes do not give the template: has a key the separator, or is a value null?")
	}
	return text, err
}

func decode(base string) (map[string]any, error) {
	var template map[string]any
	err := json.Unmarshal([]byte(strings.ReplaceAll(base, devName, prodName)), &template)
	return template, err
}

func apply(base, text string) (map[string]any, error) {
	template, err := decode(base)
	if err != nil {
		return nil, err
	}
	var c changes
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return nil, err
	}
	for path, value := range c {
		if err := set(template, strings.Split(path, separator), value); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return template, nil
}

func (c changes) add(path string, from, to any) {
	if reflect.DeepEqual(from, to) {
		return
	}
	a, b := children(from), children(to)
	_, isList := to.([]any)
	if a == nil || b == nil || reflect.TypeOf(from) != reflect.TypeOf(to) || isList && len(a) != len(b) {
		c[strings.TrimPrefix(path, separator)] = to
		return
	}
	keys := maps.Clone(a)
	maps.Copy(keys, b)
	for key := range keys {
		c.add(path+separator+key, a[key], b[key])
	}
}

// children returns the values of an object or a list by their keys, or nil for another value.
func children(v any) map[string]any {
	all := map[string]any{}
	switch v := v.(type) {
	case map[string]any:
		maps.Copy(all, v)
	case []any:
		for i, e := range v {
			all[strconv.Itoa(i)] = e
		}
	default:
		return nil
	}
	return all
}

func set(at any, keys []string, value any) error {
	key, last := keys[0], len(keys) == 1
	switch v := at.(type) {
	case map[string]any:
		switch {
		case !last:
			return set(v[key], keys[1:], value)
		case value == nil:
			delete(v, key)
		default:
			v[key] = value
		}
		return nil
	case []any:
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(v) {
			return fmt.Errorf("the list has no element %s", key)
		}
		if !last {
			return set(v[i], keys[1:], value)
		}
		v[i] = value
		return nil
	}
	return fmt.Errorf("the base has nothing to hold %s", key)
}

// lines returns a key and its value, which is on the same line if it fits there. What has no
// indent is never on one line.
func lines(indent, key string, value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // decoded JSON can be encoded
	line := indent + key + strings.TrimSuffix(b.String(), "\n")
	if len(line) <= width && indent != "" {
		return line
	}
	var parts []string
	switch v := value.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, lines(indent+"  ", strconv.Quote(k)+": ", v[k]))
		}
		return indent + key + "{\n" + strings.Join(parts, ",\n") + "\n" + indent + "}"
	case []any:
		for _, e := range v {
			parts = append(parts, lines(indent+"  ", "", e))
		}
		return indent + key + "[\n" + strings.Join(parts, ",\n") + "\n" + indent + "]"
	}
	return line
}
