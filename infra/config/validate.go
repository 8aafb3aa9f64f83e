package config

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/mail"
	"net/url"
	"path"
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
	// minConcurrency and maxConcurrency are Lambda's limits for the concurrency of a queue.
	minConcurrency = 2
	maxConcurrency = 1000
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
	p.refuse(
		a.HookConcurrency < minConcurrency || a.HookConcurrency > maxConcurrency, "HookConcurrency",
		"must be %d to %d, not %d", minConcurrency, maxConcurrency, a.HookConcurrency,
	)
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
	p.refuse(!slices.Contains(shared.Hooks, a.Hooks), "Hooks", "must be one of %q, not %q", shared.Hooks, a.Hooks)
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

const (
	// maxFileMB is the most that S3 accepts in one request, in MB.
	maxFileMB = 5_000
	// maxDayMB and maxDayFiles bound the price of a mistyped number.
	maxDayMB    = 1_000_000
	maxDayFiles = 100_000
	// maxFileRecoveryDays is as long as a table can be recovered. Later, no restore brings back the
	// messages of the files.
	maxFileRecoveryDays = maxRecoveryDays
)

// allTypes accepts files of all media types.
const allTypes = "*"

var (
	// mediaTypes matches a media type, all subtypes of a type, or allTypes.
	mediaTypes = regexp.MustCompile(`^(\*|[a-z0-9][a-z0-9!#$&^_.+-]*/(\*|[a-z0-9][a-z0-9!#$&^_.+-]*))$`)
	// bucketName matches the name of a bucket that can be a host name with TLS, which has no dots.
	bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$`)
)

// over returns f, with defaults for the fields that are left out.
func (f Files) over() Files {
	f.MB, f.DayMB, f.DayCount = cmp.Or(
		f.MB, shared.FileMB,
	), cmp.Or(f.DayMB, shared.FileDayMB), cmp.Or(f.DayCount, shared.FileDayCount)
	if f.Types == nil {
		f.Types = []string{allTypes}
	}
	return f
}

func (f Files) check(p *problems) {
	p.within(f.MB, maxFileMB, "Files.MB")
	p.within(f.DayMB, maxDayMB, "Files.DayMB")
	p.refuse(
		f.DayMB < f.MB, "Files.DayMB", "must be at least Files.MB, %d, not %d: nobody could send the largest file",
		f.MB, f.DayMB,
	)
	p.within(f.DayCount, maxDayFiles, "Files.DayCount")
	p.refuse(
		f.RecoveryDays < 0 || f.RecoveryDays > maxFileRecoveryDays, "Files.RecoveryDays", "must be 0 to %d, not %d",
		maxFileRecoveryDays, f.RecoveryDays,
	)
	p.refuse(len(f.Types) == 0, "Files.Types", "must not be empty: leave it out to accept all types")
	for _, t := range f.Types {
		p.refuse(!mediaTypes.MatchString(t), "Files.Types", "must be media types in small letters such as %q, %q for "+
			"all of a kind, or %q alone, not %q",
			"application/pdf", "image/*", allTypes, t)
	}
	p.refuse(
		len(f.Types) > 1 && strings.Contains(" "+strings.Join(f.Types, " ")+" ", " "+allTypes+" "), "Files.Types",
		"must not list other types next to %q", allTypes,
	)
}

// lambdaQuotas is AWS's page about the quotas of functions.
const lambdaQuotas = "https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"

// maxVariableTexts is the limit for the settings of any length among the variables of one function,
// in bytes of JSON. Lambda allows 4,096 bytes for all variables together, and the others have at
// most 1,000.
const maxVariableTexts = 3_000

// VariableTexts are the settings of any length among the variables of some functions.
type VariableTexts struct {
	// Functions are names of folders below functions/.
	Functions []string
	// Setting is the setting that is too long if the texts are, and With are the other settings.
	Setting, With string
	// Texts are the values of the settings.
	Texts []string
}

// Bytes returns the length of the texts as JSON.
func (v VariableTexts) Bytes() int {
	text, _ := json.Marshal(strings.Join(v.Texts, ",")) // a text can always be encoded
	return len(text) - len(`""`)
}

// VariableTexts returns the settings of any length that functions receive as variables.
func (c Config) VariableTexts() []VariableTexts {
	var table, tables, page, files []string
	if stream := c.Table.AdoptStream; stream != "" {
		table = []string{path.Base(TableOf(stream))}
	}
	tables = table
	if log := c.Table.AdoptLog; log != "" {
		tables = append([]string{path.Base(log)}, table...)
	}
	if bucket := c.Table.AdoptFiles; bucket != "" {
		files = []string{bucket}
	}
	if c.Page.Name != "" {
		page = []string{"https://" + c.Page.Name}
	}
	tokens := append([]string{c.Tokens.Issuer}, c.Tokens.Audience...)
	return []VariableTexts{
		{
			[]string{"write", "read", "search"}, "RoomCreators", "NameClaim, Files.Types and Adopt",
			slices.Concat(c.API.RoomMakers, []string{c.API.NameClaim}, c.Files.Types, tables, files),
		},
		{[]string{"socket"}, "Audience", "Issuer and Adopt", slices.Concat(tokens, table)},
		{[]string{"authorizer"}, "Origins", "Issuer, Audience and Page", slices.Concat(c.API.Origins, tokens, page)},
	}
}

// checkVariables adds the settings that do not fit into the variables of a function.
func (c Config) checkVariables(p *problems) {
	for _, v := range c.VariableTexts() {
		p.refuse(v.Bytes() > maxVariableTexts, v.Setting, "is too long: with %s it has %d bytes, and the variables "+
			"of a function have room for %d (%s)",
			v.With, v.Bytes(), maxVariableTexts, lambdaQuotas)
	}
}
