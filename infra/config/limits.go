package config

func howMuch() []Setting {
	return []Setting{
		{
			Name: "Rate",
			Summary: "The requests a second of all callers together. Above it, API Gateway answers 429. Bursts may " +
				"be as large as the rate, up to 1,250, or half the rate if that is more.",
			Price: "It caps the bill: an hour of 1,000 requests a second costs $3.60 for API Gateway, and up to $20 " +
				"more for Lambda, DynamoDB and data transfer.",
			Change: "When the alarms or the dashboard show 429s of real users. It may not exceed your account's " +
				"quota: 10,000 for all its APIs together in most Regions, 2,500 in thirteen. The synth checks that.",
			Example: `Rate: 5_000,`,
		}, {
			Name:    "RateQuota",
			Summary: "The quota of requests a second of all APIs of your account, if it is not the Region's default.",
			Price:   "Nothing.",
			Change: "After AWS has raised the quota (Service Quotas, API Gateway, throttle rate), and before `Rate` " +
				"goes above the default.",
			Example: `RateQuota: 20_000,`,
		}, {
			Name: "SendRate",
			Summary: "The messages a second that one user may send, over all processes. A burst may be three times " +
				"as large. All other limits scale with it, including the limits of services that act as themselves, " +
				"which are at least five times as high: see internal/ratelimit.",
			Price:   "It caps the cost of one user.",
			Change:  "When a bot or an import that you trust is refused.",
			Example: `SendRate: 50,`,
		},
	}
}

func howLarge() []Setting {
	return []Setting{
		{
			Name: "Files",
			Summary: "The limits of [files in messages](deploy.md#files). `MB` is the maximum size of a file: 100 if " +
				"it is left out, and at most 5,000. `DayMB` and `DayCount` bound what one " +
				"user uploads in a day (UTC): 1,024 MB and 500 files if they are left out. `Types` lists the " +
				"accepted media types, such as `image/*` and `application/pdf`; all are accepted if " +
				"it is left out. The type is what the sender states: what a browser could run is only ever " +
				"downloaded. `RecoveryDays` keeps deleted files for up to 35 days, so that an " +
				"operator can [bring them back](runbooks.md#bring-back-a-deleted-file); 0, the default, keeps none. " +
				"It does not apply to an adopted bucket.",
			Price: "It caps the cost of one user: a day of 1,024 MB costs 2.4 cents a month for as long as the files " +
				"exist, and 9.2 cents each time that all of them are read. With `RecoveryDays`, deleted files are " +
				"billed for as many days longer, at $0.023 a GB and month.",
			Change: "When a file that users need is refused, or strangers can sign up and should not store as much. " +
				"Existing files stay. `RecoveryDays`: before the first file, if deleted " +
				"files must not be lost. 0 ends it, and [removes what was kept](deploy.md#deleted-files) within two " +
				"days.",
			Example: `Files: config.Files{MB: 20, DayMB: 200, Types: []string{"image/*", "application/pdf"}},`,
		}, {
			Name: "WarmWrites",
			Summary: "The write units a second that the table, its index and the table of connections accept " +
				"immediately, 4,000 to 100,000. A new table accepts 4,000 and doubles every half hour under load; a " +
				"message consumes up to three units in the table and one in the index. The rate of new connections " +
				"scales with it, up to 500 a second: 48 without it, and 145 with 12,000 " +
				"([connections](quotas.md#connections)). Above 40,000, AWS must first raise the quota of one table " +
				"(Service Quotas, DynamoDB, table-level write throughput); otherwise the deploy fails.",
			Price: "Paid once for each unit added: in the table, in the index, and in the table of connections " +
				"(DynamoDB's pricing page: warm throughput). It cannot be lowered: a deploy with a smaller value " +
				"than the current one fails.",
			Change: "A day before a launch or an import that begins with more than 1,000 messages a second, or when " +
				"tens of thousands of people must reconnect soon after an interruption.",
			Example: `WarmWrites: 12_000,`,
		}, {
			Name: "FeedReserved",
			Summary: "The concurrent executions reserved for the feed function, so that requests cannot use up the " +
				"account's executions and delay the feeds. The feed function never uses more than this. " +
				"`config.Unreserved` reserves none. Lambda runs one for each shard of the table's stream, so the " +
				"synth refuses fewer than 4, and fewer than `WarmWrites` / 1,000. [Storage adds " +
				"shards](quotas.md#concurrent-executions): at least one for each 10 GB.",
			Stated: "10 in an account with a concurrency of 110 or more, or `config.Unreserved`",
			Price:  "Nothing, but the account's other functions have fewer executions.",
			Change: "When `FeedAge` is raised while the account's concurrency is used up. 10 suffices for a table of " +
				"up to 50 GB without `WarmWrites`. Raise it when `FeedThrottles` is " +
				"raised while the account has executions left. Lambda requires 100 unreserved executions: unless the " +
				"account has 100 more than this, the deploy fails.",
			Example: `FeedReserved: 10,`,
		}, {
			Name: "HookConcurrency",
			Summary: "The most executions of the deliver function, which sends changes to the addresses of " +
				"[hooks](#hooks), from 2 to 1,000. A receiver that hangs holds an execution for 5 seconds, and then " +
				"its hook pauses for two minutes or longer. With 2, two receivers that hang at the same time delay " +
				"all other hooks by 5 seconds. With 10 it takes ten of them, and with 64 it takes 64.",
			Price: "Nothing.",
			Change: "When `DeliverAge` is raised while receivers answer. Stay well below the account's concurrency: " +
				"a new account has ten executions for all functions.",
			Example: `HookConcurrency: 64,`,
		},
	}
}

