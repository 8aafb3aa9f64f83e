package doctor_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"example.com/parley/internal/doctor"
)

// needed are the permissions that the calls of a run need, by operation.
var needed = map[string]string{
	"DescribeStacks": "cloudformation:DescribeStacks", "GetAccountPlanState": "freetier:GetAccountPlanState",
	"/2016-08-19/account-settings": "lambda:GetAccountSettings", "GetParameter": "ssm:GetParameter",
	"GetPolicy": "iam:GetPolicy", "GetRole": "iam:GetRole",
	"ListAttachedRolePolicies": "iam:ListAttachedRolePolicies", "/2020-05-31/distribution": "cloudfront:ListDistributions",
	"/account": "apigateway:GET", "DescribeCertificate": "acm:DescribeCertificate", "DescribeUserPoolDomain": "cognito-idp:DescribeUserPoolDomain",
	"/v2/email/account": "ses:GetAccount", "DescribeBudgets": "budgets:ViewBudget", "GetServiceQuota": "servicequotas:GetServiceQuota",
	"GetAWSDefaultServiceQuota": "servicequotas:GetAWSDefaultServiceQuota",
}

// TestRun_NamesTheMissingRight refuses each call in the form of each protocol.
func TestRun_NamesTheMissingRight(t *testing.T) {
	t.Parallel()
	for operation, right := range needed {
		for _, body := range []string{
			"<ErrorResponse><Error><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>",
			`{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"no"}`,
			`{"code":"AccessDeniedException:http://internal","message":"no"}`,
		} {
			s := sound()
			s.answers[operation] = answer{http.StatusForbidden, body}
			all := slices.Collect(maps.Values(s.findings(t)))
			if doctor.Blocked(all) || !slices.ContainsFunc(all, func(f doctor.Finding) bool {
				return f.Status == doctor.Unread && f.Found == "cannot read: needs "+right
			}) {
				t.Errorf("%s with %s: %+v", operation, body, all)
			}
		}
	}
}

// TestRun_ReportsAServiceThatDoesNotAnswer gives a response of no known form to every call except
// the first.
func TestRun_ReportsAServiceThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s := sound()
	s.answers = answers{"GetCallerIdentity": s.answers["GetCallerIdentity"]}
	all := s.findings(t)
	if f := all["bootstrap"]; f.Status != doctor.Unread || f.Found != "cannot read: ssm:GetParameter was answered with 400" {
		t.Errorf("%+v", f)
	}
	if doctor.Blocked(slices.Collect(maps.Values(all))) {
		t.Errorf("%+v", all)
	}
}
