package rights

import (
	"fmt"
	"strings"
)

// LambdaUses are the statements that Lambda itself needs of a function's role, by Sid, with the
// reason. No code of ours calls with them, so no recording shows that they are used.
var LambdaUses = map[string]string{
	"WriteLogs":   "Lambda writes the function's log under its role",
	"PollStream":  "Lambda reads the table's stream for the event source mapping under the function's role",
	"ListStreams": "Lambda looks up the table's streams for the event source mapping",
	"SendDropped": "Lambda sends what the mapping gives up to the failure queue under the function's role",
}

// RoleID returns the logical id of a function's role.
func RoleID(function string) string {
	return strings.ToUpper(function[:1]) + function[1:] + "Role"
}

// Service stands for the functions behind the API, in suites of the domain's service, which both
// run: it has the rights of both. Store stands for all functions, in suites of the store.
const (
	Service = "service"
	Store   = "store"
)

var together = map[string][]string{Service: {"write", "read"}, Store: {"write", "read", "feed"}}

// CodeRole returns the statements of a function's role that are for its own code.
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
	if len(code) == 0 {
		return nil, fmt.Errorf("role %s has no rights for the function's code", RoleID(function))
	}
	return code, nil
}
