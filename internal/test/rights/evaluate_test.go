package rights_test

import (
	"testing"

	"parley/internal/test/rights"
)

const (
	tableARN   = "arn:aws:dynamodb:us-east-1:123456789012:table/Table"
	indexARN   = tableARN + "/index/GSI1"
	topicARN   = "arn:aws:sns:us-east-1:123456789012:Topic"
	cloudWatch = "cloudwatch.amazonaws.com"
)

// keys returns the context of a request for items of these partitions.
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

// TestEvaluate has the cases that the IAM and DynamoDB guides document.
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
		{"nothing is allowed by itself", get, rights.Silent, nil},
		{"an action on its resource", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", tableARN)}},
		{"actions have no case", get, rights.Allowed, []rights.Statement{allow("DynamoDB:getitem", tableARN)}},
		{"another action", get, rights.Silent, []rights.Statement{allow("dynamodb:PutItem", tableARN)}},
		{"a wildcard in the action", get, rights.Allowed, []rights.Statement{allow("dynamodb:Get*", tableARN)}},
		{"a wildcard for one character", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetIte?", tableARN)}},
		{"an action is matched whole", get, rights.Silent, []rights.Statement{allow("dynamodb:Get", tableARN)}},
		{"a denial outweighs an allowance", get, rights.Denied, []rights.Statement{deny("dynamodb:*", "*"), allow("dynamodb:*", "*")}},
		{"also one that comes later", get, rights.Denied, []rights.Statement{allow("dynamodb:*", "*"), deny("dynamodb:*", "*")}},
		{"a denial of something else", get, rights.Allowed, []rights.Statement{allow("dynamodb:*", "*"), deny("dynamodb:PutItem", "*")}},
		{"a query of an index needs the index", query, rights.Silent, []rights.Statement{allow("dynamodb:Query", tableARN)}},
		{"and the index is enough", query, rights.Allowed, []rights.Statement{allow("dynamodb:Query", indexARN)}},
		{"every index of the table", query, rights.Allowed, []rights.Statement{allow("dynamodb:Query", tableARN+"/index/*")}},
		{"the index is not the table", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", tableARN+"/*")}},
		{"resources have a case", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:123456789012:table/table")}},
		{"any Region", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", "arn:aws:dynamodb:*:123456789012:table/Table")}},
		{"a wildcard stays in its part of the ARN", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", "arn:aws:*:table/Table")}},
		{"the partition is as confined", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", tableARN, feeds)}},
		{"every key of a batch counts", batch, rights.Silent, []rights.Statement{allow("dynamodb:BatchGetItem", tableARN, feeds)}},
		{"unless any is enough", batch, rights.Allowed, []rights.Statement{allow("dynamodb:BatchGetItem", tableARN, when("ForAnyValue:StringLike", "dynamodb:LeadingKeys", "feed#*"))}},
		{"each key may match another pattern", batch, rights.Allowed, []rights.Statement{allow("dynamodb:BatchGetItem", tableARN, when("ForAllValues:StringLike", "dynamodb:LeadingKeys", "feed#*", "u#*"))}},
		{"equality knows no wildcard", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", tableARN, when("ForAllValues:StringEquals", "dynamodb:LeadingKeys", "feed#*"))}},
		{"a forbidden key", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", tableARN, when("ForAllValues:StringNotLike", "dynamodb:LeadingKeys", "feed#*"))}},
		{"one forbidden key of a batch", batch, rights.Silent, []rights.Statement{allow("dynamodb:BatchGetItem", tableARN, when("ForAllValues:StringNotLike", "dynamodb:LeadingKeys", "feed#*"))}},
		{"no key meets ForAllValues: why Scan must not be granted", scan, rights.Allowed, []rights.Statement{allow("dynamodb:Scan", tableARN, feeds)}},
		{"no key does not meet ForAnyValue", scan, rights.Silent, []rights.Statement{allow("dynamodb:Scan", tableARN, when("ForAnyValue:StringLike", "dynamodb:LeadingKeys", "*"))}},
		{"Null refuses requests without keys", scan, rights.Silent, []rights.Statement{allow("dynamodb:Scan", tableARN, feeds, when("Null", "dynamodb:LeadingKeys", "false"))}},
		{"Null lets those with keys pass", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", tableARN, feeds, when("Null", "dynamodb:LeadingKeys", "false"))}},
		{"a missing key meets no positive operator", get, rights.Silent, []rights.Statement{allow("dynamodb:GetItem", tableARN, when("StringEquals", "dynamodb:Select", "COUNT"))}},
		{"but IfExists", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", tableARN, when("StringEqualsIfExists", "dynamodb:Select", "COUNT"))}},
		{"and negated operators", get, rights.Allowed, []rights.Statement{allow("dynamodb:GetItem", tableARN, when("StringNotEquals", "dynamodb:Select", "COUNT"))}},
		{"a topic with a denial only", publish, rights.Silent, []rights.Statement{to(deny("sns:Publish", topicARN, when("Bool", "aws:SecureTransport", "false")), rights.Principal{Kind: "AWS", Name: "*"})}},
		{"a topic that lets the service in", publish, rights.Allowed, []rights.Statement{to(allow("sns:Publish", topicARN, when("StringEquals", "aws:SourceAccount", "123456789012")), rights.Principal{Kind: "Service", Name: cloudWatch})}},
		{"from another account", publish, rights.Silent, []rights.Statement{to(allow("sns:Publish", topicARN, when("StringEquals", "aws:SourceAccount", "210987654321")), rights.Principal{Kind: "Service", Name: cloudWatch})}},
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

func TestEvaluate_RefusesToGuess(t *testing.T) {
	batch := rights.Request{Action: "dynamodb:BatchGetItem", Resource: tableARN, Context: keys("feed#a", "u#a")}
	for name, c := range map[string]rights.Condition{
		"an operator that is not known":    when("DateLessThan", "dynamodb:LeadingKeys", "2020-01-01"),
		"a quantifier that is not known":   when("ForSomeValues:StringLike", "dynamodb:LeadingKeys", "*"),
		"several values and no quantifier": when("StringLike", "dynamodb:LeadingKeys", "*"),
	} {
		if _, err := rights.Evaluate([]rights.Statement{allow("*", "*", c)}, batch); err == nil {
			t.Errorf("%s is evaluated", name)
		}
	}
}
