package config

func whoTheyAre() []Setting {
	return []Setting{
		{
			Name: "Issuer",
			Summary: "The identity provider whose tokens are accepted. `own` creates a Cognito user pool in the stack. Any other value is the address of your identity " +
				"provider, exactly as in the tokens' `iss`; its keys must be RSA.",
			Stated: `"own" for the stack's own user pool, or the https address of your identity provider`,
			Price:  "Own: nothing for the first 10,000 users active in a month, then $0.0055 each. Another issuer: nothing.",
			Change: "When your users already have accounts elsewhere. A change signs everybody out, and users of the former pool are other users. " +
				"The [stack policy](deploy.md#stack-policy) refuses to remove the pool until it is lifted.",
			Example: `Issuer: "https://login.example.com/",`,
		}, {
			Name: "Audience",
			Summary: "The accepted `aud` of tokens of your own `Issuer`, or `client_id` in tokens without `aud`. State the audience of an " +
				"API at your provider. With the id of the app that signs people in, its ID tokens would be accepted too. At most 50, with 3,000 bytes together with `Issuer`.",
			Price:   "Nothing.",
			Change:  "Together with `Issuer`. [Signing in](sign-in.md) says what to state for Auth0, Entra ID and Keycloak.",
			Example: `Audience: []string{"https://chat.example.com"},`,
		}, {
			Name:    "SignUp",
			OwnPool: true,
			Summary: "How users are created in the stack's own user pool. With `admin`, only an administrator creates them. With `self`, everybody on the internet can sign up " +
				"with an e-mail address, which Cognito confirms by a code. With either, users with a confirmed address recover a lost password themselves.",
			Stated: `"admin", or "self" for everybody with an e-mail address`,
			Price: "The mails are free. Cognito itself sends at most 50 a day; more need Amazon SES ($0.10 for 1,000), which is set in the Cognito console. " +
				"Users above the free 10,000 a month cost as under `Issuer`.",
			Change:  "To `self` for a public service; then review `RoomCreators` too.",
			Example: `SignUp: "self",`,
		}, {
			Name:    "SignInPages",
			OwnPool: true,
			Summary: "Cognito's own pages for signing in, signing up and recovering a password, at `https://<Prefix>.auth.<Region>.amazoncognito.com`. " +
				"`Callbacks` are the pages to which a signed-in user is sent, with a code that the app exchanges for tokens (OAuth authorization code with PKCE); `Logouts` are those to which " +
				"a signed-out user may be sent. Each is an https page, an app's own scheme, or http on `localhost`. The prefix must be free in the Region. " +
				"`ServiceClient: true` also creates a client with a secret, with which a server of yours fetches a token at the same address and [acts for users](sign-in.md#services).",
			Price: "Nothing. `ServiceClient`: $6 a month, and $2.25 for 1,000 tokens; a token is valid for an hour.",
			Change: "When your app has no sign-in pages of its own, or when a server of yours acts for users. Without them an app signs in by SRP with an AWS library. To change the prefix later, remove " +
				"the setting, deploy, and state the new one.",
			Example: `SignInPages: config.SignInPages{Prefix: "acme-chat", Callbacks: []string{"https://chat.example.com/signed-in"}, Logouts: []string{"https://chat.example.com/"}},`,
		},
	}
}

