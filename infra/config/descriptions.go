package config

func whoTheyAre() []Setting {
	return []Setting{
		{
			Name: "Issuer",
			Summary: "The identity provider whose tokens are accepted. `own` creates a Cognito user pool in the " +
				"stack. With `keys`, your app's own server [signs the tokens](sign-in.md#your-apps-own-sign-in). " +
				"Any other value is the address of your identity provider, exactly as in the tokens' `iss`. The " +
				"provider must sign with RSA keys.",
			Stated: `"own" for the stack's own user pool, "keys" for an app that signs tokens itself, or the https address of your identity provider`,
			Price: "Own: nothing for the first 10,000 users active in a month, then $0.0055 each. Keys, or another " +
				"issuer: nothing.",
			Change: "When your users already have accounts elsewhere. A change signs everybody out, and Parley " +
				"treats accounts of the new provider as new users. The [stack policy](deploy.md#stack-policy) " +
				"refuses to remove the pool until it is lifted.",
			Example: `Issuer: "https://login.example.com/",`,
		}, {
			Name: "Audience",
			Summary: "The accepted `aud` of tokens from your own `Issuer`, or `client_id` in tokens without `aud`. " +
				"State the audience of an API at your provider, not the id of the app " +
				"that signs people in: with that id, ID tokens would be accepted too. With `Issuer: \"keys\"` it is " +
				"`parley` unless stated. At most 50 values; together with `Issuer`, 3,000 bytes.",
			Price: "Nothing.",
			Change: "Together with `Issuer`. [Signing in](sign-in.md) shows the values for Auth0, Entra ID and " +
				"Keycloak.",
			Example: `Audience: []string{"https://chat.example.com"},`,
		},
	}
}

func whatTokensSay() []Setting {
	return []Setting{
		{
			Name: "Keys",
			Summary: "The public keys of tokens that your app's own server signs, with `Issuer: \"keys\"`: RSA keys " +
				"of at least 2,048 bits. `chat keys new` writes a pair and prints the setting. " +
				"`ID` is the `kid` in the header of tokens, and by default the key's thumbprint. The stack publishes " +
				"the keys, and its output `Issuer` is the `iss` of tokens. " +
				"State two keys while you [rotate](sign-in.md#rotate-the-key) them.",
			Price: "Nothing: some hundred bytes in a bucket, and requests within CloudFront's free tier.",
			Change: "When your app has its own sign-in and no OpenID Connect provider. If a private key has leaked, " +
				"replace its public key immediately.",
			Example: `Keys: []config.Key{{PEM: publicKey}},`,
		}, {
			Name: "UserClaim",
			Summary: "The token's claim that is the user's id. Others than `sub` help where a provider's `sub` " +
				"differs between apps, such as `oid` of Entra ID. The value must be a text with " +
				"the form of a [user id](sign-in.md). The stack records the claim when it is first deployed, and " +
				"refuses another one unless the deploy [says so too](sign-in.md#the-claim-that-is-the-user).",
			Price: "Nothing.",
			Change: "Before the first person uses the deployment. Afterwards everybody becomes another user, " +
				"without their rooms and messages.",
			Example: `UserClaim: "oid",`,
		}, {
			Name:    "SignUp",
			OwnPool: true,
			Summary: "How users are created in the stack's own user pool. With `admin`, only an administrator " +
				"creates them. With `self`, anybody on the internet can sign up with an " +
				"e-mail address, which Cognito confirms by a code. With either value, users with a confirmed address " +
				"can reset a lost password themselves.",
			Stated: `"admin", or "self" for everybody with an e-mail address`,
			Price: "The mails are free. Cognito itself sends at most 50 a day. For more, configure Amazon SES in the " +
				"Cognito console ($0.10 for 1,000). Users above the free 10,000 a month cost the same as under " +
				"`Issuer`.",
			Change:  "To `self` for a public service; then review `RoomCreators` too.",
			Example: `SignUp: "self",`,
		}, {
			Name:    "SignInPages",
			OwnPool: true,
			Summary: "Cognito's own pages for signing in, signing up and recovering a password, at " +
				"`https://<Prefix>.auth.<Region>.amazoncognito.com`. " +
				"After signing in, a user returns to one of the `Callbacks`, with a code that the app exchanges for " +
				"tokens (OAuth authorization code with PKCE). After signing out, " +
				"a user may return to one of the `Logouts`. Each is an https page, an app's own scheme, or http on " +
				"`localhost`. The prefix must be free in the Region. " +
				"`ServiceClient: true` also creates a client with a secret. With it, your server fetches a token at " +
				"the same address and [acts for users](sign-in.md#services).",
			Price: "Nothing. `ServiceClient`: $6 a month, and $2.25 for 1,000 tokens; a token is valid for an hour.",
			Change: "When your app has no sign-in pages of its own, or when your server acts for users. Without " +
				"these pages an app signs in by SRP with an AWS library. To change the prefix later, remove the " +
				"setting, deploy, and state the new one.",
			Example: `SignInPages: config.SignInPages{Prefix: "acme-chat", Callbacks: []string{"https://chat.example.com/signed-in"}, Logouts: []string{"https://chat.example.com/"}},`,
		},
	}
}

