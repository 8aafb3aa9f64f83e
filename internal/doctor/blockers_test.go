package doctor_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/parley/infra/config"
	"example.com/parley/internal/doctor"
)

// blockers are situations with one obstacle each.
var blockers = []struct {
	name, check, says string
	change            func(*situation)
}{
	{"a setting is refused", "settings", "Rate must be at least 1", func(s *situation) { s.settings.Rate = -1 }},
	{"credentials have expired", "identity", "ExpiredToken", func(s *situation) {
		s.answers["GetCallerIdentity"] = answer{403, "<ErrorResponse><Error><Code>ExpiredToken</Code><Message>expired</Message></Error></ErrorResponse>"}
	}},
	{"the certificate is of another Region", "place", "Domain.Certificate is in eu-west-1", func(s *situation) { s.region = "eu-west-3" }},
	{"a rate above the Region's", "place", "Rate is 3000", func(s *situation) { s.region, s.settings.Rate = "eu-south-1", 3_000 }},
	{"a Region in which nothing can be deployed", "place", "nothing can be deployed in cn-north-1", func(s *situation) { s.region = "cn-north-1" }},
	{"another deployment runs", "stack", "UPDATE_IN_PROGRESS", deployed("UPDATE_IN_PROGRESS")},
	{"the first deployment failed", "stack", "must delete it", deployed("ROLLBACK_COMPLETE")},
	{"a rollback failed", "stack", "UPDATE_ROLLBACK_FAILED", deployed("UPDATE_ROLLBACK_FAILED")},
	{"there is no Node", "Node", "needs Node.js: not found", func(s *situation) { s.node = "" }},
	{"Node is too old", "Node", `this is "v18.20.0"`, func(s *situation) { s.node = "v18.20.0" }},
	{"the free plan has expired", "plan", "has expired", says("GetAccountPlanState", `{"accountPlanType":"FREE","accountPlanStatus":"EXPIRED"}`)},
	{"a new account's concurrency", "concurrency", "10 functions", says("/2016-08-19/account-settings", `{"AccountLimit":{"ConcurrentExecutions":10,"UnreservedConcurrentExecutions":10}}`)},
	{"others have reserved the rest", "concurrency", "105 functions", says("/2016-08-19/account-settings", `{"AccountLimit":{"ConcurrentExecutions":1000,"UnreservedConcurrentExecutions":105}}`)},
	{"an old bootstrap", "bootstrap", "version 5", says("GetParameter", `{"Parameter":{"Value":"5"}}`)},
	{"a role that may deploy nothing", "execution policy", "no policy", says("ListAttachedRolePolicies", `<ListAttachedRolePoliciesResponse/>`)},
	{"a boundary that does not exist", "account rules", "the policy arn:aws:iam::123456789012:policy/Boundary does not exist", func(s *situation) {
		s.answers["GetPolicy"] = answer{404, "<ErrorResponse><Error><Code>NoSuchEntity</Code></Error></ErrorResponse>"}
	}},
	{"a certificate that is not validated", "API certificate", "not issued yet", says("DescribeCertificate", `{"Certificate":{"Status":"PENDING_VALIDATION","SubjectAlternativeNames":["*.example.com"]}}`)},
	{"a certificate that has expired", "page certificate", "EXPIRED", says("DescribeCertificate", `{"Certificate":{"Status":"EXPIRED","SubjectAlternativeNames":["*.example.com"]}}`)},
	{"a certificate for another name", "API certificate", "not for live.example.com", says("DescribeCertificate", `{"Certificate":{"Status":"ISSUED","SubjectAlternativeNames":["chat.example.com","www.example.com"]}}`)},
	{"a wildcard for another label", "page certificate", "not for www.example.com", says("DescribeCertificate", `{"Certificate":{"Status":"ISSUED","SubjectAlternativeNames":["*.www.example.com","chat.example.com","live.example.com"]}}`)},
	{"a certificate that was deleted", "API certificate", "does not exist", func(s *situation) {
		s.answers["DescribeCertificate"] = answer{400, `{"__type":"com.amazonaws.acm#ResourceNotFoundException","message":"gone"}`}
	}},
	{"no role for logs", "gateway role", "has no role", func(s *situation) { s.settings.Logs.Gateway = config.Account }},
	{"a prefix that is taken", "sign-in pages", "belongs to the user pool eu-west-1_other", says("DescribeUserPoolDomain", `{"DomainDescription":{"UserPoolId":"eu-west-1_other"}}`)},
	{"an account that may have no budget", "budget", "is a linked account", func(s *situation) {
		s.answers["DescribeBudgets"] = answer{400, `{"__type":"AccessDeniedException","Message":"Account ` + accountID + ` is a linked account. To enable budgets …"}`}
	}},
	{"a quota that AWS has not granted", "request quota", "RateQuota is 50000", func(s *situation) { s.settings.RateQuota = 50_000 }},
	{"a rate above the account's quota", "request quota", "Rate is 2000", says("GetAWSDefaultServiceQuota", `{"Quota":{"Value":1000.0}}`)},
	{"writes above the table's quota", "write quota", "WarmWrites is 12000", says("GetAWSDefaultServiceQuota", `{"Quota":{"Value":11000.0}}`)},
	{"a template that is too large", "sizes", "1000023 bytes", func(s *situation) {
		s.template = `{"Resources":{},"X":"` + strings.Repeat("x", 1_000_000) + `"}`
	}},
	{"too many resources", "sizes", "501 resources", func(s *situation) {
		var all []string
		for n := range 501 {
			all = append(all, fmt.Sprintf(`"R%d":{}`, n))
		}
		s.template = `{"Resources":{` + strings.Join(all, ",") + `}}`
	}},
}

