package rights

import (
	"fmt"
	"slices"
	"strings"
)

// LambdaUses maps the Sids of the statements that Lambda itself needs in a function's role to the
// reason. The function's code does not use them, so they are in no recording.
var LambdaUses = map[string]string{
	"WriteLogs":   "Lambda writes the function's log under its role",
	"PollStream":  "Lambda reads the table's stream for the event source mapping under the function's role",
	"ListStreams": "Lambda looks up the table's streams for the event source mapping",
}

// codeless lists the functions whose code calls nothing that needs a right.
var codeless = []string{"authorizer"}

// RoleID returns the logical id of a function's role.
func RoleID(function string) string {
	return strings.ToUpper(function[:1]) + function[1:] + "Role"
}

const (
	// Service has the permissions of all functions behind the API, for tests of the domain.
	Service = "service"
	// Store has the permissions of all functions, for tests of the store.
	Store = "store"
)

var together = map[string][]string{Service: {"write", "read", "search"}, Store: {"write", "read", "search", "feed", "socket"}}

// CodeRole returns the statements of a function's role that its code needs.
func CodeRole(stack *Stack, function string) ([]Statement, error) {
	if functions := together[function]; functions != nil {
		var union []Statement
		for _, f := range functions {
			role, err := CodeRole(stack, f)
			if err != nil {
				return nil, err
			}
			union = append(union, role...)
		}
		return union, nil
	}
	all, err := stack.Role(RoleID(function))
	if err != nil {
		return nil, err
	}
	var code []Statement
	for _, s := range all {
		if LambdaUses[s.ID] == "" {
			code = append(code, s)
		}
	}
	if len(code) == 0 && !slices.Contains(codeless, function) {
		return nil, fmt.Errorf("role %s has no permissions for the function's code", RoleID(function))
	}
	return code, nil
}
