package config_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/parley/infra/config"
)

func TestResolve_NamesTheInvalidRuleOfAnAccount(t *testing.T) {
	t.Parallel()
	bounded := func(policy string) func(*config.Settings) {
		return func(s *config.Settings) { s.Account.PermissionsBoundary = policy }
	}
	tagged := func(pairs ...string) func(*config.Settings) {
		return func(s *config.Settings) { s.Account.Tags = tags(pairs...) }
	}
	wantRefused(t, []refusal{
		{"a role as the boundary", bounded("arn:aws:iam::123456789012:role/Boundary"), "Account.PermissionsBoundary must be the ARN or the name of a managed policy"},
		{"a boundary of no account", bounded("arn:aws:iam:::policy/Boundary"), "Account.PermissionsBoundary must be"},
		{"a boundary of two words", bounded("Company Boundary"), "Account.PermissionsBoundary must be"},
		{"a boundary with a long name", bounded(strings.Repeat("a", 129)), "Account.PermissionsBoundary must be"},
		{"more tags than a resource has", func(s *config.Settings) { s.Account.Tags = many(51) }, "Account.Tags may have 50 entries, not 51"},
		{"a tag without a key", tagged("", "chat"), "Account.Tags must have keys of 1 to 128"},
		{"a tag with a long key", tagged(strings.Repeat("a", 129), "chat"), "Account.Tags must have keys of 1 to 128"},
		{"a tag with another character", tagged("owner?", "chat"), "Account.Tags must have keys of 1 to 128"},
		{"a tag without a value", tagged("owner", ""), `Account.Tags must have values of 1 to 256 letters, digits, spaces and _.:/=+-@, not "" of owner`},
		{"a tag with a long value", tagged("owner", strings.Repeat("a", 257)), "Account.Tags must have values of 1 to 256"},
		{"a value with another character", tagged("owner", "a,b"), "Account.Tags must have values of 1 to 256"},
		{"a key of AWS", tagged("AWS:owner", "chat"), `Account.Tags must not have keys or values that begin with aws:, which are AWS's own: "AWS:owner" is "chat"`},
		{"a value of AWS", tagged("owner", "aws:chat"), "Account.Tags must not have keys or values that begin with aws:"},
		{"keys that differ in their case", tagged("Owner", "chat", "owner", "chat"), `Account.Tags must not have both "Owner" and "owner": IAM ignores the case of keys`},
	})
}

// tags returns tags of keys and values, in turn.
func tags(pairs ...string) map[string]string {
	all := map[string]string{}
	for n := 0; n < len(pairs); n += 2 {
		all[pairs[n]] = pairs[n+1]
	}
	return all
}

// many returns n tags.
func many(n int) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprint("tag", i)] = "chat"
	}
	return all
}

// TestResolve_AcceptsTheRulesOfAnAccount states values at their bounds.
func TestResolve_AcceptsTheRulesOfAnAccount(t *testing.T) {
	t.Parallel()
	for _, rules := range []config.AccountRules{
		{PermissionsBoundary: "arn:aws:iam::123456789012:policy/company/Boundary", Tags: many(50)},
		{PermissionsBoundary: "arn:aws-us-gov:iam::aws:policy/PowerUserAccess"},
		{PermissionsBoundary: strings.Repeat("a", 128)},
		{PermissionsBoundary: "company/Boundary_1+=,.@-"},
		{Tags: tags(strings.Repeat("ä", 128), strings.Repeat("ä", 256), "cost centre:a/b=c+d-e@f", "1_2.3")},
	} {
		c, err := config.Settings{Account: rules}.Resolve(config.Dev)
		if err != nil {
			t.Error(err)
		}
		if c.Account.PermissionsBoundary != rules.PermissionsBoundary || len(c.Account.Tags) != len(rules.Tags) {
			t.Errorf("the rules are %+v, want %+v", c.Account, rules)
		}
	}
}

// TestConfigIn_RefusesTheBoundaryOfAnotherPlace accepts the account's own policy, and AWS's.
func TestConfigIn_RefusesTheBoundaryOfAnotherPlace(t *testing.T) {
	t.Parallel()
	const own, region = "123456789012", "eu-west-1"
	tests := []struct{ name, policy, account, want string }{
		{"its own", "arn:aws:iam::123456789012:policy/Boundary", own, ""},
		{"AWS's", "arn:aws:iam::aws:policy/PowerUserAccess", own, ""},
		{"by its name", "Boundary", own, ""},
		{"an account that is unknown", "arn:aws:iam::210987654321:policy/Boundary", "", ""},
		{"another partition's", "arn:aws-us-gov:iam::aws:policy/PowerUserAccess", own, "Account.PermissionsBoundary begins with arn:aws-us-gov, but ARNs in eu-west-1 begin with arn:aws"},
		{"another account's", "arn:aws:iam::210987654321:policy/Boundary", own, "Account.PermissionsBoundary is of account 210987654321, but the credentials are for account 123456789012"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := explicit()
			s.Account.PermissionsBoundary = tt.policy
			c, err := s.Resolve(config.Prod)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = c.In(tt.account, region); tt.want == "" && err != nil {
				t.Error(err)
			} else if tt.want != "" {
				wantError(t, err, "infra/settings/prod.go: "+tt.want)
			}
		})
	}
}
