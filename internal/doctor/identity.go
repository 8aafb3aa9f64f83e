package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/parley/infra/config"
)

// identity is the owner of the credentials.
type identity struct{ Account, Arn string }

func readIdentity(ctx context.Context, a account) (identity, error) {
	var out struct {
		Identity identity `xml:"GetCallerIdentityResult"`
	}
	err := a.call(ctx, queryCall("sts", a.cfg.Region, "2011-06-15", "GetCallerIdentity", nil), &out)
	return out.Identity, err
}

func judgeIdentity(id identity) Finding {
	if strings.HasSuffix(id.Arn, ":root") {
		return note("deploy with a role, and lock the root user's keys away", "%s is the root user", id.Arn)
	}
	return ok("%s", id.Arn)
}

// oldestNode is the oldest Node.js that the CDK runs on, and oldestMaintained the oldest that is
// still maintained (nodejs.org, release schedule).
const (
	oldestNode       = 20
	oldestMaintained = 22
)

// node is the version of Node.js, or the reason that it is unknown.
type node struct {
	version string
	missing error
}

func readNode(ctx context.Context, o Options, _ Plan) (node, error) {
	version, err := o.Node(ctx)
	return node{strings.TrimSpace(version), err}, nil
}

func judgeNode(_ Plan, n node) Finding {
	const install = "install a maintained version from https://nodejs.org"
	if n.missing != nil {
		return blocker(install, "the CDK needs Node.js: %v", n.missing)
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(n.version, "v"), ".")
	switch number, err := strconv.Atoi(major); {
	case err != nil || number < oldestNode:
		return blocker(install, "the CDK needs Node.js %d, and this is %q", oldestNode, n.version)
	case number < oldestMaintained:
		return note(install, "%s is no longer maintained", n.version)
	}
	return ok("%s", n.version)
}

// accountPlan is the plan of an account. The zero value is an account without a plan, created
// before AWS had plans.
type accountPlan struct {
	Type    string    `json:"accountPlanType"`   // FREE or PAID
	Status  string    `json:"accountPlanStatus"` // NOT_STARTED, ACTIVE or EXPIRED
	Expires time.Time `json:"accountPlanExpirationDate"`
	Credits struct {
		Amount float64 `json:"amount"`
		Unit   string  `json:"unit"`
	} `json:"accountPlanRemainingCredits"`
}

func withoutPlans(p Plan) string {
	return unneeded(
		config.Partition(p.Region) == config.GovCloud, "accounts in GovCloud have no plan of their own",
	)
}

func readAccountPlan(ctx context.Context, o Options, _ Plan) (accountPlan, error) {
	in := jsonCall("freetier", global, "AWSFreeTierService", "GetAccountPlanState", struct{}{})
	in.host = "freetier." + global + ".api.aws"
	in.header["Content-Type"] = "application/x-amz-json-1.0"
	var out accountPlan
	err := o.account().call(ctx, in, &out)
	if codeOf(err) == "ResourceNotFoundException" {
		return accountPlan{}, nil
	}
	return out, err
}

func judgeAccountPlan(_ Plan, p accountPlan) Finding {
	const upgrade = "upgrade the account to a paid plan (AWS console, Billing and Cost Management)"
	switch {
	case p.Type != "FREE":
		return ok("paid, or from before there were plans")
	case p.Status == "EXPIRED":
		return blocker(upgrade, "the free plan has expired: AWS closes the account, with its data")
	}
	until := ""
	if !p.Expires.IsZero() {
		until = " on " + p.Expires.Format(time.DateOnly)
	}
	return note(upgrade+" before real users come", "free: it ends%s, or when %s are spent, and AWS then closes the "+
		"account",
		until, fmt.Sprintf("%.2f %s", p.Credits.Amount, p.Credits.Unit))
}

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
