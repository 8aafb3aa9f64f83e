package config

import shared "example.com/parley/internal/config"

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
			// A batch is up to 6 MB of JSON, decoded as a whole.
			Feed: Function{MemoryMB: 512},
			// The canary waits most of the time.
			Canary: Function{MemoryMB: 128},
			// A hello with 30 rooms waits for the table most of the time.
			Socket: Function{MemoryMB: 512},
			// Each connection verifies one signature, and clients wait for a cold start.
			Authorizer: Function{MemoryMB: 256},
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
		Feed:         Function{MemoryMB: 256},
		Canary:       Function{MemoryMB: 128},
		Socket:       Function{MemoryMB: 256},
		Authorizer:   Function{MemoryMB: 256},
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
		Directory:  Everyone,
		Profiles:   Everyone,
		NameClaim:  shared.NameClaim,
		Origins:    []string{None},
		AlarmEmail: None,
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
