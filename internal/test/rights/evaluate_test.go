package rights_test

import (
	"testing"

	"example.com/parley/internal/test/rights"
)

const (
	tableARN   = "arn:aws:dynamodb:us-east-1:123456789012:table/Table"
	indexARN   = tableARN + "/index/GSI1"
	topicARN   = "arn:aws:sns:us-east-1:123456789012:Topic"
	cloudWatch = "cloudwatch.amazonaws.com"
)

// keys returns the context of a request for items with these partition keys.
func keys(keys ...string) map[string][]string {
	return map[string][]string{"dynamodb:LeadingKeys": keys}
}

func allow(action, resource string, conditions ...rights.Condition) rights.Statement {
	return rights.Statement{Effect: "Allow", Actions: []string{action}, Resources: []string{resource}, Conditions: conditions}
}

func deny(action, resource string, conditions ...rights.Condition) rights.Statement {
	s := allow(action, resource, conditions...)
	s.Effect = "Deny"
	return s
}

func to(s rights.Statement, principals ...rights.Principal) rights.Statement {
	s.Principals = principals
	return s
}

func when(operator, key string, values ...string) rights.Condition {
	return rights.Condition{Operator: operator, Key: key, Values: values}
}

// TestEvaluate covers the cases that the IAM and DynamoDB guides document.
func TestEvaluate(t *testing.T) {
	get := rights.Request{Action: "dynamodb:GetItem", Resource: tableARN, Context: keys("feed#a")}
	query := rights.Request{Action: "dynamodb:Query", Resource: indexARN, Context: keys("rooms")}
	batch := rights.Request{Action: "dynamodb:BatchGetItem", Resource: tableARN, Context: keys("feed#a", "u#a")}
	scan := rights.Request{Action: "dynamodb:Scan", Resource: tableARN}
	publish := rights.Request{
		Action: "sns:Publish", Resource: topicARN, Principal: rights.Principal{Kind: "Service", Name: cloudWatch},
		Context: map[string][]string{"aws:SourceAccount": {"123456789012"}, "aws:SecureTransport": {"true"}},
	}
	feeds := when("ForAllValues:StringLike", "dynamodb:LeadingKeys", "feed#*")
	for _, tt := range []struct {
		name       string
		request    rights.Request
		want       rights.Decision
		statements []rights.Statement
	}{
		{"no statement", get, rights.Silent, nil},
		{"an action on its resource", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", tableARN)}},
		{"actions are not case-sensitive", get, rights.Allowed, []rights.Statement{allow("DynamoDB:getitem", tableARN)}},
		{"another action", get, rights.Silent, []rights.Statement{allow("dynamodb:PutItem", tableARN)}},
		{"a wildcard in the action", get, rights.Allowed, []rights.Statement{allow("dynamodb:Get*", tableARN)}},
		{"a wildcard for one character", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetIte?", tableARN)}},
		{"an action prefix does not match", get, rights.Silent, []rights.Statement{allow("dynamodb:Get", tableARN)}},
		{"Deny overrides Allow", get, rights.Denied, []rights.Statement{deny("dynamodb:*", "*"), allow("dynamodb:*", "*")}},
		{"a later Deny overrides Allow", get, rights.Denied, []rights.Statement{allow("dynamodb:*", "*"), deny("dynamodb:*", "*")}},
		{"Deny of another action", get, rights.Allowed, []rights.Statement{allow("dynamodb:*", "*"), deny("dynamodb:PutItem", "*")}},
		{"a query of an index needs the index ARN", query, rights.Silent, []rights.Statement{allow("dynamodb:Query", tableARN)}},
		{"the index ARN is sufficient for a query", query, rights.Allowed, []rights.Statement{allow("dynamodb:Query", indexARN)}},
		{"every index of the table", query, rights.Allowed, []rights.Statement{allow("dynamodb:Query", tableARN+"/index/*")}},
		{"an index ARN does not match the table", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", tableARN+"/*")}},
		{"resources are case-sensitive", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:123456789012:table/table")}},
		{"any Region", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", "arn:aws:dynamodb:*:123456789012:table/Table")}},
		{"a wildcard does not match across parts of the ARN", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", "arn:aws:*:table/Table")}},
		{"an allowed partition key", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", tableARN, feeds)}},
		{"ForAllValues requires every key of a batch", batch, rights.Silent, []rights.Statement{allow("dynamodb:BatchGetItem", tableARN, feeds)}},
		{"ForAnyValue requires one key of a batch", batch, rights.Allowed, []rights.Statement{allow("dynamodb:BatchGetItem", tableARN, when("ForAnyValue:StringLike", "dynamodb:LeadingKeys", "feed#*"))}},
		{"each key may match a different pattern", batch, rights.Allowed, []rights.Statement{allow("dynamodb:BatchGetItem", tableARN, when("ForAllValues:StringLike", "dynamodb:LeadingKeys", "feed#*", "u#*"))}},
		{"StringEquals has no wildcards", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", tableARN, when("ForAllValues:StringEquals", "dynamodb:LeadingKeys", "feed#*"))}},
		{"a forbidden key", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", tableARN, when("ForAllValues:StringNotLike", "dynamodb:LeadingKeys", "feed#*"))}},
		{"one forbidden key of a batch", batch, rights.Silent, []rights.Statement{allow("dynamodb:BatchGetItem", tableARN, when("ForAllValues:StringNotLike", "dynamodb:LeadingKeys", "feed#*"))}},
		{"a request without keys meets ForAllValues, so Scan must not be granted", scan, rights.Allowed, []rights.Statement{allow("dynamodb:Scan", tableARN, feeds)}},
		{"a request without keys does not meet ForAnyValue", scan, rights.Silent, []rights.Statement{allow("dynamodb:Scan", tableARN, when("ForAnyValue:StringLike", "dynamodb:LeadingKeys", "*"))}},
		{"Null excludes requests without keys", scan, rights.Silent, []rights.Statement{allow("dynamodb:Scan", tableARN, feeds, when("Null", "dynamodb:LeadingKeys", "false"))}},
		{"Null permits requests with keys", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", tableARN, feeds, when("Null", "dynamodb:LeadingKeys", "false"))}},
		{"a missing key meets no positive operator", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", tableARN, when("StringEquals", "dynamodb:Select", "COUNT"))}},
		{"a missing key meets IfExists", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", tableARN, when("StringEqualsIfExists", "dynamodb:Select", "COUNT"))}},
		{"a missing key meets a negated operator", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", tableARN, when("StringNotEquals", "dynamodb:Select", "COUNT"))}},
		{"a topic with only a Deny", publish, rights.Silent, []rights.Statement{to(deny("sns:Publish", topicARN, when("Bool", "aws:SecureTransport", "false")), rights.Principal{Kind: "AWS", Name: "*"})}},
		{"a topic that allows the service", publish, rights.Allowed, []rights.Statement{to(allow("sns:Publish", topicARN, when("StringEquals", "aws:SourceAccount", "123456789012")), rights.Principal{Kind: "Service", Name: cloudWatch})}},
		{"a condition on another account", publish, rights.Silent, []rights.Statement{to(allow("sns:Publish", topicARN, when("StringEquals", "aws:SourceAccount", "210987654321")), rights.Principal{Kind: "Service", Name: cloudWatch})}},
		{"another service", publish, rights.Silent, []rights.Statement{to(allow("sns:Publish", topicARN), rights.Principal{Kind: "Service", Name: "budgets.amazonaws.com"})}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := rights.Evaluate(tt.statements, tt.request)
			if err != nil || got != tt.want {
				t.Errorf("decision %v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

func TestEvaluate_UnsupportedConditionIsAnError(t *testing.T) {
	batch := rights.Request{Action: "dynamodb:BatchGetItem", Resource: tableARN, Context: keys("feed#a", "u#a")}
	for name, c := range map[string]rights.Condition{
		"unknown operator":                    when("DateLessThan", "dynamodb:LeadingKeys", "2020-01-01"),
		"unknown quantifier":                  when("ForSomeValues:StringLike", "dynamodb:LeadingKeys", "*"),
		"several values without a quantifier": when("StringLike", "dynamodb:LeadingKeys", "*"),
	} {
		if _, err := rights.Evaluate([]rights.Statement{allow("*", "*", c)}, batch); err == nil {
			t.Errorf("%s: Evaluate returns no error", name)
		}
	}
}
