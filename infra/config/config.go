// Package config turns the settings of an environment into everything that may differ between
// two deployments of Parley. It knows nothing of the CDK.
//
// Settings are what a team states, Config is what follows from them. What a team has no reason
// to decide is fixed by the environment.
package config

// Env names an environment.
type Env string

// The environments there are.
const (
	Dev  Env = "dev"
	Prod Env = "prod"
)

// Architecture is the processor that the functions are built for.
type Architecture string

// The architectures that Lambda has. ARM64 costs a fifth less; X8664 lets a laptop of
// that kind run the functions under `sam local`.
const (
	ARM64 Architecture = "arm64"
	X8664 Architecture = "x86_64"
)

// Config is everything that may differ between two deployments.
type Config struct {
	Env          Env
	Architecture Architecture
	Table        Table
	Logs         Logs
	API          API
	Tokens       Tokens
	Pool         Pool
	Alarms       Alarms
	Write        Function
	Read         Function
	Feed         Function
	Canary       Function
}

// Table says where the data is, and how hard it is to lose.
type Table struct {
	// AdoptStream is the ARN of the stream of an existing table that the stack uses instead of
	// making one, and AdoptLog the ARN of an existing table of the activity log. Empty makes them.
	AdoptStream string
	AdoptLog    string
	// WarmWrites is how many writes a second the table and its index take at once; 0 is what
	// DynamoDB gives to a new table.
	WarmWrites int

	// Retain keeps the table, the user pool and the logs when the stack goes.
	Retain bool
	// DeletionProtection makes DynamoDB and Cognito refuse to delete them at all.
	DeletionProtection bool
	// RecoveryDays is how far back point-in-time recovery reaches.
	RecoveryDays int
	// LogDays is how long entries of the activity log are kept.
	LogDays int
	// FeedDays is how long the segments of feeds are kept: a client that was away for longer
	// begins anew. Numbers and counts go on for ever.
	FeedDays int
}

// Logs says what is logged and for how long it is kept.
type Logs struct {
	// Days must be one of the periods that CloudWatch offers.
	Days int
	// Level is the lowest level of the functions' own lines.
	Level string
	// Requests adds Lambda's start and report lines to each call. They
	// cost as much as the rest of the log together.
	Requests bool
}

// API says who may call and how often.
type API struct {
	// Rate is the requests a second that all callers together may make,
	// Burst how many may come at once. Above that API Gateway answers 429
	// and nothing is billed but the request.
	Rate  int
	Burst int
	// RateQuota is what AWS lets all APIs of the account do, where it is not the Region's default.
	RateQuota int
	// SendRate is how many messages a second one person may send through one
	// process; ten times as many may come at once.
	SendRate int
	// RoomMakers are the users, by the subjects of their tokens, who may
	// make rooms; none listed is everyone.
	RoomMakers []string
	// Domain is a name of the team's own; empty leaves the API under AWS's alone.
	Domain Domain
	// Origins are the web pages that may call from a browser; none by default.
	Origins []string
}

// Tokens says whose tokens are taken. Both fields empty: the stack makes a
// Cognito user pool of its own.
type Tokens struct {
	Issuer   string
	Audience []string
}

// Pool is what may differ between user pools that the stack makes.
type Pool struct {
	// SelfSignUp lets everybody with an e-mail address become a user.
	SelfSignUp bool
	// Passwords lets clients send a password to Cognito as it is, so that the AWS CLI can fetch a
	// token. Apps for real users use SRP or the pages.
	Passwords bool
	// Pages are Cognito's own; an empty prefix makes none.
	Pages SignInPages
}

// OwnPool reports whether the stack makes the user pool.
func (t Tokens) OwnPool() bool { return t.Issuer == "" && len(t.Audience) == 0 }

// Alarms says who hears of trouble.
type Alarms struct {
	// Enabled makes the alarms. They cost some $2 a month whether anybody talks or not;
	// docs/alarms.md has the sum.
	Enabled bool
	// Email is told of every alarm; empty tells nobody and the
	// alarms are only shown.
	Email string
	// MonthlyBudget is what the account may cost in a month, in dollars. Email is told when it is
	// nearly spent.
	MonthlyBudget int
	// Canary makes the function that uses the API as a user does, every few minutes.
	Canary bool
}

// Function is what may differ between the functions.
type Function struct {
	// MemoryMB also sets the share of a processor: 1,769 MB is a whole one.
	MemoryMB int
	// Reserved caps how many run at once and keeps that many free for this function;
	// 0 shares the account's limit, which in a new account is too small to
	// reserve from.
	Reserved int
}
