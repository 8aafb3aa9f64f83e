package config

import (
	"errors"
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

// AWS allows every account this many requests a second in a Region, for all its APIs together.
const (
	usualQuota = 10_000
	smallQuota = 2_500
)

// smallRegions are the Regions with the smaller quota (API Gateway's developer guide, "Quotas").
var smallRegions = []string{
	"af-south-1", "ap-south-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-7",
	"ca-west-1", "eu-central-2", "eu-south-1", "eu-south-2", "il-central-1", "me-central-1", "mx-central-1",
}

// postShare is the share of the account's quota that one process uses for frames. The rest is for
// requests, which would otherwise fail while a message is delivered to a large room.
const postShare = 2

// quota returns the account's requests a second in a Region. RateQuota states a quota that AWS has
// raised. An unknown Region has the usual quota.
func (c Config) quota(region string) int {
	switch {
	case c.API.RateQuota != 0:
		return c.API.RateQuota
	case slices.Contains(smallRegions, region):
		return smallQuota
	}
	return usualQuota
}

func (c Config) postRate(region string) int { return c.quota(region) / postShare }

// In returns the configuration for an account and a Region. It refuses settings that need a service
// that the Region lacks, a rate above the account's quota there, and tables and certificates of
// other places. An empty argument is unknown; an unknown Region lacks nothing.
func (c Config) In(account, region string) (Config, error) {
	c.API.PostRate = c.postRate(region)
	p := c.lacking(region)
	quota := c.quota(region)
	p.refuse(c.API.Rate > quota, "Rate", "is %d, but all APIs of an account together may take %d requests a "+
		"second%s: lower Rate, "+
		"or ask AWS for more (Service Quotas, API Gateway, throttle rate) and state the new quota as "+
		"RateQuota", c.API.Rate, quota, in(region))
	return c, errors.Join(inFile(c.Env, p), c.checkPlace(account, region), c.checkAccount(account, region))
}

func in(region string) string {
	if region == "" {
		return ""
	}
	return " in " + region
}

const (
	// HelloWrites is the number of write units of a hello with 30 rooms, all in the connection
	// table. A test counts them.
	HelloWrites = 62
	// connectShare is the percentage of that table's writes that hellos may use. The rest is for
	// syncs, renewals and the ends of connections, and for partitions with more of the busiest
	// rooms.
	connectShare = 75
	// connectQuota is the number of new connections a second of all WebSocket APIs of an account,
	// until AWS raises it.
	connectQuota = 500
)

// ConnectRate returns the number of new connections a second that the connection table can accept,
// if each sends a hello with 30 rooms. Warm or new, the table has the other table's capacity.
func (t Table) ConnectRate() int {
	return min(connectQuota, max(t.WarmWrites, newTableWrites)*connectShare/100/HelloWrites)
}