func whatTheyMay() []Setting {
	return []Setting{
		{
			Name: "RoomCreators",
			Summary: "The users who may create rooms, direct rooms included: `everyone` who is signed in, or the " +
				"users and services whose `sub` is listed. The list holds about 80 Cognito ids (3,000 bytes).",
			Stated:  `[]string{"everyone"}, or users by the sub of their tokens`,
			Price:   "Nothing.",
			Change:  "When strangers can sign up and only a few users should create rooms.",
			Example: `RoomCreators: []string{"5f1c8a52-30d1-7093-c2d3-ad2e5e0f3b11"},`,
		}, {
			Name: "Directory",
			Summary: "Who may list people and search for them by name: `everyone` who is signed in, `services` " +
				"(tokens with the services' scope), or `off` for nobody. With `services` " +
				"and `off`, titles, states and hiring dates are hidden from everybody else and cannot be searched. " +
				"Names, avatars, statuses and metadata are always shown to anybody who " +
				"knows the person's id.",
			Price: "Nothing.",
			Change: "To `everyone` where all users belong to one team whose members look each other up. To " +
				"`services` or `off` where users are strangers to " +
				"one another.",
			Example: `Directory: "everyone",`,
		}, {
			Name: "Profiles",
			Summary: "Who may change the facts of a profile: `everyone` the name, title, state, hiring date and " +
				"metadata of their own profile, or only `services` the facts of all profiles. With `services`, " +
				"users still change their status, avatar and picture.",
			Price: "Nothing.",
			Change: "To `services` where names and titles come from a directory of your own, or where users rely on " +
				"them.",
			Example: `Profiles: "services",`,
		}, {
			Name: "Hooks",
			Summary: "Whether services may have hooks, by which their programs receive all changes of rooms: `off`, " +
				"`on`, or `private`, which includes private and direct rooms. With `,owners` after it, owners of " +
				"rooms may have hooks of their rooms, whose addresses they choose. With `off` the operations on " +
				"hooks answer 404.",
			Price: "$0.02 a month at rest, or $0.34 in an account that has used SQS's free million of requests: a " +
				"look for timers each minute, and Lambda's polls of the queue. For a million changes, each on its " +
				"own: $0.40 for the outbox function, and for each hook that has the room $0.63, or about $4 if it " +
				"has an address: $1.50 for the queue, $1.03 for the deliver function with a receiver that answers in " +
				"0.2 s, and $1.62 for the table.",
			Change: "To `on` when programs of yours follow rooms: a moderator, an index, an archive. To `private` " +
				"when they must see everything that is written. To `on,owners` or `private,owners` where people may " +
				"send what is written in their rooms to any address.",
			Example: `Hooks: "on",`,
		}, {
			Name: "NameClaim",
			Summary: "The access token's claim that holds a user's name, until the user saves a profile. Only the " +
				"user sees this name. If the claim is missing, or not a valid name, the user's id is used.",
			Price:   "Nothing.",
			Change:  "With your own `Issuer`, if its tokens use another claim, such as `name` or `preferred_username`.",
			Example: `NameClaim: "preferred_username",`,
		},
	}
}

