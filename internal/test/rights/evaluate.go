package rights

import (
	"fmt"
	"strings"
)

// Request is what IAM decides on: one action on one resource. A request to DynamoDB may be several,
// see Call.
type Request struct {
	Principal Principal // who asks, for policies of resources; roles' policies do not look at it
	Action    string
	Resource  string
	// Context holds the values of the condition keys that the request has.
	Context map[string][]string
}

// Decision is what a set of statements says of a request.
type Decision int

const (
	// Silent is IAM's implicit refusal: no statement allows the request.
	Silent Decision = iota
	// Allowed is a request that a statement allows and none denies.
	Allowed
	// Denied is a request that a statement denies, whatever others allow.
	Denied
)

// Evaluate decides on a request. It fails on what it cannot evaluate, rather than to guess.
func Evaluate(statements []Statement, r Request) (Decision, error) {
	decision := Silent
	for _, s := range statements {
		applies, err := s.applies(r)
		if err != nil {
			return Silent, fmt.Errorf("statement %s: %w", s, err)
		}
		switch {
		case applies && s.Effect == "Deny":
			decision = Denied
		case applies && decision == Silent:
			decision = Allowed
		}
	}
	return decision, nil
}

// applies reports whether a statement speaks of a request.
func (s Statement) applies(r Request) (bool, error) {
	action := anyMatches(s.Actions, r.Action, func(pattern, text string) bool {
		// Actions have no case.
		return strings.EqualFold(pattern, text) || hasWildcard(pattern) && like(strings.ToLower(pattern), strings.ToLower(text))
	})
	if !action || !anyMatches(s.Resources, r.Resource, likeARN) || !s.speaksOf(r.Principal) {
		return false, nil
	}
	for _, c := range s.Conditions {
		holds, err := c.holds(r.Context[c.Key])
		if !holds || err != nil {
			return false, err
		}
	}
	return true, nil
}

// speaksOf reports whether a statement is about a principal. A statement without principals is of a
// role's policy, and about that role.
func (s Statement) speaksOf(p Principal) bool {
	for _, own := range s.Principals {
		// "AWS": "*" is everybody, services included.
		if own == p || own.Kind == "AWS" && own.Name == "*" {
			return true
		}
	}
	return len(s.Principals) == 0
}

func anyMatches(patterns []string, text string, match func(pattern, text string) bool) bool {
	for _, p := range patterns {
		if match(p, text) {
			return true
		}
	}
	return false
}

// holds reports whether a condition is met by the values that the request has for its key.
func (c Condition) holds(values []string) (bool, error) {
	operator, quantifier := c.Operator, ""
	if before, after, ok := strings.Cut(c.Operator, ":"); ok {
		quantifier, operator = before, after
	}
	name, ifExists := strings.CutSuffix(operator, "IfExists")
	if name == "Null" {
		return (len(values) == 0) == (strings.EqualFold(c.Values[0], "true")), nil
	}
	compare, ok := operators[name]
	if !ok {
		return false, fmt.Errorf("operator %s is not evaluated here", c.Operator)
	}
	if len(values) == 0 {
		// Documented: a key that is missing meets ForAllValues, IfExists and negated operators.
		return quantifier == "ForAllValues" || quantifier == "" && (ifExists || compare.negated), nil
	}
	met := 0
	for _, v := range values {
		if anyMatches(c.Values, v, compare.match) != compare.negated {
			met++
		}
	}
	switch quantifier {
	case "ForAllValues":
		return met == len(values), nil
	case "ForAnyValue":
		return met > 0, nil
	case "":
		if len(values) > 1 {
			return false, fmt.Errorf("%s compares several values of %s: it needs ForAllValues or ForAnyValue", c.Operator, c.Key)
		}
		return met == 1, nil
	}
	return false, fmt.Errorf("operator %s is not evaluated here", c.Operator)
}

// comparison is how an operator compares one value; a negated one is met where no value matches.
type comparison struct {
	match   func(pattern, text string) bool
	negated bool
}

var operators = map[string]comparison{
	"StringEquals":    {equal, false},
	"StringNotEquals": {equal, true},
	"StringLike":      {like, false},
	"StringNotLike":   {like, true},
	"ArnEquals":       {likeARN, false},
	"ArnLike":         {likeARN, false},
	"ArnNotLike":      {likeARN, true},
	"Bool":            {strings.EqualFold, false},
}

func equal(pattern, text string) bool { return pattern == text }

// arnParts is how many parts an ARN has: arn, partition, service, Region, account, and the rest.
const arnParts = 6

// likeARN reports whether an ARN matches a pattern. It compares them part by part, so that a
// wildcard in one part does not reach into the next.
func likeARN(pattern, text string) bool {
	if pattern == "*" || pattern == text {
		return true
	}
	if !hasWildcard(pattern) {
		return false
	}
	patterns, parts := strings.SplitN(pattern, ":", arnParts), strings.SplitN(text, ":", arnParts)
	if len(patterns) != len(parts) {
		return false
	}
	for i := range patterns {
		if !like(patterns[i], parts[i]) {
			return false
		}
	}
	return true
}

func hasWildcard(pattern string) bool { return strings.ContainsAny(pattern, "*?") }

// like reports whether a pattern matches a whole text: * is any run of characters, ? is any one.
func like(pattern, text string) bool {
	for {
		if pattern == "" {
			return text == ""
		}
		if pattern[0] == '*' {
			for i := range len(text) + 1 {
				if like(pattern[1:], text[i:]) {
					return true
				}
			}
			return false
		}
		if text == "" || pattern[0] != '?' && pattern[0] != text[0] {
			return false
		}
		pattern, text = pattern[1:], text[1:]
	}
}
