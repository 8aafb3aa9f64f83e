package stack_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/parley/infra/stack"
)

// stackPolicy is the policy that CloudFormation checks before it changes a resource of a stack.
type stackPolicy struct {
	Statement []struct {
		Effect, Principal string
		Action, Resource  any
	}
}

// allows reports whether the policy allows an update of a resource. As in CloudFormation, a Deny
// wins, and everything else needs an Allow. It supports only the forms that are used here.
func (p stackPolicy) allows(action, id string) bool {
	allowed := false
	for _, s := range p.Statement {
		actions, resources := texts(s.Action), texts(s.Resource)
		applies := (slices.Contains(actions, action) || slices.Contains(actions, "Update:*")) &&
			(slices.Contains(resources, "*") || slices.Contains(resources, "LogicalResourceId/"+id)) && s.Principal == "*"
		if applies && s.Effect == "Deny" {
			return false
		}
		allowed = allowed || applies && s.Effect == "Allow"
	}
	return allowed
}

// irreplaceable are the types of resources with content that cannot be recreated: the data, and the
// users with the client that their apps name.
var irreplaceable = []string{typeTable, "AWS::DynamoDB::Table", typeBucket, typePool, typeClient}

// recreatable are the resources of these types whose content is created again without a loss: a
// secret of services, the open connections, which clients that reconnect enter anew, and the web app.
var recreatable = []string{"ServiceClient", "LiveTable", "PageBucket"}

// outliving are the resources without content of users that an update may remove from the stack, but
// not delete: logs, the account's role for logs with its setting, which other APIs use, and the
// bucket of the web app. Their policies on deletion and on replacement retain them.
var outliving = []string{typeLogs, typeRole, typeGatewayAccount, typeBucket}

// TestNew_StackPolicyKeepsTheData evaluates the committed policy over every resource of every
// deployment. A resource with data may be updated, but neither replaced nor deleted; any other may
// be.
func TestNew_StackPolicyKeepsTheData(t *testing.T) {
	var p stackPolicy
	if err := readJSON(filepath.Join(root, "infra", "stack-policy.json"), &p); err != nil {
		t.Fatal(err)
	}
	kept := 0
	each(t, func(t *testing.T, d deployment) {
		for id, r := range d.template.Resources {
			keep := slices.Contains(irreplaceable, r.Type) && !slices.Contains(recreatable, id)
			if keep {
				kept++
			}
			for _, action := range []string{"Update:Replace", "Update:Delete"} {
				if p.allows(action, id) == keep {
					t.Errorf("%s of %s (%s): allowed = %v", action, id, r.Type, !keep)
				}
			}
			if !p.allows("Update:Modify", id) {
				t.Errorf("%s may not be modified", id)
			}
			outlives := slices.Contains(outliving, r.Type) && r.UpdateReplacePolicy == "Retain"
			if r.DeletionPolicy == "Retain" && !keep && !outlives {
				t.Errorf("%s is retained when the stack is removed, but an update may delete it", id)
			}
		}
	})
	if kept == 0 {
		t.Error("no deployment has a resource with data")
	}
}

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