func whatTheyMay() []Setting {
	return []Setting{
		{
			Name:    "RoomCreators",
			Summary: "The users who may create rooms: `everyone` who is signed in, or the users whose `sub` is listed: some 80 ids of Cognito, or 3,000 bytes.",
			Stated:  `[]string{"everyone"}, or users by the sub of their tokens`,
			Price:   "Nothing.",
			Change:  "When strangers can sign up and only a few users should create rooms.",
			Example: `RoomCreators: []string{"5f1c8a52-30d1-7093-c2d3-ad2e5e0f3b11"},`,
		}, {
			Name: "Directory",
			Summary: "Who may list people and search for them by name: `everyone` who is signed in, `services` (tokens with the scope for them), or `off` for nobody. " +
				"With `services` and `off`, titles, states and days of hiring are shown to nobody else and cannot be searched for. People whose ids are known " +
				"are always shown with their names, avatars and statuses.",
			Price: "Nothing.",
			Change: "To `everyone` where all users belong to one team, which looks its people up. To `services` or `off` where users are strangers to " +
				"one another.",
			Example: `Directory: "everyone",`,
		}, {
			Name: "NameClaim",
			Summary: "The claim of an access token with the name of a user who has not saved a profile. They see it as their own name. " +
				"A token without the claim, or with a value that cannot be a name, gives the user's id.",
			Price:   "Nothing.",
			Change:  "With an `Issuer` of your own whose tokens have another claim, such as `name` or `preferred_username`.",
			Example: `NameClaim: "preferred_username",`,
		}, {
			Name: "Origins",
			Summary: "The web pages whose scripts may call the API from a browser (CORS). `none` lets no page call. Phones, servers and " +
				"`curl` are not affected. At most 3,000 bytes, together with `Issuer` and `Audience`.",
			Stated:  `[]string{"none"}, or pages like "https://chat.example.com"`,
			Price:   "Nothing. A browser's preflight requests are billed as requests, at most one an hour for each method and page.",
			Change:  "When a web page of yours uses the API. Plain http is accepted for `localhost` only.",
			Example: `Origins: []string{"https://chat.example.com"},`,
		}, {
			Name: "Domain",
			Summary: "A custom domain for the API, beside the address that AWS assigns. `Certificate` is the ARN of a certificate for it in AWS Certificate " +
				"Manager, in the Region of the stack. The output `DomainTarget` is the target of the name in your DNS. " +
				"`Socket` is another name, for live delivery, which the same certificate must cover: API Gateway does not serve both APIs under one name. Its target is `SocketDomainTarget`. " +
				"`Only: true` switches off the address of the API that AWS assigns ([behind a firewall](domain.md#behind-a-firewall)).",
			Price: "Nothing, and nothing for the certificate. A hosted zone in Route 53 is $0.50 a month, if your DNS is not elsewhere.",
			Change: "Before the first app is installed on a phone: AWS's address changes when the stack is torn down and created again. " +
				"[A custom domain](domain.md) has the steps.",
			Example: `Domain: config.Domain{Name: "chat.example.com", Socket: "live.example.com", Certificate: "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012"},`,
		}, {
			Name: "Page",
			Summary: "The [web app](web.md), served with this API. `Host: \"cloudfront\"` puts it in a private bucket behind CloudFront; its address is the output `PageUrl`, and it may " +
				"call the API without being among the `Origins`. People sign in on pages: those of the stack's own pool (`SignInPages.Prefix`, which needs no `Callbacks` then), or those of " +
				"your `Issuer`, whose endpoints and public client `SignIn` names. `Name` is a host name of yours for it, and `Certificate` the ARN of its certificate, which must be in us-east-1. " +
				"`AvatarHosts` are the hosts whose pictures it shows as avatars, such as `pictures.example.com`; all others are shown as initials, which is the default, " +
				"because a picture tells its host who reads when. [The page](deploy.md#the-page) has the steps.",
			Price: "At rest the storage of some 200 KB, under a cent a month. 1,000 visits cost two cents at most, or six beyond CloudFront's free tier (10 million requests and 1 TB a month).",
			Change: "When people should use the web app from this deployment. It is off by default: not every API has a page, a page needs a way to sign in, and a deployment gets no public address " +
				"that nobody asked for.",
			Example: `Page: config.Page{Host: "cloudfront"},`,
		},
	}
}