func howLong() []Setting {
	return []Setting{
		{
			Name: "FeedDays",
			Summary: "The days that feeds keep their segments. A client that was away for longer starts over with a " +
				"page of messages. Messages themselves are kept forever. 1 to 3,650.",
			Price: "$0.25 a GB and month; a change has 25 bytes in a busy room and about 300 in a quiet one. " +
				"Removal is free.",
			Change:  "Rarely. Shorten it if no client is ever away for a month.",
			Example: `FeedDays: 30,`,
		}, {
			Name: "Logs",
			Summary: "What is logged, and for how long. `Days` is how long CloudWatch keeps the logs of the " +
				"functions and of the API: one of 1, " +
				"3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288 or " +
				"3653. No log holds a message or a token. `Level` is the lowest level of the functions' logs: " +
				"`debug`, `info`, `warn` or `error`. With `info`, a request is logged if it fails or takes half a " +
				"second; the access logs have a line for every request. With `debug`, every request is logged, and " +
				"Lambda adds its start and report lines to each call. `ActivityDays` is how long the activity log " +
				"keeps device events and room audits, 1 to 3,650; existing entries keep their expiry. `Gateway` is " +
				"whose role writes the log of live delivery. An account has one such role in each Region, for all " +
				"its APIs. With `own`, the stack creates a role and sets it in place of the previous one. With " +
				"`account` it uses the account's existing role, and changes nothing; without a role, the deploy then " +
				"fails with *CloudWatch Logs role ARN must be set*.",
			Price: "$0.50 for each GB written, and $0.03 a GB and month; with `debug`, Lambda's lines cost as much " +
				"as the rest of the log together. The activity log: $0.25 a GB and month, " +
				"and an entry has about 150 bytes. Removal is free.",
			Change: "When you investigate incidents later, must delete logs earlier, or a law or a contract names a " +
				"period. `Level` to `debug` during an investigation. `Gateway` to `account` " +
				"if the account already has such a role (`aws apigateway get-account` shows `cloudwatchRoleArn`), " +
				"and in every further deployment in the same account and Region.",
			Example: `Logs: config.Logs{Days: 30, Gateway: "account"},`,
		},
	}
}
