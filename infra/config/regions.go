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
		"af-south-1", "ap-east-1", "ap-east-2", "ap-northeast-3", "ap-south-2", "ap-southeast-3", "ap-southeast-4",
		"ap-southeast-5",
		"ap-southeast-6", "ap-southeast-7", "ca-west-1", "eu-central-2", "eu-north-1", "eu-south-1", "eu-south-2",
		"il-central-1",
		"me-central-1", "mx-central-1", "us-gov-east-1", "us-gov-west-1",
	}
)

// The partitions in which the stack can be deployed.
const (
	Commercial = "aws"
	GovCloud   = "aws-us-gov"
)

// refused are the beginnings of the names of Regions in other partitions, each with the reason.
var refused = []struct{ prefix, why string }{
	{
		"cn-",
		"API Gateway in China serves live delivery only to owners of a registration (ICP), and Cognito has no user " +
			"pools there",
	},
	{
		"eusc-",
		"the functions and the doctor do not know the addresses of the European Sovereign Cloud (amazonaws.eu), " +
			"where nobody has tried the stack",
	},
	{"us-iso", "the functions and the doctor do not know the addresses of AWS's isolated clouds"},
	{"eu-iso", "the functions and the doctor do not know the addresses of AWS's isolated clouds"},
}

// CheckRegion refuses a Region of a partition in which nothing can be deployed. It accepts an empty
// one, which is unknown.
func CheckRegion(region string) error {
	for _, r := range refused {
		if strings.HasPrefix(region, r.prefix) {
			return fmt.Errorf(
				"nothing can be deployed in %s: %s; choose another Region (docs/deploy.md, \"Regions\")", region, r.why,
			)
		}
	}
	return nil
}

// Partition returns the partition of a Region that CheckRegion accepts.
func Partition(region string) string {
	if strings.HasPrefix(region, "us-gov-") {
		return GovCloud
	}
	return Commercial
}

// lacking returns a problem for each service that the deployment needs and a Region lacks.
func (c Config) lacking(region string) problems {
	var p problems
	if err := CheckRegion(region); err != nil {
		return append(p, err)
	}
	inGovCloud := Partition(region) == GovCloud
	if slices.Contains(withoutHTTPAPIs, region) {
		p = append(
			p,
			fmt.Errorf(
				"nothing can be deployed in %s, where API Gateway has no HTTP APIs: choose another Region", region,
			),
		)
	}
	p.refuse(
		inGovCloud && c.Page.Served(), "Page",
		"is not possible in %s, where CloudFront does not exist: serve the page elsewhere, and state its origin in "+
			"Origins",
		region,
	)
	p.refuse(
		inGovCloud && c.Tokens.OwnKeys(), "Issuer",
		"must be your own identity provider in %s: the stack publishes Keys by CloudFront, which it cannot use there",
		region,
	)
	p.refuse(
		inGovCloud && c.Pool.Pages.Prefix != "", "SignInPages",
		"are not possible in %s: Cognito has them at another address there, which the stack does not know", region,
	)
	p.refuse(slices.Contains(
		withoutBudgets, region,
	) && c.Alarms.Recipient != "" && c.Alarms.MonthlyBudget != 0, "MonthlyBudget",
		"must be config.NoBudget in %s, where CloudFormation cannot create budgets: create one in the console, for "+
			"the whole account", region)
	return p
}
