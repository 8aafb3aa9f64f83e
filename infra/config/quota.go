package config

import (
	"errors"
	"slices"
)

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