func whereTheyComeFrom() []Setting {
	return []Setting{
		{
			Name: "Origins",
			Summary: "The web pages whose scripts may call the API from a browser (CORS). With `none`, no page may " +
				"call it. Phones, servers and " +
				"`curl` are not affected. At most 3,000 bytes, together with `Issuer` and `Audience`.",
			Stated: `[]string{"none"}, or pages like "https://chat.example.com"`,
			Price: "Nothing. A browser's preflight requests are billed as requests, at most one an hour for each " +
				"method and page.",
			Change:  "When one of your web pages uses the API. Plain http is accepted for `localhost` only.",
			Example: `Origins: []string{"https://chat.example.com"},`,
		}, {
			Name: "Domain",
			Summary: "A custom domain for the API, in addition to the address that AWS assigns. `Certificate` is the " +
				"ARN of a certificate for it in AWS Certificate " +
				"Manager, in the Region of the stack. Point the name at the output `DomainTarget` in your DNS. " +
				"`Socket` is a second name, for live delivery, because API Gateway " +
				"does not serve both APIs under one name. The same certificate must cover it, and its target is " +
				"`SocketDomainTarget`. `Only: true` switches off the API's AWS " +
				"address ([behind a firewall](deploy.md#behind-a-firewall)).",
			Price: "Nothing, including the certificate. A hosted zone in Route 53 costs $0.50 a month, if you need " +
				"one.",
			Change: "Before the first app is installed on a phone: AWS's address changes when the stack is torn down " +
				"and created again. [A custom domain](deploy.md#a-domain) has the steps.",
			Example: `Domain: config.Domain{Name: "chat.example.com", Socket: "live.example.com", Certificate: "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012"},`,
		}, {
			Name: "Page",
			Summary: "The [web app](web.md), served with this API. `Host: \"cloudfront\"` puts it in a private " +
				"bucket behind CloudFront; its address is the output `PageUrl`, and it may " +
				"call the API without being among the `Origins`. People sign in on the pages of the stack's own pool " +
				"(`SignInPages.Prefix`; `Callbacks` are then optional), or on " +
				"your `Issuer`'s pages. `SignIn` names your issuer's endpoints and a public client. `Name` is your " +
				"own host name for the page, and `Certificate` the ARN of its " +
				"certificate, which must be in us-east-1. `AvatarHosts` are the hosts whose pictures it shows as " +
				"avatars, such as `pictures.example.com`. By default it shows " +
				"initials, because a picture reveals to its host who reads when. `NotificationsShow` is the most " +
				"that a notification shows on a screen that may be locked: " +
				"`text`, the default, `sender` or `none`. [The page](deploy.md#the-page) has the steps.",
			Price: "At rest, the storage of about 1 MB: less than a cent a month. 1,000 visits cost at most five " +
				"cents, or twenty beyond CloudFront's free tier (10 million requests and 1 TB a month).",
			Change: "When people should use the web app from this deployment. It is off by default, because a page " +
				"needs a way to sign in, and no deployment should get a public address unasked.",
			Example: `Page: config.Page{Host: "cloudfront"},`,
		},
	}
}

