package rights

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// DataActions lists the actions on items, records and messages in the Service Authorization
// Reference. A function needs only those in its recordings.
var DataActions = []string{
	"dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:ConditionCheckItem", "dynamodb:DeleteItem",
	"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:UpdateItem",
	"dynamodb:PartiQLDelete", "dynamodb:PartiQLInsert", "dynamodb:PartiQLSelect", "dynamodb:PartiQLUpdate",
	"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams",
	"dynamodb:DescribeTable", "dynamodb:DeleteTable", "dynamodb:UpdateTable",
	"sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:PurgeQueue", "sqs:ReceiveMessage", "sqs:SendMessage",
	"ssm:GetParameter", "ssm:PutParameter", "cognito-idp:AdminInitiateAuth", "cognito-idp:AdminSetUserPassword",
	"ssm:GetParameters", "ssm:PutParameter", "cognito-idp:AdminCreateUser", "cognito-idp:AdminSetUserPassword",
	"execute-api:Invoke", "execute-api:ManageConnections",
	"s3:PutObject", "s3:GetObject", "s3:DeleteObject", "s3:ListBucket", "s3:PutBucketPolicy",
	"dynamodb:*", "*",
}

// Replay checks a role against the recorded calls of its function. It returns a complaint for each
// call that is denied, and for each permission that no call needs.
func Replay(stack *Stack, role []Statement, calls []Call) []string {
	var complaints []string
	for _, c := range calls {
		if err := Check(stack, role, c); err != nil {
			complaints = append(complaints, err.Error())
		}
	}
	if len(complaints) > 0 || len(calls) == 0 {
		return append(complaints, unused(role, calls)...)
	}
	sole := soleUses(stack, role, calls)
	for n, s := range role {
		if s.Effect == "Deny" {
			complaints = append(complaints, fmt.Sprintf("%s denies requests: state only what is allowed", s))
			continue
		}
		for what, variant := range reduced(s) {
			if !refusesAny(variant, sole[n]) {
				complaints = append(complaints, fmt.Sprintf("%s of %s is never used", what, s))
			}
		}
	}
	slices.Sort(complaints)
	return complaints
}

// unused returns a complaint if a role has permissions but its function no recorded calls.
func unused(role []Statement, calls []Call) []string {
	if len(calls) > 0 || len(role) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("no recorded call uses %v", role)}
}

// reduced returns variants of a statement. Each lacks one action, one resource, or one value that
// widens a condition.
func reduced(s Statement) map[string]Statement {
	all := map[string]Statement{}
	for n, action := range s.Actions {
		variant := s
		variant.Actions = slices.Delete(slices.Clone(s.Actions), n, n+1)
		all["the action "+action] = variant
	}
	for n, resource := range s.Resources {
		variant := s
		variant.Resources = slices.Delete(slices.Clone(s.Resources), n, n+1)
		all["the resource "+resource] = variant
	}
	for at, c := range s.Conditions {
		if len(c.Values) < 2 {
			continue // a single value is needed if the action is needed
		}
		for n, value := range c.Values {
			variant := s
			variant.Conditions = slices.Clone(s.Conditions)
			variant.Conditions[at].Values = slices.Delete(slices.Clone(c.Values), n, n+1)
			all["the value "+value] = variant
		}
	}
	return all
}

// soleUses returns the requests that only one statement of a role allows, by the number of the
// statement. Every call is allowed. The other statements allow all other requests, so that a
// reduced statement denies none of them.
func soleUses(stack *Stack, role []Statement, calls []Call) map[int][]Request {
	sole := map[int][]Request{}
	for _, c := range calls {
		request, err := c.request(stack)
		if err != nil {
			continue // a call that is allowed has a request
		}
		var by []int
		for n, s := range role {
			if applies, _ := s.applies(request); applies {
				by = append(by, n)
			}
		}
		if len(by) == 1 {
			sole[by[0]] = append(sole[by[0]], request)
		}
	}
	return sole
}

// refusesAny reports whether a statement does not apply to one of the requests.
func refusesAny(s Statement, requests []Request) bool {
	return slices.ContainsFunc(requests, func(r Request) bool {
		applies, err := s.applies(r)
		return !applies || err != nil
	})
}

// Calls maps the names of functions to their calls.
type Calls map[string][]Call

// ReadRecording reads a recording. Each line has a function, an action, a resource, kinds of keys,
// and the attributes to which the call is confined.
func ReadRecording(file string) (Calls, error) {
	text, err := os.ReadFile(file) // #nosec G304 -- a file of the tests
	if err != nil {
		return nil, err
	}
	calls := Calls{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 3 {
			return nil, fmt.Errorf("%s: line %q lacks a function, an action or a resource", file, strings.TrimSpace(line))
		}
		call := Call{Action: f[1], Resource: f[2], Keys: strings.Join(f[3:], " ")}
		if at := slices.Index(f, confined); at >= 0 {
			call.Keys, call.Attributes = strings.Join(f[3:at], " "), strings.Join(f[at+1:], " ")
		}
		calls[f[0]] = append(calls[f[0]], call)
	}
	return calls, nil
}

// String returns calls in the format of a recording.
func (c Calls) String() string {
	var b strings.Builder
	for _, line := range c.lines() {
		b.WriteString(line + "\n")
	}
	return b.String()
}

func (c Calls) lines() []string {
	var lines []string
	for function, calls := range c {
		for _, call := range calls {
			lines = append(lines, function+" "+call.String())
		}
	}
	slices.SortFunc(lines, cmp.Compare[string])
	return slices.Compact(lines)
}

// without returns the lines of c that are not in other.
func (c Calls) without(other Calls) []string {
	known := other.lines()
	return slices.DeleteFunc(c.lines(), func(line string) bool { return slices.Contains(known, line) })
}

// And returns the union of two recordings.
func (c Calls) And(other Calls) Calls {
	both := Calls{}
	for _, calls := range []Calls{c, other} {
		for function, all := range calls {
			both[function] = append(both[function], all...)
		}
	}
	return both
}