// says returns a change after which an operation succeeds with a body.
func says(operation, body string) func(*situation) {
	return func(s *situation) { s.answers[operation] = answer{200, body} }
}

// deployed returns a change after which the stack exists in a status.
func deployed(status string) func(*situation) {
	return says("DescribeStacks", `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackStatus>`+status+`</StackStatus>
<Outputs><member><OutputKey>UserPoolId</OutputKey><OutputValue>eu-west-1_own</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`)
}

func TestRun_StopsAtEachBlocker(t *testing.T) {
	t.Parallel()
	for _, tt := range blockers {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := sound()
			tt.change(&s)
			f := s.findings(t)[tt.check]
			if f.Status != doctor.Blocker || !strings.Contains(f.Found, tt.says) || f.Do == "" {
				t.Errorf("%s is %s: %s (%s); want a blocker with %q", tt.check, f.Status, f.Found, f.Do, tt.says)
			}
		})
	}
}

// notes are situations that a deployment survives.
var notes = []struct {
	name, check, says string
	status            doctor.Status
	change            func(*situation)
}{
	{"the root user", "identity", "is the root user", doctor.Note, says("GetCallerIdentity", `<R><GetCallerIdentityResult><Account>123456789012</Account><Arn>arn:aws:iam::123456789012:root</Arn></GetCallerIdentityResult></R>`)},
	{"a Node that has ended", "Node", "no longer maintained", doctor.Note, func(s *situation) { s.node = "v20.20.2" }},
	{"a free plan", "plan", "on 2027-01-31, or when 80.50 USD are spent", doctor.Note, says("GetAccountPlanState",
		`{"accountPlanType":"FREE","accountPlanStatus":"ACTIVE","accountPlanRemainingCredits":{"amount":80.5,"unit":"USD"},"accountPlanExpirationDate":"2027-01-31T00:00:00Z"}`)},
	{"an account from before plans", "plan", "before", doctor.OK, func(s *situation) {
		s.answers["GetAccountPlanState"] = answer{400, `{"__type":"ResourceNotFoundException"}`}
	}},
	{"little concurrency", "concurrency", "may need 300", doctor.Note, says("/2016-08-19/account-settings", `{"AccountLimit":{"ConcurrentExecutions":150,"UnreservedConcurrentExecutions":150}}`)},
	{"a reservation of the deployed stack", "concurrency", "1000 functions", doctor.OK, func(s *situation) {
		deployed("UPDATE_COMPLETE")(s)
		says("/2016-08-19/account-settings", `{"AccountLimit":{"ConcurrentExecutions":1000,"UnreservedConcurrentExecutions":100}}`)(s)
	}},
	{"no bootstrap", "bootstrap", "no bootstrap", doctor.Note, func(s *situation) { s.answers["GetParameter"] = answer{400, `{"__type":"ParameterNotFound"}`} }},
	{"no role for deployments", "execution policy", "no role", doctor.Note, func(s *situation) {
		s.answers["ListAttachedRolePolicies"] = answer{404, "<ErrorResponse><Error><Code>NoSuchEntity</Code></Error></ErrorResponse>"}
	}},
	{"deployments by an administrator", "execution policy", "may do everything", doctor.Note, says("ListAttachedRolePolicies",
		"<R><ListAttachedRolePoliciesResult><AttachedPolicies><member><PolicyName>AdministratorAccess</PolicyName></member></AttachedPolicies></ListAttachedRolePoliciesResult></R>")},
	{"a boundary and tags", "account rules", "have the boundary arn:aws:iam::123456789012:policy/Boundary; resources have the tags cost, owner", doctor.OK, func(*situation) {}},
	{"no rules", "account rules", "roles have no boundary; resources have no tags", doctor.OK, func(s *situation) { s.settings.Account = config.AccountRules{} }},
	{"a boundary before the bootstrap", "account rules", "have the boundary", doctor.OK, func(s *situation) {
		s.answers["GetRole"] = answer{404, "<ErrorResponse><Error><Code>NoSuchEntity</Code></Error></ErrorResponse>"}
	}},
	{"a boundary that only deployments have", "account rules", "has the boundary arn:aws:iam::123456789012:policy/Company, and the settings state none", doctor.Note, func(s *situation) {
		s.settings.Account = config.AccountRules{}
		says("GetRole", `<GetRoleResponse><GetRoleResult><Role><PermissionsBoundary><PermissionsBoundaryArn>arn:aws:iam::123456789012:policy/Company</PermissionsBoundaryArn></PermissionsBoundary></Role></GetRoleResult></GetRoleResponse>`)(s)
	}},
	{"CloudFront was never used", "CloudFront", "must be verified", doctor.Note, says("/2020-05-31/distribution", "<DistributionList><Quantity>0</Quantity></DistributionList>")},
	{"a role of other APIs", "gateway role", "replaces arn:aws:iam::123456789012:role/logs", doctor.Note, says("/account", `{"cloudwatchRoleArn":"arn:aws:iam::123456789012:role/logs"}`)},
	{"a role of another deployment", "gateway role", "replaces", doctor.Note, says("/account", `{"cloudwatchRoleArn":"arn:aws:iam::123456789012:role/Parley-dev-GatewayLogsRole-1"}`)},
	{"a role that stays", "gateway role", "leaves arn:aws:iam::123456789012:role/logs", doctor.OK, func(s *situation) {
		s.settings.Logs.Gateway = config.Account
		says("/account", `{"cloudwatchRoleArn":"arn:aws:iam::123456789012:role/logs"}`)(s)
	}},
	{"the stack's own role", "gateway role", "this stack's", doctor.OK, says("/account", `{"cloudwatchRoleArn":"arn:aws:iam::123456789012:role/Parley-prod-GatewayLogsRole-1"}`)},
	{"the stack's own prefix", "sign-in pages", "is this stack's", doctor.OK, func(s *situation) {
		deployed("UPDATE_COMPLETE")(s)
		says("DescribeUserPoolDomain", `{"DomainDescription":{"UserPoolId":"eu-west-1_own"}}`)(s)
	}},
	{"a prefix of an unknown stack", "sign-in pages", "belongs to the user pool eu-west-1_own", doctor.Note, func(s *situation) {
		s.answers["DescribeStacks"] = answer{403, ""}
		says("DescribeUserPoolDomain", `{"DomainDescription":{"UserPoolId":"eu-west-1_own"}}`)(s)
	}},
	{"a reservation of an unknown stack", "concurrency", "1000 functions", doctor.OK, func(s *situation) {
		s.answers["DescribeStacks"] = answer{403, ""}
		says("/2016-08-19/account-settings", `{"AccountLimit":{"ConcurrentExecutions":1000,"UnreservedConcurrentExecutions":100}}`)(s)
	}},
	{"the sandbox of SES", "mails", "sandbox", doctor.Note, says("/v2/email/account", `{"ProductionAccessEnabled":false}`)},
	{"a small quota of requests", "request quota", "fewer than usual", doctor.Note, says("GetAWSDefaultServiceQuota", `{"Quota":{"Value":4000.0}}`)},
	{"a quota of the account's own", "write quota", "50000 writes", doctor.OK, says("GetServiceQuota", `{"Quota":{"Value":50000.0}}`)},
	{"a deployment that was rolled back", "stack", "was rolled back", doctor.Note, deployed("UPDATE_ROLLBACK_COMPLETE")},
	{"a first deployment that failed without protection", "stack", "the next one deletes it", doctor.Note, func(s *situation) {
		s.env, s.settings = config.Dev, config.Settings{}
		deployed("ROLLBACK_COMPLETE")(s)
	}},
	{"a second deployment", "stack", "Parley-prod-ada does not exist", doctor.OK, func(s *situation) { s.settings.Suffix = "ada" }},
	{"a deployed stack", "stack", "is deployed", doctor.OK, deployed("UPDATE_COMPLETE")},
	{"a template", "sizes", "1 resources, a template of 22 bytes", doctor.OK, func(s *situation) { s.template = `{"Resources":{"A":{}}}` }},
}

func TestRun_NotesWhatIsWorthReading(t *testing.T) {
	t.Parallel()
	for _, tt := range notes {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := sound()
			tt.change(&s)
			if f := s.findings(t)[tt.check]; f.Status != tt.status || !strings.Contains(f.Found, tt.says) {
				t.Errorf("%s is %s: %s; want %s with %q", tt.check, f.Status, f.Found, tt.status, tt.says)
			}
		})
	}
}
