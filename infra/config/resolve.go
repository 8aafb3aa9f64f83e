package config

import (
	"slices"

	shared "example.com/parley/internal/config"
)

// sustainedBurst is the largest burst that AWS allows in every Region by default.
const sustainedBurst = 1_250

// resolve returns the deployment that the settings describe in an environment. The defaults of the
// settings must be filled in already.
func resolve(env Env, s Settings) Config {
	c := Fixed(env)
	c.Suffix, c.Account = s.Suffix, s.Account
	c.Table.AdoptStream, c.Table.AdoptLog, c.Table.AdoptFiles = s.Adopt.Table, s.Adopt.LogTable, s.Adopt.Files
	c.Table.WarmWrites, c.Feed.Reserved = s.WarmWrites, max(0, s.FeedReserved)
	c.Table.LogDays = s.Logs.ActivityDays
	c.Table.FeedDays = s.FeedDays
	c.Logs = LogConfig{
		Days: s.Logs.Days, Level: s.Logs.Level, OwnGatewayRole: s.Logs.Gateway == Own,
		Requests: s.Logs.Level == "debug",
	}
	c.API = API{
		Rate: s.Rate, Burst: burst(s.Rate), RateQuota: s.RateQuota, SendRate: s.SendRate,
		RoomMakers: without(s.RoomCreators, Everyone),
		Directory:  s.Directory, Profiles: s.Profiles, NameClaim: s.NameClaim,
		Origins: without(s.Origins, None),
		Domain:  s.Domain,
	}
	c.Files = s.Files.over()
	c.API.PostRate = c.postRate("")
	c.Tokens = Tokens{Audience: s.Audience, Keys: s.Keys, UserClaim: s.UserClaim}
	if s.Issuer != Own {
		c.Tokens.Issuer = s.Issuer
	}
	if c.Tokens.OwnKeys() && len(s.Audience) == 0 {
		c.Tokens.Audience = []string{shared.OwnAudience}
	}
	c.Pool.SelfSignUp, c.Pool.Pages = s.SignUp == Self, s.SignInPages
	c.Pool.Pages.Prefix = s.prefix()
	if s.Page.Served() {
		c.Page = s.Page
		c.Page.SignIn = pageSignIn(s)
	}
	if s.AlarmEmail != None {
		c.Alarms.Recipient = s.AlarmEmail
	}
	if s.MonthlyBudget != NoBudget {
		c.Alarms.MonthlyBudget = s.MonthlyBudget
	}
	c.Alarms.Canary = s.Canary
	return c
}

// burst returns the number of requests that may arrive concurrently under a rate. It is the rate
// of one second, or half of it for a high rate, which is the share that AWS gives an account.
func burst(rate int) int { return max(min(rate, sustainedBurst), rate/2) }

// without returns the list, or nil if it contains only word, which means an empty list. Validation
// refuses the word together with others.
func without(list []string, word string) []string {
	if slices.Equal(list, []string{word}) {
		return nil
	}
	return list
}