func whoIsTold() []Setting {
	return []Setting{
		{
			Name: "AlarmEmail",
			Summary: "The address for alarms. With `none` they are only in CloudWatch. The address receives a mail to confirm, and no alarms " +
				"before it is confirmed. Alarms exist in `prod` only.",
			Stated:  `"none", or an address like "ops@example.com"`,
			Price:   "Nothing for the first 1,000 mails a month.",
			Change:  "Before the first real user. Use an address that several people read.",
			Example: `AlarmEmail: "ops@example.com",`,
		}, {
			Name: "MonthlyBudget",
			Summary: "The budget of the whole AWS account in a month, in dollars. `AlarmEmail` gets a mail at 80 %, at 100 %, and when the forecast " +
				"is above it. Nothing is stopped. Without an `AlarmEmail`, or with `config.NoBudget`, there is no budget. CloudFormation cannot create one in " +
				"[some Regions](deploy.md#regions); the synth says so.",
			Price:   "Nothing.",
			Change:  "When you know what a month costs: half as much again is a good budget. An account with other workloads needs more from the start.",
			Example: `MonthlyBudget: 300,`,
		}, {
			Name: "Canary",
			Summary: "With `true`, a function posts a message through the API every five minutes, as a user of its own, and waits for its change. In `prod` an " +
				"alarm is raised when it fails. It needs an `Issuer` of `own`, and a user that you create once: [alarms](alarms.md#the-canary).",
			Price:   "About $0.35 a month: $0.10 for the alarm, the rest for some 60,000 requests a month and their calls.",
			Change:  "When the team should learn of an outage before users report it.",
			Example: `Canary: true,`,
		},
	}
}

func whatExists() []Setting {
	return []Setting{{
		Name: "Adopt",
		Summary: "Existing tables that the stack uses instead of creating its own: restored from a backup, or left by a stack that was destroyed. " +
			"`Table` is the ARN of the table's stream, `LogTable` the ARN of the activity log's table; either may be left out. Functions, rights, " +
			"the stream's mapping and alarms all use them. The stack does not manage an adopted table: recovery, expiry and protection are " +
			"switched on by `scripts/adopt`, which also prints the lines for this file.",
		Price: "Nothing beyond the table's own cost.",
		Change: "After a restore, or to adopt the tables that `make destroy ENV=prod` left. Keep the lines for as long as the table is used: a deploy without " +
			"them creates a new, empty table. In `prod` the former table of the stack stays beside it; in `dev` it is deleted.",
		Example: `Adopt: config.Adopt{Table: "arn:aws:dynamodb:eu-west-1:123456789012:table/parley-restored/stream/2026-01-31T12:00:00.000"},`,
	}, {
		Name: "GatewayLogs",
		Summary: "The role with which API Gateway writes the log of live delivery. It is one setting of the account in each Region, for all its APIs. With `own` the stack creates a role " +
			"and sets it, in place of the one before. With `account` it uses the role that the account has, and touches nothing.",
		Price: "Nothing.",
		Change: "To `account` if the account has such a role (`aws apigateway get-account` shows `cloudwatchRoleArn`), and in every further deployment in the same account and Region. " +
			"Without a role, the deploy fails with *CloudWatch Logs role ARN must be set*.",
		Example: `GatewayLogs: "account",`,
	}, {
		Name: "Suffix",
		Summary: "The end of the stack's name, for another deployment of an environment in the same account and Region: with `ada`, `Parley-dev` is `Parley-dev-ada`. All names that the " +
			"stack gives begin with its name. `-ada` is also added to `SignInPages.Prefix`. At most 16 small letters, digits and hyphens.",
		Price: "That of another deployment. The free tiers are of the account.",
		Change: "Before the first deploy. Another suffix is another deployment, with a table and users of its own; the one before stays as it is. " +
			"[A second deployment](deploy.md#a-second-deployment) has the steps.",
		Example: `Suffix: "ada",`,
	}}
}

