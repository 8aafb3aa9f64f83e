package rights

import (
	"fmt"
	"slices"
)

// DataActions are the actions on items, records and messages that there are, by the lists of the
// Service Authorization Reference. No function needs one that its recordings do not show.
var DataActions = []string{
	"dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:ConditionCheckItem", "dynamodb:DeleteItem",
	"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:UpdateItem",
	"dynamodb:PartiQLDelete", "dynamodb:PartiQLInsert", "dynamodb:PartiQLSelect", "dynamodb:PartiQLUpdate",
	"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams",
	"dynamodb:DescribeTable", "dynamodb:DeleteTable", "dynamodb:UpdateTable",
	"sqs:DeleteMessage", "sqs:PurgeQueue", "sqs:ReceiveMessage", "sqs:SendMessage",
	"ssm:GetParameter", "ssm:PutParameter", "cognito-idp:AdminInitiateAuth", "cognito-idp:AdminSetUserPassword",
	"ssm:GetParameters", "ssm:PutParameter", "cognito-idp:AdminCreateUser", "cognito-idp:AdminSetUserPassword",
	"dynamodb:*", "*",
}

// Replay checks a role against the recorded calls of its function. It returns the calls that are
// refused, and the rights without which every call is still allowed.
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
	for n, s := range role {
		if s.Effect == "Deny" {
			complaints = append(complaints, fmt.Sprintf("%s denies: say what is allowed instead", s))
			continue
		}
		for what, less := range lessened(s) {
			fewer := slices.Clone(role)
			fewer[n] = less
			if !refusesAny(stack, fewer, calls) {
				complaints = append(complaints, fmt.Sprintf("%s of %s is never used", what, s))
			}
		}
	}
	slices.Sort(complaints)
	return complaints
}

// unused complains of a function of which nothing was recorded.
func unused(role []Statement, calls []Call) []string {
	if len(calls) > 0 {
		return nil
	}
	return []string{fmt.Sprintf("no call is recorded that would use %v", role)}
}

// lessened returns a statement's variants, each without one action, one resource or one value of a
// condition that widens it.
func lessened(s Statement) map[string]Statement {
	all := map[string]Statement{}
	for n, action := range s.Actions {
		less := s
		less.Actions = slices.Delete(slices.Clone(s.Actions), n, n+1)
		all["the action "+action] = less
	}
	for n, resource := range s.Resources {
		less := s
		less.Resources = slices.Delete(slices.Clone(s.Resources), n, n+1)
		all["the resource "+resource] = less
	}
	for at, c := range s.Conditions {
		if len(c.Values) < 2 {
			continue // one value alone is needed when its action is
		}
		for n, value := range c.Values {
			less := s
			less.Conditions = slices.Clone(s.Conditions)
			less.Conditions[at].Values = slices.Delete(slices.Clone(c.Values), n, n+1)
			all["the value "+value] = less
		}
	}
	return all
}

func refusesAny(stack *Stack, role []Statement, calls []Call) bool {
	return slices.ContainsFunc(calls, func(c Call) bool { return Check(stack, role, c) != nil })
}
