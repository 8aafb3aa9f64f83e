package rights

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Statement is one statement of a policy. Reading a policy with other elements, such as NotAction,
// is an error.
type Statement struct {
	ID         string // the Sid
	Effect     string // "Allow" or "Deny"
	Principals []Principal
	Actions    []string
	Resources  []string
	Conditions []Condition
}

// Principal is a caller in the policy of a resource: {"Service", "sns.amazonaws.com"} or
// {"AWS", "*"}.
type Principal struct{ Kind, Name string }

// Condition is one operator on one key, such as ForAllValues:StringLike on dynamodb:LeadingKeys.
type Condition struct {
	Operator string
	Key      string
	Values   []string
}

// parseStatements parses the statements of a policy document with resolved references.
func parseStatements(document any) ([]Statement, error) {
	d, ok := document.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%v is not a policy document", document)
	}
	if d["Version"] != "2012-10-17" {
		return nil, fmt.Errorf("unsupported policy version %v", d["Version"])
	}
	var all []Statement
	for _, s := range Elements(d["Statement"]) {
		statement, err := parseStatement(s)
		if err != nil {
			return nil, err
		}
		all = append(all, statement)
	}
	return all, nil
}

func parseStatement(v any) (Statement, error) {
	fields, ok := v.(map[string]any)
	if !ok {
		return Statement{}, fmt.Errorf("%v is not a statement", v)
	}
	var s Statement
	for name, value := range fields {
		switch name {
		case "Sid":
			s.ID = fmt.Sprint(value)
		case "Effect":
			s.Effect = fmt.Sprint(value)
		case "Action":
			s.Actions = Texts(value)
		case "Resource":
			s.Resources = Texts(value)
		case "Principal":
			s.Principals = principals(value)
		case "Condition":
			s.Conditions = conditions(value)
		default:
			return Statement{}, fmt.Errorf("statement %v has the element %s, which is not supported", fields["Sid"], name)
		}
	}
	if s.Effect != "Allow" && s.Effect != "Deny" {
		return Statement{}, fmt.Errorf("statement %q has the unknown effect %q", s.ID, s.Effect)
	}
	return s, nil
}

func principals(v any) []Principal {
	fields, ok := v.(map[string]any)
	if !ok {
		return []Principal{{"AWS", fmt.Sprint(v)}} // "Principal": "*"
	}
	var all []Principal
	for kind, names := range fields {
		for _, name := range Texts(names) {
			all = append(all, Principal{kind, name})
		}
	}
	return all
}

func conditions(v any) []Condition {
	var all []Condition
	operators, _ := v.(map[string]any)
	for operator, keys := range operators {
		keys, _ := keys.(map[string]any)
		for key, values := range keys {
			if rest, ok := strings.CutPrefix(key, "AWS:"); ok {
				key = "aws:" + rest // keys are not case-sensitive
			}
			all = append(all, Condition{operator, key, Texts(values)})
		}
	}
	return all
}

// Elements returns the elements of a value that a template may state as a list or as a single
// value. It returns nil for nil.
func Elements(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// Texts returns the elements of a value that is a list or a single element, as texts.
func Texts(v any) []string {
	var all []string
	for _, e := range Elements(v) {
		all = append(all, fmt.Sprint(e))
	}
	return all
}

// String returns the statement's Sid, or its JSON if it has none.
func (s Statement) String() string {
	if s.ID != "" {
		return s.ID
	}
	text, _ := json.Marshal(s) // all fields can be encoded
	return strings.TrimSpace(string(text))
}
