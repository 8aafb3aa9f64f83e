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
		Hooks: s.Hooks, HookConcurrency: s.HookConcurrency,
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

// Fixed returns the part of a configuration that the environment fixes. None of it is a setting:
// dev is cheap and leaves nothing behind, prod keeps its data, and the sizes are measured.
func Fixed(env Env) Config {
	if env == Prod {
		return Config{
			Env:          Prod,
			Architecture: ARM64,
			// Recovery is billed by the size of the table, for any number of days.
			Table:  Table{Retain: true, DeletionProtection: true, RecoveryDays: maxRecoveryDays},
			Alarms: Alarms{Enabled: true},
			Write:  Function{MemoryMB: 512},
			// A page of a room with many shards decodes all their responses together.
			Read: Function{MemoryMB: 1024},
			// A search decompresses some megabytes and compares all of them, while a person types.
			Search: Function{MemoryMB: 1024},
			// A message is decoded in a millisecond, and programs do not mind a cold start.
			Incoming: Function{MemoryMB: 256},
			// A batch is up to 6 MB of JSON, decoded as a whole.
			Feed: Function{MemoryMB: 512},
			// The canary waits most of the time.
			Canary: Function{MemoryMB: 128},
			// A hello with 30 rooms waits for the table most of the time.
			Socket: Function{MemoryMB: 512},
			// Each connection verifies one signature, and clients wait for a cold start.
			Authorizer: Function{MemoryMB: 256},
			// Its batches are as large as the feed function's, and it keeps less of them.
			Outbox: Function{MemoryMB: 256},
			// It waits for receivers most of the time, and has the changes of up to ten hooks.
			Deliver: Function{MemoryMB: 256},
			// It writes a dozen small files, once in a deploy.
			PageWriter: Function{MemoryMB: 128},
		}
	}
	return Config{
		Env:          Dev,
		Architecture: ARM64,
		Table:        Table{RecoveryDays: 1},
		Pool:         Pool{Passwords: true},
		Write:        Function{MemoryMB: 256},
		Read:         Function{MemoryMB: 512},
		Search:       Function{MemoryMB: 512},
		Incoming:     Function{MemoryMB: 256},
		Feed:         Function{MemoryMB: 256},
		Canary:       Function{MemoryMB: 128},
		Socket:       Function{MemoryMB: 256},
		Authorizer:   Function{MemoryMB: 256},
		Outbox:       Function{MemoryMB: 128},
		Deliver:      Function{MemoryMB: 128},
		PageWriter:   Function{MemoryMB: 128},
	}
}

// Defaults returns the settings that apply where a team states none.
func Defaults(env Env) Settings {
	s := Settings{
		Issuer:       Own,
		UserClaim:    shared.UserClaim,
		SignUp:       Admin,
		RoomCreators: []string{Everyone},
		// A team finds its people without further settings.
		Directory: Everyone,
		Profiles:  Everyone,
		Hooks:     Off,
		// A new account has ten executions.
		HookConcurrency: 10,
		NameClaim:       shared.NameClaim,
		Origins:         []string{None},
		AlarmEmail:      None,
		// Enough for a small team, and low enough to reveal a runaway loop on its first day.
		MonthlyBudget: 100,
		// A runaway loop on a laptop stays cheap.
		Rate:     100,
		SendRate: 10,
		// A client that was away for a season still catches up.
		FeedDays: 90,
		Logs:     Logs{Days: 7, Level: "debug", ActivityDays: 30, Gateway: Own},
	}
	if env == Prod {
		// Every Region allows this much, with room for other APIs of the account.
		s.Rate = 2_000
		// Users of an app in a store are strangers to one another.
		s.Directory = Services
		s.Logs.Days, s.Logs.Level = 90, "info"
	}
	return s
}