func howMuch() []Setting {
	return []Setting{
		{
			Name: "Rate",
			Summary: "The requests a second of all callers together. Above it, API Gateway answers 429. As many may arrive at once, " +
				"up to 1,250, or half the rate if that is more.",
			Price: "It caps the bill: each 1,000 requests a second that last for an hour cost $3.60 at API Gateway, and up to $20 more in Lambda, DynamoDB and data transfer.",
			Change: "When the alarms or the dashboard show 429s of real users. It may not exceed the quota of your account: 10,000 for all its APIs " +
				"together in most Regions, 2,500 in thirteen. The synth checks that.",
			Example: `Rate: 5_000,`,
		}, {
			Name:    "RateQuota",
			Summary: "The quota of requests a second of all APIs of your account, if it is not the Region's default.",
			Price:   "Nothing.",
			Change:  "After AWS has raised the quota (Service Quotas, API Gateway, throttle rate), and before `Rate` goes above the default.",
			Example: `RateQuota: 20_000,`,
		}, {
			Name: "SendRate",
			Summary: "The messages a second that one user may send, over all processes. Three times as many may arrive at once. " +
				"The other limits of a person go with it: see internal/ratelimit/limit.go.",
			Price:   "It caps the cost of one user.",
			Change:  "When a bot that you trust is refused.",
			Example: `SendRate: 50,`,
		}, {
			Name: "WarmWrites",
			Summary: "The write units a second that the table, its index and the table of connections accept from the first moment, 4,000 to 100,000. A new table accepts 4,000 and " +
				"doubles every half hour under load; a message is up to three units in the table and one in the index. The new connections a second follow it, up to 500: " +
				"48 without it, and 145 with 12,000 ([connections](quotas.md#connections)). Above 40,000, AWS must have raised the quota of one table first " +
				"(Service Quotas, DynamoDB, table-level write throughput); otherwise the deploy fails.",
			Price: "Paid once when it is raised, for each unit above the current value: in the table, again in the index, and again in the table of connections (DynamoDB's " +
				"pricing page: warm throughput). It cannot be lowered: a deploy with a number below the current value fails.",
			Change:  "A day before a launch or an import that begins with more than 1,000 messages a second, or when tens of thousands of people must be back soon after an interruption.",
			Example: `WarmWrites: 12_000,`,
		}, {
			Name: "FeedReserved",
			Summary: "The concurrent executions reserved for the feed function, so that requests cannot use all of the account's and delay the feeds. It " +
				"is also the most that the feed function uses. `config.Unreserved` reserves none. Lambda runs one for each shard of the table's stream, so the synth refuses " +
				"fewer than 4, or than `WarmWrites` / 1,000. [Storage adds shards](quotas.md#functions-at-once): at least one for each 10 GB.",
			Stated: "10 in an account with a concurrency of 110 or more, or `config.Unreserved`",
			Price:  "Nothing, but the other functions of the account have fewer.",
			Change: "When `FeedAge` is raised while the account's concurrency is used up. 10 suffices for a table of up to 50 GB without `WarmWrites`. Raise it when `FeedThrottles` is raised " +
				"while the account has executions left. Lambda requires 100 unreserved executions, so the account needs 100 more than this; with less the deploy fails.",
			Example: `FeedReserved: 10,`,
		},
	}
}

func howLong() []Setting {
	return []Setting{
		{
			Name:    "ActivityDays",
			Summary: "The days that the activity log keeps events of devices and audits of rooms. 1 to 3,650.",
			Price:   "$0.25 a GB and month; an entry has some 150 bytes. Removal is free.",
			Change:  "When a law or a contract names a period. Existing entries keep their expiry.",
			Example: `ActivityDays: 365,`,
		}, {
			Name: "FeedDays",
			Summary: "The days that feeds keep their segments. A client that was away for longer starts over with a page of " +
				"messages; the messages themselves are kept forever. 1 to 3,650.",
			Price:   "$0.25 a GB and month; a change has 25 bytes in a busy room and some 300 in a quiet one. Removal is free.",
			Change:  "Rarely. Shorten it if no client is ever away for a month.",
			Example: `FeedDays: 30,`,
		}, {
			Name:    "LogDays",
			Summary: "The days that CloudWatch keeps the logs of the functions and of the API. No log holds a message or a token. One of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288 or 3653.",
			Price:   "$0.03 a GB and month. Writing costs $0.50 a GB, independent of the days.",
			Change:  "When incidents are investigated later, or when logs must be deleted earlier.",
			Example: `LogDays: 30,`,
		}, {
			Name: "LogLevel",
			Summary: "The lowest level of the functions' logs: `debug`, `info`, `warn` or `error`. With `info`, a request has a line if it fails or takes half a " +
				"second; the access logs have a line for every request. With `debug`, each request has a line, and Lambda adds its start and report lines to each call.",
			Price:   "$0.50 for each GB written. With `debug`, Lambda's lines cost as much as the rest of the log together.",
			Change:  "To `debug` during an investigation.",
			Example: `LogLevel: "warn",`,
		},
	}
}
