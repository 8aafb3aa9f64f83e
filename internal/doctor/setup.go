package doctor

import (
	"context"
	"encoding/xml"
	"strconv"
	"strings"
)

const (
	// qualifier distinguishes the CDK's bootstrap from others.
	qualifier = "hnb659fds"
	// oldestBootstrap is the version that every template of the CDK requires.
	oldestBootstrap = 6
	// administrator is the policy that cdk bootstrap gives to deployments by default.
	administrator = "AdministratorAccess"
	runBootstrap  = "run npx --no-install cdk bootstrap"
)

// readBootstrap returns the version of the CDK's bootstrap, 0 if there is none.
func readBootstrap(ctx context.Context, o Options, p Plan) (int, error) {
	var out struct{ Parameter struct{ Value string } }
	in := map[string]string{"Name": "/cdk-bootstrap/" + qualifier + "/version"}
	err := o.account().call(ctx, jsonCall("ssm", p.Region, "AmazonSSM", "GetParameter", in), &out)
	if codeOf(err) == "ParameterNotFound" {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(out.Parameter.Value)
}

func judgeBootstrap(_ Plan, version int) Finding {
	switch {
	case version == 0:
		return note(runBootstrap+", the next step of docs/deploy.md", "the account has no bootstrap in this Region yet")
	case version < oldestBootstrap:
		return blocker(runBootstrap, "the bootstrap has version %d; the stack needs %d", version, oldestBootstrap)
	}
	return ok("version %d", version)
}

// policies are the names of the policies with which CloudFormation deploys.
type policies struct {
	bootstrapped bool
	names        []string
}

func readPolicies(ctx context.Context, o Options, p Plan) (policies, error) {
	var out struct {
		Names []string `xml:"ListAttachedRolePoliciesResult>AttachedPolicies>member>PolicyName"`
	}
	err := o.account().call(
		ctx, iamCall(p, "ListAttachedRolePolicies", map[string]string{"RoleName": p.deployer()}), &out,
	)
	if codeOf(err) == "NoSuchEntity" {
		return policies{}, nil
	}
	return policies{true, out.Names}, err
}

func judgePolicies(_ Plan, p policies) Finding {
	names := strings.Join(p.names, ", ")
	switch {
	case !p.bootstrapped:
		return note(runBootstrap, "there is no role for deployments yet")
	case len(p.names) == 0:
		return blocker(
			runBootstrap+" with --cloudformation-execution-policies",
			"the role for deployments has no policy, so that nothing can be created",
		)
	case strings.Contains(names, administrator):
		return note("for a narrower one, see docs/deploy.md", "deployments may do everything (%s)", names)
	}
	return ok("deployments may do what %q allows", names)
}

func withoutSite(p Plan) string {
	return unneeded(!p.Config.Page.Served() && !p.Config.Tokens.OwnKeys(), "neither Page nor Keys are stated")
}

// readDistributions returns the number of CloudFront's distributions in the account, at most one.
func readDistributions(ctx context.Context, o Options, _ Plan) (int, error) {
	in := get("cloudfront", global, "/2020-05-31/distribution?MaxItems=1", "cloudfront:ListDistributions")
	in.host, in.decode, in.header = "cloudfront.amazonaws.com", xml.Unmarshal, nil
	var out struct{ Quantity int }
	err := o.account().call(ctx, in, &out)
	return out.Quantity, err
}

func judgeDistributions(_ Plan, n int) Finding {
	if n == 0 {
		return note("deploy first without Page, and with another Issuer than keys; if AWS refuses it then, ask AWS "+
			"Support to verify the account",
			`the account has no distribution, and AWS refuses a first one to some new accounts ("must be verified")`)
	}
	return ok("the account has distributions")
}

// gateway is the role with which API Gateway writes the logs of the account.
type gateway struct {
	Role string `json:"cloudwatchRoleArn"`
}

func readGateway(ctx context.Context, o Options, p Plan) (gateway, error) {
	var out gateway
	err := o.account().call(ctx, get("apigateway", p.Region, "/account", "apigateway:GET"), &out)
	return out, err
}

// judgeGatewayRole checks whether the deployment would replace the role of other APIs.
func judgeGatewayRole(p Plan, g gateway) Finding {
	switch {
	case !p.Config.Logs.OwnGatewayRole && g.Role == "":
		return blocker(
			`state Logs.Gateway: "own"`,
			"Logs.Gateway is account, but the account has no role for API Gateway's logs in this Region",
		)
	case !p.Config.Logs.OwnGatewayRole:
		return ok("the deployment leaves %s", g.Role)
	case g.Role == "":
		return ok("none yet; the deployment sets one")
	case strings.Contains(g.Role, "/"+p.Stack.Name+"-GatewayLogsRole"):
		return ok("this stack's")
	}
	return note(`state Logs.Gateway: "account" to keep it`,
		"the deployment replaces %s, with which API Gateway writes the logs of all APIs of the account", g.Role)
}
