package config

import (
	"fmt"
	"slices"
	"strings"
)

// Regions that lack a service, as of November 2026. docs/deploy.md lists them too.
var (
	// withoutHTTPAPIs are the Regions in which API Gateway refuses an HTTP API: "HTTP APIs are not
	// available in this AWS region".
	withoutHTTPAPIs = []string{"ap-east-2", "mx-central-1"}
	// withoutBudgets are the Regions whose CloudFormation refuses a template with a budget:
	// "Unrecognized resource types: [AWS::Budgets::Budget]".
	withoutBudgets = []string{
		"af-south-1", "ap-east-1", "ap-east-2", "ap-northeast-3", "ap-south-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5",
		"ap-southeast-6", "ap-southeast-7", "ca-west-1", "eu-central-2", "eu-north-1", "eu-south-1", "eu-south-2", "il-central-1",
		"me-central-1", "mx-central-1", "us-gov-east-1", "us-gov-west-1",
	}
)

// The beginnings of the names of Regions outside the usual partition.
const (
	china    = "cn-"
	govCloud = "us-gov-"
)

// lacking returns a problem for each service that the deployment needs and a Region lacks.
func (c Config) lacking(region string) problems {
	var p problems
	inChina, inGovCloud := strings.HasPrefix(region, china), strings.HasPrefix(region, govCloud)
	if slices.Contains(withoutHTTPAPIs, region) {
		p = append(p, fmt.Errorf("nothing can be deployed in %s, where API Gateway has no HTTP APIs: choose another Region", region))
	}
	p.refuse(inChina && c.Tokens.OwnPool(), "Issuer", "must be your own identity provider in %s, where Cognito has no user pools", region)
	p.refuse(inChina && c.Page.Served(), "Page", "is not possible in %s: CloudFront in China needs a registered name (ICP) and a certificate outside of AWS Certificate Manager", region)
	p.refuse(inGovCloud && c.Page.Served(), "Page", "is not possible in %s, where CloudFront does not exist: serve the page elsewhere, and state its origin in Origins", region)
	p.refuse((inChina || inGovCloud) && c.Tokens.OwnKeys(), "Issuer", "must be your own identity provider in %s: the stack publishes Keys by CloudFront, which it cannot use there", region)
	p.refuse(inGovCloud && c.Pool.Pages.Prefix != "", "SignInPages", "are not possible in %s: Cognito has them at another address there, which the stack does not know", region)
	p.refuse(slices.Contains(withoutBudgets, region) && c.Alarms.Recipient != "" && c.Alarms.MonthlyBudget != 0, "MonthlyBudget",
		"must be config.NoBudget in %s, where CloudFormation cannot create budgets: create one in the console, for the whole account", region)
	return p
}
