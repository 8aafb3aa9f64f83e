package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// AccountRules are a company's rules for everything that is created in its account. Each may be
// left out.
type AccountRules struct {
	// PermissionsBoundary is the policy that bounds every role of the stack: its ARN, or its name
	// in the account of the deployment.
	PermissionsBoundary string
	// Tags are the tags of every resource that accepts tags.
	Tags map[string]string
}

// boundary matches the ARN or the name of a managed policy, with its path (IAM's user guide, "IAM
// and AWS STS quotas"). Its groups are the ARN's partition and account, which is aws for a policy
// of AWS.
var boundary = regexp.MustCompile(`^(?:arn:(aws[a-z-]*):iam::([0-9]{12}|aws):policy/)?(?:[\w+=,.@-]{1,128}/)*[\w+=,.@-]{1,128}$`)

// tagText matches the characters that every service accepts in tags.
var tagText = regexp.MustCompile(`^[\p{L}\p{Z}\p{N}_.:/=+@-]*$`)

// AWS's limits on the tags of a stack (CloudFormation's API reference, "Tag").
const (
	maxTags     = 50
	maxTagKey   = 128
	maxTagValue = 256
	// awsTags begins AWS's own keys and values, in any case.
	awsTags = "aws:"
)

func (a AccountRules) check(p *problems) {
	const name = "Account.PermissionsBoundary"
	p.refuse(a.PermissionsBoundary != "" && !boundary.MatchString(a.PermissionsBoundary), name,
		"must be the ARN or the name of a managed policy, such as arn:aws:iam::123456789012:policy/Boundary, not "+
			"%q", a.PermissionsBoundary)
	const tags = "Account.Tags"
	p.refuse(
		len(a.Tags) > maxTags, tags, "may have %d entries, not %d: AWS accepts no more for a resource", maxTags,
		len(a.Tags),
	)
	folded := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(a.Tags)) {
		value, fold := a.Tags[key], strings.ToLower(key)
		p.refuse(
			!isTagText(key, maxTagKey), tags, "must have keys of 1 to %d letters, digits, spaces and _.:/=+-@, not %q",
			maxTagKey, key,
		)
		p.refuse(
			!isTagText(value, maxTagValue), tags,
			"must have values of 1 to %d letters, digits, spaces and _.:/=+-@, not %q of %s", maxTagValue, value, key,
		)
		p.refuse(strings.HasPrefix(fold, awsTags) || strings.HasPrefix(strings.ToLower(value), awsTags), tags,
			"must not have keys or values that begin with %s, which are AWS's own: %q is %q", awsTags, key, value)
		other, taken := folded[fold]
		p.refuse(taken, tags, "must not have both %q and %q: IAM ignores the case of keys", other, key)
		folded[fold] = key
	}
}

func isTagText(s string, most int) bool {
	return s != "" && utf8.RuneCountInString(s) <= most && tagText.MatchString(s)
}

// checkAccount refuses a permissions boundary of another account or partition, because IAM accepts
// only the account's own policies and AWS's. It checks nothing if the account is unknown.
func (c Config) checkAccount(account, region string) error {
	at := boundary.FindStringSubmatch(c.Account.PermissionsBoundary)
	if account == "" || at == nil || at[1] == "" {
		return nil
	}
	if want := Partition(region); at[1] != want {
		return fmt.Errorf(
			"%s: Account.PermissionsBoundary begins with arn:%s, but ARNs in %s begin with arn:%s", File(c.Env), at[1],
			region, want,
		)
	}
	if at[2] != "aws" && at[2] != account {
		return fmt.Errorf(
			"%s: Account.PermissionsBoundary is of account %s, but the credentials are for account %s", File(c.Env),
			at[2], account,
		)
	}
	return nil
}
