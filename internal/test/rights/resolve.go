package rights

import (
	"fmt"
	"strings"
)

// The account and Region of every resolved ARN.
const (
	Region  = "us-east-1"
	Account = "123456789012"
)

// streamLabel is the last part of the ARN of a table's stream.
const streamLabel = "2018-08-29T11:59:00.000"

// pseudo holds the pseudo parameters of CloudFormation.
var pseudo = map[string]string{
	"AWS::Region": Region, "AWS::AccountId": Account, "AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com",
	"AWS::StackName": "Parley", "AWS::StackId": "arn:aws:cloudformation:" + Region + ":" + Account + ":stack/Parley/1",
}

// kind describes a type of resource.
type kind struct {
	// arn is the format of the ARN, with %s for the logical id.
	arn string
	// refIsARN reports whether Ref returns the ARN.
	refIsARN bool
}

var kinds = map[string]kind{
	"AWS::ApiGatewayV2::Api":        {arn: "arn:aws:execute-api:" + Region + ":" + Account + ":%s"},
	"AWS::ApiGateway::Account":      {arn: "arn:aws:apigateway:" + Region + "::/account/%s"},
	"AWS::Budgets::Budget":          {arn: "arn:aws:budgets::" + Account + ":budget/%s"},
	"AWS::CloudFront::Distribution": {arn: "arn:aws:cloudfront::" + Account + ":distribution/%s"},
	"AWS::CloudWatch::Alarm":        {arn: "arn:aws:cloudwatch:" + Region + ":" + Account + ":alarm:%s"},
	"AWS::Cognito::UserPool":        {arn: "arn:aws:cognito-idp:" + Region + ":" + Account + ":userpool/%s"},
	"AWS::DynamoDB::GlobalTable":    {arn: "arn:aws:dynamodb:" + Region + ":" + Account + ":table/%s"},
	"AWS::DynamoDB::Table":          {arn: "arn:aws:dynamodb:" + Region + ":" + Account + ":table/%s"},
	"AWS::Events::Rule":             {arn: "arn:aws:events:" + Region + ":" + Account + ":rule/%s"},
	"AWS::IAM::Role":                {arn: "arn:aws:iam::" + Account + ":role/%s"},
	"AWS::Lambda::Function":         {arn: "arn:aws:lambda:" + Region + ":" + Account + ":function:%s"},
	"AWS::Logs::LogGroup":           {arn: "arn:aws:logs:" + Region + ":" + Account + ":log-group:%s:*"},
	"AWS::S3::Bucket":               {arn: "arn:aws:s3:::%s"},
	"AWS::SNS::Topic":               {arn: "arn:aws:sns:" + Region + ":" + Account + ":%s", refIsARN: true},
	"AWS::SQS::Queue":               {arn: "arn:aws:sqs:" + Region + ":" + Account + ":%s"},
	"AWS::Scheduler::Schedule":      {arn: "arn:aws:scheduler:" + Region + ":" + Account + ":schedule/default/%s"},
	"AWS::Synthetics::Canary":       {arn: "arn:aws:synthetics:" + Region + ":" + Account + ":canary:%s"},
}

// Adopt maps a logical id to a resource outside of the template, such as a restored table that
// replaces the stack's own.
func (s *Stack) Adopt(id, arn string) {
	if s.adopted == nil {
		s.adopted = map[string]string{}
	}
	s.adopted[id] = arn
}

// ARN returns the ARN of a resource by its logical id.
func (s *Stack) ARN(id string) (string, error) {
	if arn, ok := s.adopted[id]; ok {
		return arn, nil
	}
	r, ok := s.resources[id]
	if !ok {
		return "", fmt.Errorf("the template has no resource %s", id)
	}
	k, ok := kinds[r.Type]
	if !ok {
		return "", fmt.Errorf("%s: add the ARN of %s to kinds", id, r.Type)
	}
	return fmt.Sprintf(k.arn, id), nil
}

// Resolve returns a value of the template with its references resolved.
func (s *Stack) Resolve(v any) (any, error) {
	switch v := v.(type) {
	case []any:
		all := make([]any, len(v))
		for i, e := range v {
			var err error
			if all[i], err = s.Resolve(e); err != nil {
				return nil, err
			}
		}
		return all, nil
	case map[string]any:
		if len(v) == 1 {
			for name, argument := range v {
				if name == "Ref" || strings.HasPrefix(name, "Fn::") {
					return s.call(name, argument)
				}
			}
		}
		all := map[string]any{}
		for key, e := range v {
			var err error
			if all[key], err = s.Resolve(e); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
	return v, nil
}

// call evaluates one of CloudFormation's functions.
func (s *Stack) call(name string, argument any) (any, error) {
	switch name {
	case "Ref":
		return s.ref(fmt.Sprint(argument))
	case "Fn::GetAtt":
		return s.attribute(Texts(argument))
	}
	resolved, err := s.Resolve(argument)
	if err != nil {
		return nil, err
	}
	arguments := Elements(resolved)
	switch {
	case name == "Fn::Join" && len(arguments) == 2:
		return strings.Join(Texts(arguments[1]), fmt.Sprint(arguments[0])), nil
	case name == "Fn::Split" && len(arguments) == 2:
		var parts []any
		for part := range strings.SplitSeq(fmt.Sprint(arguments[1]), fmt.Sprint(arguments[0])) {
			parts = append(parts, part)
		}
		return parts, nil
	case name == "Fn::Select" && len(arguments) == 2:
		var n int
		list := Elements(arguments[1])
		if _, err := fmt.Sscan(fmt.Sprint(arguments[0]), &n); err != nil || n < 0 || n >= len(list) {
			return nil, fmt.Errorf("%v selects no element", argument)
		}
		return list[n], nil
	}
	return nil, fmt.Errorf("function %s is not supported", name)
}

func (s *Stack) ref(id string) (any, error) {
	if value, ok := pseudo[id]; ok {
		return value, nil
	}
	r, ok := s.resources[id]
	switch {
	case !ok:
		return nil, fmt.Errorf("the template has no resource %s", id)
	case kinds[r.Type].refIsARN:
		return s.ARN(id)
	case r.Type == "AWS::SQS::Queue":
		return "https://sqs." + Region + ".amazonaws.com/" + Account + "/" + id, nil
	}
	return id, nil
}

func (s *Stack) attribute(path []string) (any, error) {
	if len(path) != 2 {
		return nil, fmt.Errorf("%v is not an attribute", path)
	}
	switch id, name := path[0], path[1]; name {
	case "Arn", "TopicArn":
		return s.ARN(id)
	case "StreamArn":
		arn, err := s.ARN(id)
		return arn + "/stream/" + streamLabel, err
	case "QueueName":
		return id, nil
	default:
		return nil, fmt.Errorf("attribute %s of %s is not supported", name, id)
	}
}
