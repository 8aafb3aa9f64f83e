package doctor

import (
	"context"
	"fmt"
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
	if config.Partition(p.Region) == config.GovCloud {
		return "accounts in GovCloud have no plan of their own"
	}
	return ""
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
