package rights

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
)

// Stack is what a CloudFormation template grants. Physical names are the logical ids, so that the
// ARN of a resource says which one it is.
type Stack struct {
	resources map[string]Resource
	// adopted are the ARNs of resources outside of the template, by the logical id they stand for.
	adopted map[string]string
}

// Resource is one resource of a template, as JSON has it.
type Resource struct {
	Type       string
	Properties map[string]any
}

// The types of resources that hold rights.
const (
	typeRole        = "AWS::IAM::Role"
	typeQueuePolicy = "AWS::SQS::QueuePolicy"
	typeTopicPolicy = "AWS::SNS::TopicPolicy"
	typePermission  = "AWS::Lambda::Permission"
)

// separate are the types whose policies belong to roles but stand beside them. The stack has none.
var separate = []string{"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy"}

// ReadStack reads the template in a file.
func ReadStack(file string) (*Stack, error) {
	text, err := os.ReadFile(file) // #nosec G304 -- a test's own file
	if err != nil {
		return nil, err
	}
	return ParseStack(text)
}

// ParseStack reads a template, see NewStack.
func ParseStack(template []byte) (*Stack, error) {
	var t struct{ Resources map[string]Resource }
	if err := json.Unmarshal(template, &t); err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	return NewStack(t.Resources)
}

// NewStack makes a stack of a template's resources, by logical id. It refuses one with policies
// that Role would not see.
func NewStack(resources map[string]Resource) (*Stack, error) {
	for id, r := range resources {
		if slices.Contains(separate, r.Type) || r.Properties["ManagedPolicyArns"] != nil || r.Properties["PermissionsBoundary"] != nil {
			return nil, fmt.Errorf("%s holds a policy beside those in roles, which is not evaluated here", id)
		}
	}
	return &Stack{resources: resources}, nil
}

// Role returns what a role allows, by its logical id. A statement without a Sid is refused: the Sid
// says what the rights are for.
func (s *Stack) Role(id string) ([]Statement, error) {
	role := s.resources[id]
	if role.Type != typeRole {
		return nil, fmt.Errorf("the template has no role %s", id)
	}
	var all []Statement
	for _, p := range many(role.Properties["Policies"]) {
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

// Trust returns who may take a role.
func (s *Stack) Trust(id string) ([]Statement, error) {
	all, err := s.statements(s.resources[id].Properties["AssumeRolePolicyDocument"])
	for i := range all {
		all[i].Resources = []string{"*"} // a role's trust has no resource but the role
	}
	return all, err
}

// On returns the statements of the policies that resources themselves have, and what Lambda
// permissions say, which is the same by another name.
func (s *Stack) On() ([]Statement, error) {
	var all []Statement
	for _, id := range slices.Sorted(maps.Keys(s.resources)) {
		r := s.resources[id]
		var statements []Statement
		var err error
		switch r.Type {
		case typeQueuePolicy, typeTopicPolicy:
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

// permission returns a Lambda permission as the statement that it adds to the function's policy.
func (s *Stack) permission(r Resource) ([]Statement, error) {
	resolved, err := s.Resolve(r.Properties)
	if err != nil {
		return nil, err
	}
	p := resolved.(map[string]any)
	statement := Statement{
		Effect: "Allow", Principals: []Principal{{"Service", fmt.Sprint(p["Principal"])}},
		Actions: texts(p["Action"]), Resources: texts(p["FunctionName"]),
	}
	for property, key := range map[string]string{"SourceArn": "aws:SourceArn", "SourceAccount": "aws:SourceAccount"} {
		if p[property] != nil {
			statement.Conditions = append(statement.Conditions, Condition{"ArnLike", key, texts(p[property])})
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
