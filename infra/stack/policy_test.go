package stack_test

import (
	"path/filepath"
	"slices"
	"testing"
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
