package stack_test

import (
	"fmt"
	"strings"
	"testing"
)

// sizing resolves the references of a template to values as long as they can become in an account.
type sizing struct {
	template
	stack string // the stack's name
}

// The longest values of an account: no Region's name is longer, and all account numbers have 12
// digits.
const (
	longestRegion = "ap-southeast-2"
	someAccount   = "123456789012"
)

// longestPseudo are the pseudo parameters of CloudFormation.
var longestPseudo = map[string]string{
	"AWS::Region": longestRegion, "AWS::AccountId": someAccount, "AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com",
}

// suffix has the length of the random end that CloudFormation adds to a name.
const suffix = "-XXXXXXXXXXXXX"

// physical is a kind of resource: the longest name that CloudFormation may give it, and the form of
// what references return, by attribute. NAME stands for the name.
type physical struct {
	longest int
	values  map[string]string
}

func regional(service, resource string) string {
	return "arn:aws:" + service + ":" + longestRegion + ":" + someAccount + ":" + resource
}

// physicals are the kinds to which the measured parts of a template refer. The forms without NAME
// are identifiers that AWS makes up.
var physicals = map[string]physical{
	typeTable:        {255, map[string]string{"Ref": "NAME", "Arn": regional("dynamodb", "table/NAME"), "StreamArn": regional("dynamodb", "table/NAME/stream/2026-01-31T12:00:00.000")}},
	typeQueue:        {80, map[string]string{"Ref": "https://sqs." + longestRegion + ".amazonaws.com/" + someAccount + "/NAME", "Arn": regional("sqs", "NAME")}},
	typeFunction:     {64, map[string]string{"Ref": "NAME", "Arn": regional("lambda", "function:NAME")}},
	typeLogs:         {512, map[string]string{"Arn": regional("logs", "log-group:NAME:*")}},
	typeRule:         {64, map[string]string{"Arn": regional("events", "rule/NAME")}},
	typeBucket:       {63, map[string]string{"Ref": "NAME", "Arn": "arn:aws:s3:::NAME"}},
	typeAuthorizer:   {0, map[string]string{"Ref": "abcdef"}},
	typeClient:       {0, map[string]string{"Ref": strings.Repeat("a", 26)}},
	typeDistribution: {0, map[string]string{"DomainName": "d111111abcdef8.cloudfront.net"}},
	typePool: {0, map[string]string{
		"Ref": longestRegion + "_XXXXXXXXX", "Arn": regional("cognito-idp", "userpool/"+longestRegion+"_XXXXXXXXX"),
		"ProviderURL": "https://cognito-idp." + longestRegion + ".amazonaws.com/" + longestRegion + "_XXXXXXXXX",
	}},
	"AWS::ApiGatewayV2::Api": {0, map[string]string{"Ref": "abcdefghij", "ApiEndpoint": "https://abcdefghij.execute-api." + longestRegion + ".amazonaws.com"}},
}

// name returns the longest name that CloudFormation may give a resource.
func (s sizing) name(id string, longest int) string {
	name := s.stack + "-" + id + suffix
	return name[:min(len(name), longest)]
}

// value returns what a reference to a resource becomes.
func (s sizing) value(id, attribute string) (string, error) {
	if v, ok := longestPseudo[id]; ok {
		return v, nil
	}
	if id == "AWS::StackName" {
		return s.stack, nil
	}
	kind := physicals[s.Resources[id].Type]
	form, ok := kind.values[attribute]
	if !ok {
		return "", fmt.Errorf("%s of %s: state the longest value of a %s in physicals", attribute, id, s.Resources[id].Type)
	}
	return strings.ReplaceAll(form, "NAME", s.name(id, kind.longest)), nil
}

// resolve returns a value with its references resolved.
func (s sizing) resolve(v any) (any, error) {
	switch v := v.(type) {
	case []any:
		all := make([]any, len(v))
		for n, e := range v {
			var err error
			if all[n], err = s.resolve(e); err != nil {
				return nil, err
			}
		}
		return all, nil
	case map[string]any:
		return s.resolveObject(v)
	}
	return v, nil
}

func (s sizing) resolveObject(v map[string]any) (any, error) {
	all := map[string]any{}
	for key, e := range v {
		switch at, _ := e.([]any); {
		case key == "Ref":
			return s.value(e.(string), "Ref")
		case key == "Fn::GetAtt":
			return s.value(at[0].(string), at[1].(string))
		case key == "Fn::Join":
			parts, err := s.resolve(at[1])
			return strings.Join(texts(parts), at[0].(string)), err
		case strings.HasPrefix(key, "Fn::"):
			return nil, fmt.Errorf("%s: resolve this function in sizing", key)
		}
		var err error
		if all[key], err = s.resolve(e); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func TestSizing_ResolvesToTheLongest(t *testing.T) {
	s := sizing{template: template{Resources: map[string]resource{
		"ReadFunction": {Type: typeFunction}, "Table": {Type: typeTable}, "Unknown": {Type: "AWS::Pipes::Pipe"},
	}}, stack: "Parley-prod"}
	getAtt := func(id string) any { return map[string]any{"Fn::GetAtt": []any{id, "Arn"}} }
	got, err := s.resolve([]any{getAtt("ReadFunction"), map[string]any{"Fn::Join": []any{"", []any{getAtt("Table"), "/index/GSI1"}}}})
	want := []string{
		"arn:aws:lambda:ap-southeast-2:123456789012:function:Parley-prod-ReadFunction-XXXXXXXXXXXXX",
		"arn:aws:dynamodb:ap-southeast-2:123456789012:table/Parley-prod-Table-XXXXXXXXXXXXX/index/GSI1",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || err != nil {
		t.Errorf("resolve = %v, %v, want %v", got, err, want)
	}
	if name := s.name(strings.Repeat("A", 70), 64); len(name) != 64 {
		t.Errorf("a name of %d characters", len(name))
	}
	for _, unknown := range []any{getAtt("Unknown"), map[string]any{"Fn::Sub": "${Table}"}} {
		if got, err := s.resolve(unknown); err == nil {
			t.Errorf("resolve(%v) = %v, want an error", unknown, got)
		}
	}
}
