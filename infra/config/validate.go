package config

import (
	"fmt"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"

	shared "example.com/parley/internal/config"
)

// The limits of the functions and of AWS.
const (
	// maxSendRate, maxActivityDays and maxFeedDays are the limits of the functions.
	maxSendRate     = 1000
	maxActivityDays = 3650
	maxFeedDays     = 3650
	// maxRecoveryDays is the longest period that DynamoDB offers.
	maxRecoveryDays = 35
)

// logDays are the retention periods that CloudWatch Logs offers.
var logDays = []int{
	1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
}

// suffix matches the end of a stack's name. It is short, because names of functions and roles keep
// 64 characters. It has small letters, because names of buckets and of Cognito's pages have.
var suffix = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,14}[a-z0-9])?$`)

// directories are the values of Directory.
var directories = []string{Everyone, Services, Off}

var logLevels = []string{"debug", "info", "warn", "error"}

// problems collects the problems of the settings, each under the setting's name.
type problems []error

// refuse adds a problem of a setting if wrong is true.
func (p *problems) refuse(wrong bool, setting, rule string, args ...any) {
	if wrong {
		*p = append(*p, fmt.Errorf("%s "+rule, append([]any{setting}, args...)...))
	}
}

// within adds a problem if a number is out of bounds.
func (p *problems) within(value, most int, setting string) {
	p.refuse(value < 1 || value > most, setting, "must be 1 to %d, not %d", most, value)
}

// problems returns the problems of all settings.
func (c Config) problems() problems {
	var p problems
	p.refuse(
		c.Suffix != "" && !suffix.MatchString(c.Suffix), "Suffix",
		"must have at most 16 small letters, digits and hyphens, and no hyphen at its ends, not %q", c.Suffix,
	)
	c.Account.check(&p)
	c.Tokens.check(&p)
	c.API.check(&p)
	c.Files.check(&p)
	p.refuse(c.Files.RecoveryDays > 0 && c.Table.AdoptFiles != "", "Files.RecoveryDays",
		"applies to the stack's own bucket only: the versions and rules of Adopt.Files are yours to set")
	p.refuse(c.Alarms.Recipient != "" && !isEmail(c.Alarms.Recipient) && !isWebhook(c.Alarms.Recipient), "AlarmEmail",
		"must be an address like ops@example.com, an https address without user or fragment, or %q, not "+
			"%q", None, c.Alarms.Recipient)
	p.refuse(c.Alarms.Recipient != "" && !c.Alarms.Enabled, "AlarmEmail", "has no effect: %s has no alarms", c.Env)
	p.refuse(
		c.Alarms.Canary && !c.Tokens.OwnPool(), "Canary",
		"needs the stack's own user pool; with another Issuer, run make smoke on your own schedule",
	)
	p.refuse(
		c.Alarms.MonthlyBudget < 0, "MonthlyBudget", "must be at least 1 dollar or config.NoBudget, not %d",
		c.Alarms.MonthlyBudget,
	)
	c.Table.check(&p)
	c.checkFeed(&p)
	c.checkVariables(&p)
	p.within(c.Table.LogDays, maxActivityDays, "Logs.ActivityDays")
	p.within(c.Table.FeedDays, maxFeedDays, "FeedDays")
	p.refuse(!slices.Contains(logDays, c.Logs.Days), "Logs.Days", "must be one of %v, not %d", logDays, c.Logs.Days)
	p.refuse(
		!slices.Contains(logLevels, c.Logs.Level), "Logs.Level", "must be one of %q, not %q", logLevels, c.Logs.Level,
	)
	return p
}

func (a API) check(p *problems) {
	a.Domain.check(p)
	p.refuse(a.Rate < 1, "Rate", "must be at least 1, not %d", a.Rate)
	p.within(a.SendRate, maxSendRate, "SendRate")
	for _, user := range a.RoomMakers {
		p.refuse(user == "" || user == Everyone || strings.ContainsAny(user, ", "), "RoomCreators",
			"must be %q alone or users by the sub of their tokens, not %q", Everyone, user)
	}
	p.refuse(
		!slices.Contains(directories, a.Directory), "Directory", "must be one of %q, not %q", directories, a.Directory,
	)
	p.refuse(
		a.Profiles != Everyone && a.Profiles != Services, "Profiles", "must be %q or %q, not %q", Everyone, Services,
		a.Profiles,
	)
	p.refuse(!isClaim(a.NameClaim), "NameClaim", "must be the name of a claim, not %q", a.NameClaim)
	for _, origin := range a.Origins {
		p.refuse(
			!shared.IsOrigin(origin), "Origins",
			"must be %q alone or pages like https://chat.example.com, without path or wildcard, not %q", None, origin,
		)
	}
}

// httpsScheme begins the address of a webhook.
const httpsScheme = "https://"

// isWebhook reports whether SNS can post alarms to an address. SNS sends no fragment. A user and
// a password do not belong in settings, which are committed.
func isWebhook(s string) bool {
	u, err := url.Parse(s)
	return err == nil && strings.HasPrefix(s, httpsScheme) && u.User == nil && u.Fragment == "" &&
		shared.IsHostName(u.Hostname())
}

func isEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s
}
