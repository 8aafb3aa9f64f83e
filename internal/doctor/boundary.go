package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/parley/infra/config"
)

// iamCall returns a call of IAM, which has one address for all Regions of a partition.
func iamCall(p Plan, operation string, in map[string]string) request {
	host, region := "iam.amazonaws.com", global
	if config.Partition(p.Region) == config.GovCloud {
		host, region = "iam.us-gov.amazonaws.com", "us-gov-west-1"
	}
	r := queryCall("iam", region, "2010-05-08", operation, in)
	r.host = host
	return r
}

// deployer returns the name of the role with which CloudFormation deploys.
func (p Plan) deployer() string {
	return fmt.Sprintf("cdk-%s-cfn-exec-role-%s-%s", qualifier, p.Account, p.Region)
}

// boundary returns the ARN of the policy that bounds the stack's roles, or "".
func (p Plan) boundary() string {
	stated := p.Config.Account.PermissionsBoundary
	if stated == "" || strings.HasPrefix(stated, "arn:") {
		return stated
	}
	return fmt.Sprintf("arn:%s:iam::%s:policy/%s", config.Partition(p.Region), p.Account, stated)
}

// accountRules is what IAM knows of a company's rules for roles.
type accountRules struct {
	// exists reports whether the stated boundary exists.
	exists bool
	// deployer is the boundary of the role for deployments, or "".
	deployer string
}

func readAccountRules(ctx context.Context, o Options, p Plan) (accountRules, error) {
	var found accountRules
	if p.boundary() != "" {
		var policy struct {
			Arn string `xml:"GetPolicyResult>Policy>Arn"`
		}
		err := o.account().call(ctx, iamCall(p, "GetPolicy", map[string]string{"PolicyArn": p.boundary()}), &policy)
		if err != nil && codeOf(err) != "NoSuchEntity" {
			return found, err
		}
		found.exists = err == nil
	}
	var role struct {
		Boundary string `xml:"GetRoleResult>Role>PermissionsBoundary>PermissionsBoundaryArn"`
	}
	err := o.account().call(ctx, iamCall(p, "GetRole", map[string]string{"RoleName": p.deployer()}), &role)
	if codeOf(err) == "NoSuchEntity" { // not bootstrapped
		return found, nil
	}
	found.deployer = role.Boundary
	return found, err
}

// judgeAccountRules checks whether the roles of the deployment can have the stated boundary. IAM
// does not show that a company requires one, but the role for deployments usually has it.
func judgeAccountRules(p Plan, a accountRules) Finding {
	const guide = `docs/deploy.md, "Accounts of companies"`
	boundary := p.boundary()
	switch {
	case boundary != "" && !a.exists:
		return blocker(
			"create the policy, or correct Account.PermissionsBoundary: "+guide, "the policy %s does not exist",
			boundary,
		)
	case boundary == "" && a.deployer != "":
		return note("if your company requires it of all roles, state Account.PermissionsBoundary: "+guide,
			"the role for deployments has the boundary %s, and the settings state none", a.deployer)
	case boundary == "":
		return ok("roles have no boundary; %s", p.tags())
	}
	return ok("roles have the boundary %s; %s", boundary, p.tags())
}

// tags describes the tags of the deployment.
func (p Plan) tags() string {
	keys := slices.Sorted(maps.Keys(p.Config.Account.Tags))
	if len(keys) == 0 {
		return "resources have no tags"
	}
	return "resources have the tags " + strings.Join(keys, ", ")
}