func whoIsTold() []Setting {
	return []Setting{
		{
			Name: "AlarmEmail",
			Summary: "The address for alarms: a mail or a message when one is raised, and another when it is over. " +
				"It is an e-mail address, or an https address that accepts messages of Amazon SNS, as incident " +
				"services have. With `none`, alarms appear only in CloudWatch. The address gets no alarms until it " +
				"has [confirmed the first message](runbooks.md#confirm-the-address). Only `prod` has alarms.",
			Stated: `"none", an address like "ops@example.com", or one like "https://hooks.example.com/parley"`,
			Price:  "Nothing for the first 1,000 mails, or the first 100,000 messages to an https address, a month.",
			Change: "Before the first real user. Use an address that several people read. Who can read this " +
				"repository can read the address too, and could send false alarms to it.",
			Example: `AlarmEmail: "ops@example.com",`,
		}, {
			Name: "MonthlyBudget",
			Summary: "The monthly budget of the whole AWS account, in dollars. `AlarmEmail` is notified at 80 %, at " +
				"100 %, and when the forecast exceeds the budget. Nothing is stopped. " +
				"Without an `AlarmEmail`, or with `config.NoBudget`, there is no budget. CloudFormation cannot " +
				"create one in [some Regions](deploy.md#regions); the synth reports " +
				"that.",
			Price: "Nothing.",
			Change: "When you know what a month costs: one and a half times that is a good budget. An account with " +
				"other workloads needs more from the start.",
			Example: `MonthlyBudget: 300,`,
		}, {
			Name: "Canary",
			Summary: "With `true`, a function posts a message through the API every five minutes, as its own user, " +
				"and waits for the change. In `prod` an alarm is raised when it fails. " +
				"It needs the `Issuer` `own`, and a user that you create once: [alarms](runbooks.md#the-canary).",
			Price:   "About $0.35 a month: $0.10 for the alarm, the rest for about 60,000 requests and their calls.",
			Change:  "When the team wants to learn of an outage before users report it.",
			Example: `Canary: true,`,
		},
	}
}

func whatExists() []Setting {
	return []Setting{{
		Name: "Adopt",
		Summary: "Existing tables and a bucket that the stack uses instead of creating its own: restored from a " +
			"backup, or left by a destroyed stack. `Table` is the ARN of the table's stream, " +
			"`LogTable` the ARN of the activity log's table, and `Files` the name of the bucket with the files of " +
			"messages; each is optional. The stack does not manage what it adopts. `scripts/adopt` switches on " +
			"its recovery, expiry " +
			"and protection, and prints the lines for this file.",
		Price: "Nothing beyond the table's own cost.",
		Change: "After a restore, or to adopt the tables that `make destroy ENV=prod` left. Keep the lines for as " +
			"long as the table is used: a deploy without them creates a new, " +
			"empty table. The stack's former table stays in `prod`, and is deleted in `dev`.",
		Example: `Adopt: config.Adopt{Table: "arn:aws:dynamodb:eu-west-1:123456789012:table/parley-restored/stream/2026-01-31T12:00:00.000"},`,
	}, {
		Name: "Account",
		Summary: "A company's rules for everything in its account. `PermissionsBoundary` is the ARN of a managed " +
			"policy, or its name in the account of the deploy; every role of the stack " +
			"gets it as its permissions boundary. `Tags` are put on the stack and on every resource that accepts " +
			"tags: at most 50, with keys of 128 characters and values of 256. Cost " +
			"allocation and tag policies read them.",
		Price: "Nothing.",
		Change: "When your company refuses roles without a boundary, or resources without tags. The boundary must " +
			"allow [the functions' rights](security.md#rights-of-the-functions): what it leaves out is refused. A " +
			"change replaces no resource. [Accounts of companies](deploy.md#accounts-of-companies) has the steps.",
		Example: `Account: config.AccountRules{PermissionsBoundary: "CompanyBoundary", Tags: map[string]string{"cost-centre": "4711", "owner": "chat"}},`,
	}, {
		Name: "Suffix",
		Summary: "A suffix of the stack's name, for another deployment of an environment in the same account and " +
			"Region. With `ada`, `Parley-dev` becomes `Parley-dev-ada`. The " +
			"names of the stack's resources begin with the stack's name, and `-ada` is also added to " +
			"`SignInPages.Prefix`. At most 16 lower-case letters, digits and hyphens.",
		Price: "The price of another deployment. The account's free tiers are shared.",
		Change: "Before the first deploy. A different suffix creates another deployment, with its own table and " +
			"users; the previous one stays unchanged. [A second deployment](deploy.md#a-second-deployment) has the " +
			"steps.",
		Example: `Suffix: "ada",`,
	}}
}
