package stack_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/parley/infra/stack"
)

// actionPrefixes are the prefixes of IAM's actions, by the service of a resource's type. Others are the
// service's name in lower case.
var actionPrefixes = map[string]string{"apigatewayv2": "apigateway", "cognito": "cognito-idp"}

// beyondTypes are actions that CloudFormation needs for no resource's own service: it looks for
// scaling of tables, and reads the version of the bootstrap.
var beyondTypes = []string{"application-autoscaling", "ssm"}

// forAccount are the actions that boundaries and tags of roles need (CloudFormation's handler of
// AWS::IAM::Role). The services of other resources may do everything.
var forAccount = []string{"iam:PutRolePermissionsBoundary", "iam:DeleteRolePermissionsBoundary", "iam:TagRole", "iam:UntagRole"}

// TestExecutionPolicy_IsWhatTheStackNeeds compares the policy with which CloudFormation may create
// the stack with the resources of every deployment.
func TestExecutionPolicy_IsWhatTheStackNeeds(t *testing.T) {
	var p struct {
		Statement []struct {
			Effect           string
			Action, Resource any
			Condition        map[string]map[string]any
		}
	}
	if err := readJSON(filepath.Join(root, "infra", "execution-policy.json"), &p); err != nil {
		t.Fatal(err)
	}
	allowed := map[string][]string{} // resources by service
	var actions []string
	for _, s := range p.Statement {
		if s.Effect != "Allow" {
			t.Errorf("the effect is %s", s.Effect)
		}
		for _, action := range texts(s.Action) {
			actions = append(actions, action)
			service, _, _ := strings.Cut(action, ":")
			allowed[service] = append(allowed[service], texts(s.Resource)...)
			if action == "iam:PassRole" && len(texts(s.Condition["StringEquals"]["iam:PassedToService"])) != 2 {
				t.Error("roles may be passed to any service")
			}
		}
	}
	for _, action := range forAccount {
		if !slices.Contains(actions, action) {
			t.Errorf("the policy does not allow %s, which the setting Account needs", action)
		}
	}
	needed := map[string]bool{}
	each(t, func(_ *testing.T, d deployment) {
		for _, r := range d.template.Resources {
			if parts := strings.Split(r.Type, "::"); parts[0] == "AWS" {
				service := strings.ToLower(parts[1])
				if prefix, ok := actionPrefixes[service]; ok {
					service = prefix
				}
				needed[service] = true
			}
		}
	})
	for _, service := range beyondTypes {
		needed[service] = true
	}
	if got, want := slices.Sorted(maps.Keys(allowed)), slices.Sorted(maps.Keys(needed)); !slices.Equal(got, want) {
		t.Errorf("the policy allows actions of %v, but the stack has resources of %v", got, want)
	}
	for _, service := range []string{"iam", "s3"} {
		if slices.Contains(allowed[service], "*") {
			t.Errorf("the policy allows actions of %s on everything", service)
		}
	}
	each(t, func(t *testing.T, d deployment) {
		name := stack.Name(d.config)
		if !strings.HasPrefix(name, "Parley-") || !slices.Contains(allowed["iam"], "arn:aws:iam::*:role/Parley-*") || !slices.Contains(allowed["s3"], "arn:aws:s3:::parley-*") {
			t.Errorf("roles and buckets of %s have other names", name)
		}
		for _, id := range slices.Concat(d.template.ids(typeRole), d.template.ids(typeBucket)) {
			r := d.template.Resources[id]
			if r.get("RoleName") != nil || r.get("BucketName") != nil {
				t.Errorf("%s does not begin with the stack's name", id)
			}
		}
	})
}
