package config

import (
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strings"
)

// The bounds that AWS sets.
const (
	minMemoryMB     = 128
	maxMemoryMB     = 10_240
	maxRecoveryDays = 35
	// maxSendRate is what the functions take.
	maxSendRate = 1000
	// maxLogDays and maxFeedDays are what the functions take.
	maxLogDays  = 3650
	maxFeedDays = 3650
	// maxAudiences is how many an HTTP API's JWT authorizer takes.
	maxAudiences = 50
)

// logDays are the periods that CloudWatch Logs keeps a group for.
var logDays = []int{1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653}

var logLevels = []string{"debug", "info", "warn", "error"}

// Validate names every field that is wrong.
func (c Config) Validate() error {
	var errs []error
	refuse := func(wrong bool, field, rule string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf("%s "+rule, append([]any{field}, args...)...))
		}
	}
	refuse(c.Env != Dev && c.Env != Prod, "Env", "must be %s or %s, not %q", Dev, Prod, c.Env)
	refuse(c.Architecture != ARM64 && c.Architecture != X8664, "Architecture", "must be %s or %s, not %q", ARM64, X8664, c.Architecture)
	refuse(c.Table.RecoveryDays < 1 || c.Table.RecoveryDays > maxRecoveryDays, "Table.RecoveryDays", "must be 1 to %d, not %d", maxRecoveryDays, c.Table.RecoveryDays)
	refuse(c.Table.LogDays < 1 || c.Table.LogDays > maxLogDays, "Table.LogDays", "must be 1 to %d, not %d", maxLogDays, c.Table.LogDays)
	refuse(c.Table.FeedDays < 1 || c.Table.FeedDays > maxFeedDays, "Table.FeedDays", "must be 1 to %d, not %d", maxFeedDays, c.Table.FeedDays)
	refuse(c.Table.Retain != c.Table.DeletionProtection, "Table.DeletionProtection", "goes with Table.Retain: one without the other protects half")
	refuse(c.Env == Prod && !c.Table.Retain, "Table.Retain", "must be set in prod")
	refuse(!slices.Contains(logDays, c.Logs.Days), "Logs.Days", "must be one of %v, not %d", logDays, c.Logs.Days)
	refuse(!slices.Contains(logLevels, c.Logs.Level), "Logs.Level", "must be one of %v, not %q", logLevels, c.Logs.Level)
	refuse(c.API.Rate < 1, "API.Rate", "must be at least 1, not %d", c.API.Rate)
	refuse(c.API.Burst < 1, "API.Burst", "must be at least 1, not %d", c.API.Burst)
	refuse(c.API.SendRate < 1 || c.API.SendRate > maxSendRate, "API.SendRate", "must be 1 to %d, not %d", maxSendRate, c.API.SendRate)
	for _, user := range c.API.RoomMakers {
		refuse(user == "" || strings.ContainsAny(user, ", "), "API.RoomMakers", "must be user ids, not %q", user)
	}
	refuse(c.Alarms.Email != "" && !isEmail(c.Alarms.Email), "Alarms.Email", "must be an address like ops@example.com, not %q", c.Alarms.Email)
	refuse(c.Alarms.Email != "" && !c.Alarms.Enabled, "Alarms.Email", "needs Alarms.Enabled: there is nothing to tell")
	for _, origin := range c.API.Origins {
		refuse(!isOrigin(origin), "API.Origins", "must be like https://chat.example.com, without path or wildcard, not %q", origin)
	}
	errs = append(errs, c.Tokens.validate(), c.Write.validate("Write"), c.Read.validate("Read"), c.Feed.validate("Feed"))
	return errors.Join(errs...)
}

func (t Tokens) validate() error {
	switch {
	case t.OwnPool():
		return nil
	case t.Issuer == "":
		return errors.New("Tokens.Issuer must be given with Tokens.Audience, or neither")
	case len(t.Audience) == 0:
		return errors.New("Tokens.Audience must be given with Tokens.Issuer, or neither")
	case len(t.Audience) > maxAudiences:
		return fmt.Errorf("Tokens.Audience may have %d entries, not %d", maxAudiences, len(t.Audience))
	case slices.Contains(t.Audience, ""):
		return errors.New("Tokens.Audience must not have an empty entry")
	}
	u, err := url.Parse(t.Issuer)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return fmt.Errorf("Tokens.Issuer must be an https address, exactly as in the tokens, not %q", t.Issuer)
	}
	return nil
}

func (f Function) validate(name string) error {
	if f.MemoryMB < minMemoryMB || f.MemoryMB > maxMemoryMB {
		return fmt.Errorf("%s.MemoryMB must be %d to %d, not %d", name, minMemoryMB, maxMemoryMB, f.MemoryMB)
	}
	if f.Reserved < 0 {
		return fmt.Errorf("%s.Reserved must not be negative, but is %d", name, f.Reserved)
	}
	return nil
}

// isOrigin takes what a browser sends as Origin. Plain http is for a page on
// the developer's own machine.
func isOrigin(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme+"://"+u.Host != s || u.Hostname() == "*" {
		return false
	}
	local := u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1"
	return u.Scheme == "https" || u.Scheme == "http" && local
}

func isEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s
}
