package config

import "slices"

// sustainedBurst is the largest burst that every Region takes without asking AWS.
const sustainedBurst = 1_250

// resolve returns the deployment that the settings describe in an environment. The settings
// are whole: each field that was left out has its default already.
func resolve(env Env, s Settings) Config {
	c := Fixed(env)
	c.Table.AdoptStream, c.Table.AdoptLog = s.Adopt.Table, s.Adopt.LogTable
	c.Table.WarmWrites, c.Feed.Reserved = s.WarmWrites, s.FeedReserved
	c.Table.LogDays = s.ActivityDays
	c.Table.FeedDays = s.FeedDays
	c.Logs = Logs{Days: s.LogDays, Level: s.LogLevel, Requests: s.LogLevel == "debug"}
	c.API = API{
		Rate: s.Rate, Burst: burst(s.Rate), RateQuota: s.RateQuota, SendRate: s.SendRate,
		RoomMakers: without(s.RoomCreators, Everyone),
		Origins:    without(s.Origins, None),
		Domain:     s.Domain,
	}
	c.Tokens = Tokens{Audience: s.Audience}
	if s.Issuer != Own {
		c.Tokens.Issuer = s.Issuer
	}
	c.Pool.SelfSignUp, c.Pool.Pages = s.SignUp == Self, s.SignInPages
	if s.AlarmEmail != None {
		c.Alarms.Email = s.AlarmEmail
	}
	c.Alarms.MonthlyBudget, c.Alarms.Canary = s.MonthlyBudget, s.Canary
	return c
}

// burst returns how many requests may come at once under a rate: as many as a second allows,
// and for a high rate half of it, which is the share that AWS gives to an account.
func burst(rate int) int { return max(min(rate, sustainedBurst), rate/2) }

// without returns a list, or nothing where it holds the one word that stands for nothing. The
// word beside others stays, so that Validate refuses it.
func without(list []string, word string) []string {
	if slices.Equal(list, []string{word}) {
		return nil
	}
	return list
}
