package rights

import (
	"fmt"
	"strings"
)

// Request is one action on one resource, which IAM allows or denies. One request to DynamoDB may
// contain several; see Call.
type Request struct {
	// Principal is the caller. Only the policies of resources depend on it.
	Principal Principal
	Action    string
	Resource  string
	// Context holds the values of the request's condition keys.
	Context map[string][]string
}

// Decision is the result of evaluating statements for a request.
type Decision int

const (
	// Silent is an implicit denial: no statement allows the request.
	Silent Decision = iota
	// Allowed means that a statement allows the request and none denies it.
	Allowed
	// Denied is an explicit denial, which overrides all statements that allow the request.
	Denied
)

// Evaluate evaluates statements for a request. It returns an error if it does not support a
// condition of a statement.
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

// applies reports whether a statement applies to a request.
func (s Statement) applies(r Request) (bool, error) {
	action := anyMatches(s.Actions, r.Action, func(pattern, text string) bool {
		// Actions are not case-sensitive.
		return strings.EqualFold(pattern, text) || hasWildcard(pattern) && like(strings.ToLower(pattern), strings.ToLower(text))
	})
	if !action || !anyMatches(s.Resources, r.Resource, likeARN) || !s.appliesTo(r.Principal) {
		return false, nil
	}
	for _, c := range s.Conditions {
		met, err := c.isMet(r.Context[c.Key])
		if !met || err != nil {
			return false, err
		}
	}
	return true, nil
}

// appliesTo reports whether a statement applies to a principal. A statement without principals
// belongs to the policy of a role and always applies.
func (s Statement) appliesTo(p Principal) bool {
	for _, named := range s.Principals {
		// "AWS": "*" matches every principal, including services.
		if named == p || named.Kind == "AWS" && named.Name == "*" {
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

// isMet reports whether the values of the condition's key in a request meet the condition.
func (c Condition) isMet(values []string) (bool, error) {
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
		return false, fmt.Errorf("operator %s is not supported", c.Operator)
	}
	if len(values) == 0 {
		// AWS documents that a missing key meets ForAllValues, IfExists and negated operators.
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
			return false, fmt.Errorf("%s cannot compare several values of %s: use ForAllValues or ForAnyValue", c.Operator, c.Key)
		}
		return met == 1, nil
	}
	return false, fmt.Errorf("operator %s is not supported", c.Operator)
}

// comparison defines how an operator compares one value. A negated operator is met if no value
// matches.
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

// arnParts is the number of parts of an ARN: arn, partition, service, Region, account and resource.
const arnParts = 6

// likeARN reports whether an ARN matches a pattern. It compares each part separately, so that a
// wildcard does not match across parts.
func likeARN(pattern, text string) bool {
	if pattern == "*" || pattern == text {
		return true
	}
	if !hasWildcard(pattern) || !fitsEnds(pattern, text) {
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

// fitsEnds reports whether a text begins and ends as a pattern does before its first and after its
// last wildcard. Most texts do not, and it is cheaper than to compare the parts.
func fitsEnds(pattern, text string) bool {
	for n := 0; !isWildcard(pattern[n]); n++ {
		if n == len(text) || pattern[n] != text[n] {
			return false
		}
	}
	for n := 1; !isWildcard(pattern[len(pattern)-n]); n++ {
		if n > len(text) || pattern[len(pattern)-n] != text[len(text)-n] {
			return false
		}
	}
	return true
}

// isWildcard reports whether a character of a pattern is a wildcard.
func isWildcard(c byte) bool { return c == '*' || c == '?' }

// hasWildcard reports whether a pattern has a wildcard. It looks for each byte, because
// strings.ContainsAny is much slower.
func hasWildcard(pattern string) bool {
	return strings.IndexByte(pattern, '*') >= 0 || strings.IndexByte(pattern, '?') >= 0
}

// like reports whether a pattern matches the whole text. In a pattern, * matches any sequence of
// characters and ? matches one character.
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
