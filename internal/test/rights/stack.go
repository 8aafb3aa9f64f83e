// Package rights checks that each function has the permissions that it needs, and no others. Tests
// record every call that a function makes, and evaluate the synthesized template's policies for it.
// The recordings are files, which the tests of the stack replay.
//
// Only tests import it.
package rights

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Stack holds the permissions in a CloudFormation template. Physical names equal the logical ids,
// so that an ARN identifies its resource.
type Stack struct {
	resources map[string]Resource
	// adopted maps logical ids to the ARNs of resources outside of the template.
	adopted map[string]string
}

// Resource is one resource of a template, as decoded from JSON.
type Resource struct {
	Type       string
	Properties map[string]any
}

// The types of resources that contain permissions.
const (
	typeRole        = "AWS::IAM::Role"
	typeQueuePolicy = "AWS::SQS::QueuePolicy"
	typeTopicPolicy = "AWS::SNS::TopicPolicy"
	typePermission  = "AWS::Lambda::Permission"

	typeBucketPolicy = "AWS::S3::BucketPolicy"
)

// separate lists the types that hold policies of roles as separate resources. The stack has none.
var separate = []string{"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy"}

// ReadStack reads the template in a file.
func ReadStack(file string) (*Stack, error) {
	text, err := os.ReadFile(file) // #nosec G304 -- a file of the tests
	if err != nil {
		return nil, err
	}
	return ParseStack(text)
}

// ParseStack parses a template. See NewStack.
func ParseStack(template []byte) (*Stack, error) {
	var t struct{ Resources map[string]Resource }
	if err := json.Unmarshal(template, &t); err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	return NewStack(t.Resources)
}

// NewStack returns a stack with a template's resources by logical id. It returns an error if the
// template has policies of roles outside of the roles. It ignores permissions boundaries, which
// only take rights away and whose text a template does not contain.
func NewStack(resources map[string]Resource) (*Stack, error) {
	for id, r := range resources {
		if slices.Contains(separate, r.Type) || r.Properties["ManagedPolicyArns"] != nil {
			return nil, fmt.Errorf("%s has a policy outside of a role, which is not supported", id)
		}
	}
	return &Stack{resources: resources}, nil
}

// Role returns the statements of the role with a logical id. A statement without a Sid is an error,
// because the Sid states the purpose of the permissions.
func (s *Stack) Role(id string) ([]Statement, error) {
	role := s.resources[id]
	if role.Type != typeRole {
		return nil, fmt.Errorf("the template has no role %s", id)
	}
	var all []Statement
	for _, p := range Elements(role.Properties["Policies"]) {
		policy, _ := p.(map[string]any)
		statements, err := s.statements(policy["PolicyDocument"])
		if err != nil {
			return nil, fmt.Errorf("role %s: %w", id, err)
		}
		all = append(all, statements...)
	}
	for _, statement := range all {
		if statement.ID == "" {
			return nil, fmt.Errorf("role %s: a statement has no Sid: %s", id, statement)
		}
	}
	return all, nil
}

// Trust returns the statements that define who may assume a role.
func (s *Stack) Trust(id string) ([]Statement, error) {
	all, err := s.statements(s.resources[id].Properties["AssumeRolePolicyDocument"])
	for i := range all {
		all[i].Resources = []string{"*"} // a trust policy has no resource, because it applies to the role
	}
	return all, err
}

// On returns the statements of all policies of resources. It includes Lambda permissions, which
// have the same effect.
func (s *Stack) On() ([]Statement, error) {
	var all []Statement
	for _, id := range slices.Sorted(maps.Keys(s.resources)) {
		r := s.resources[id]
		var statements []Statement
		var err error
		switch r.Type {
		case typeQueuePolicy, typeTopicPolicy, typeBucketPolicy:
			statements, err = s.statements(r.Properties["PolicyDocument"])
		case typePermission:
			statements, err = s.permission(r)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		all = append(all, statements...)
	}
	return all, nil
}

// permission returns the statement that a Lambda permission adds to the function's policy.
func (s *Stack) permission(r Resource) ([]Statement, error) {
	resolved, err := s.Resolve(r.Properties)
	if err != nil {
		return nil, err
	}
	p := resolved.(map[string]any)
	statement := Statement{
		Effect: "Allow", Principals: []Principal{{"Service", fmt.Sprint(p["Principal"])}},
		Actions: Texts(p["Action"]), Resources: Texts(p["FunctionName"]),
	}
	for property, key := range map[string]string{"SourceArn": "aws:SourceArn", "SourceAccount": "aws:SourceAccount"} {
		if p[property] != nil {
			statement.Conditions = append(statement.Conditions, Condition{"ArnLike", key, Texts(p[property])})
		}
	}
	return []Statement{statement}, nil
}

func (s *Stack) statements(document any) ([]Statement, error) {
	resolved, err := s.Resolve(document)
	if err != nil {
		return nil, err
	}
	return parseStatements(resolved)
}

// LambdaUses maps the Sids of the statements that Lambda itself needs in a function's role to the
// reason. The function's code does not use them, so they are in no recording.
var LambdaUses = map[string]string{
	"WriteLogs":   "Lambda writes the function's log under its role",
	"PollStream":  "Lambda reads the table's stream for the event source mapping under the function's role",
	"GiveUp":      "Lambda sends the records that the outbox's mapping gives up to the queue of failures",
	"PollQueue":   "Lambda receives and removes messages of the queue of hooks for the event source mapping",
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

var together = map[string][]string{Service: {"write", "read", "search", "incoming"}, Store: {"write", "read", "search", "incoming", "feed", "socket"}}

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
