package config

// feedDays is what the feed function itself takes for its default: somebody who was on leave for a season
// still catches up.
const feedDays = 90

// environments are the deployments as a team starts with them. Change a value
// here, or give what Load lists on the command line.
func environments() map[Env]Config {
	return map[Env]Config{Dev: dev(), Prod: prod()}
}

// dev is cheap to make and leaves nothing behind.
func dev() Config {
	return Config{
		Env:          Dev,
		Architecture: ARM64,
		Table:        Table{RecoveryDays: 1, LogDays: 30, FeedDays: feedDays},
		Logs:         Logs{Days: 7, Level: "debug", Requests: true},
		// A mistake in a loop on someone's laptop stays cheap.
		API:   API{Rate: 100, Burst: 200, SendRate: 10},
		Write: Function{MemoryMB: 256},
		Read:  Function{MemoryMB: 512},
		Feed:  Function{MemoryMB: 256},
	}
}

// prod keeps its data whatever happens to the stack.
func prod() Config {
	return Config{
		Env:          Prod,
		Architecture: ARM64,
		Table:        Table{Retain: true, DeletionProtection: true, RecoveryDays: 35, LogDays: 30, FeedDays: feedDays},
		Logs:         Logs{Days: 90, Level: "info"},
		// What a new account's API Gateway allows in all; ask AWS for more
		// before raising it.
		API:    API{Rate: 10_000, Burst: 5_000, SendRate: 10},
		Alarms: Alarms{Enabled: true},
		Write:  Function{MemoryMB: 512},
		// A page of a room with many shards decodes all their answers at once.
		Read: Function{MemoryMB: 1024},
		// A batch is up to 6 MB of JSON, decoded at once.
		Feed: Function{MemoryMB: 512},
	}
}
