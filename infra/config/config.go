// Package config turns the settings of an environment into everything that may differ between two
// deployments of Parley. It does not depend on the CDK.
//
// Settings are stated by a team; Config follows from them. The environment fixes everything that a
// team has no reason to decide.
package config

import "strings"

// Env names an environment.
type Env string

// The environments.
const (
	Dev  Env = "dev"
	Prod Env = "prod"
)

// Architecture is the processor that the functions are built for.
type Architecture string

// The architectures of Lambda. ARM64 costs a fifth less; X8664 lets an x86 laptop run the functions
// under `sam local`.
const (
	ARM64 Architecture = "arm64"
	X8664 Architecture = "x86_64"
)

// Config is everything that may differ between two deployments.
type Config struct {
	Env Env
	// Suffix is the end of the stack's name, or empty.
	Suffix       string
	Account      AccountRules
	Architecture Architecture
	Table        Table
	Logs         LogConfig
	API          API
	Files        Files
	Tokens       Tokens
	Pool         Pool
	Page         Page
	Alarms       Alarms
	Write        Function
	Read         Function
	Search       Function
	Incoming     Function
	Feed         Function
	Canary       Function
	Socket       Function
	Authorizer   Function
	// Outbox notes news for hooks.
	Outbox Function
	// Deliver sends changes to the addresses of hooks.
	Deliver Function
	// PageWriter writes the web app to its bucket during a deploy.
	PageWriter Function
}

// StackName returns the stack's name. All names that the stack gives in the account begin with it,
// so that several stacks can be in one account and Region.
func (c Config) StackName() string {
	name := "Parley-" + string(c.Env)
	if c.Suffix != "" {
		name += "-" + c.Suffix
	}
	return name
}

// Table configures the tables and their protection.
type Table struct {
	// AdoptStream is the ARN of the stream of an existing table that the stack uses. AdoptLog is
	// the ARN of an existing table of the activity log. If empty, the stack creates the table.
	AdoptStream string
	AdoptLog    string
	// AdoptFiles is the name of an existing bucket of files that the stack uses.
	AdoptFiles string
	// WarmWrites is the number of writes a second that the table, its index and the connection
	// table accept from the start; 0 is the capacity of a new table.
	WarmWrites int

	// Retain keeps the table, the files, the user pool and the logs when the stack is removed.
	Retain bool
	// DeletionProtection makes DynamoDB and Cognito refuse to delete them.
	DeletionProtection bool
	// RecoveryDays is the number of days that point-in-time recovery covers.
	RecoveryDays int
	// LogDays is the retention of entries in the activity log.
	LogDays int
	// FeedDays is the retention of feed segments. A client that was away for longer starts again;
	// numbers and counts continue for ever.
	FeedDays int
}

// LogConfig configures the logs and their retention.
type LogConfig struct {
	// Days must be one of the periods that CloudWatch offers.
	Days int
	// Level is the lowest level that the functions log.
	Level string
	// OwnGatewayRole sets the account's role with which API Gateway writes logs of WebSocket APIs.
	// If false, the account has one.
	OwnGatewayRole bool
	// Requests adds Lambda's start and report lines to each call. They cost as much as the rest of
	// the log together.
	Requests bool
}

// API configures access to the API, and its rate limits.
type API struct {
	// Rate is the limit of requests a second of all callers together, and Burst the number that
	// may arrive concurrently. Above it, API Gateway answers 429, and only the request is billed.
	Rate  int
	Burst int
	// PostRate is the number of frames a second that one process sends to connections. The
	// account's quota of requests counts them too.
	PostRate int
	// RateQuota is the account's quota for all APIs, if it is not the Region's default.
	RateQuota int
	// SendRate is the number of messages a second that one person may send. Three times as many
	// may arrive in a burst.
	SendRate int
	// RoomMakers are the users who may create rooms, by the subjects of their tokens. An empty list
	// allows everyone.
	RoomMakers []string
	// Directory is who may list people: Everyone, Services or Off.
	Directory string
	// Profiles is who may change the facts of profiles: Everyone their own, or only Services.
	Profiles string
	// Hooks is one of config.Hooks: whether services may have hooks, whether these get private and
	// direct rooms, too.
	Hooks string
	// HookConcurrency is the most concurrent executions that send to the addresses of hooks.
	HookConcurrency int
	// NameClaim is the claim of a token with the name of a user without a profile.
	NameClaim string
	// Domain is the team's own name for the API. If empty, the API has only the name that AWS gives
	// it.
	Domain Domain
	// Origins are the web pages that may call from a browser; none by default.
	Origins []string
}

// Tokens configures whose tokens are accepted. If Issuer is Keys, the stack publishes the Keys. If
// Issuer and Audience are empty, it creates a Cognito user pool.
type Tokens struct {
	Issuer   string
	Audience []string
	Keys     []Key
	// UserClaim is the claim that is the user.
	UserClaim string
}

// Pool configures a user pool that the stack creates.
type Pool struct {
	// SelfSignUp lets everyone with an e-mail address become a user.
	SelfSignUp bool
	// Passwords lets clients send a plain password to Cognito, so that the AWS CLI can fetch a
	// token. Apps for real users use SRP or the pages.
	Passwords bool
	// Pages are Cognito's own; the stack creates none if the prefix is empty.
	Pages SignInPages
}

// OwnPool reports whether the stack creates the user pool.
func (t Tokens) OwnPool() bool { return t.Issuer == "" && len(t.Audience) == 0 }

// OwnKeys reports whether the app's own server signs the tokens.
func (t Tokens) OwnKeys() bool { return t.Issuer == Keys }

// Alarms configures alarms and their recipient.
type Alarms struct {
	// Enabled creates the alarms. They cost some $3 a month, with or without use; docs/runbooks.md
	// has the sum.
	Enabled bool
	// Recipient is the e-mail or https address that is notified when an alarm is raised and when
	// it is over. If empty, the alarms are only shown.
	Recipient string
	// MonthlyBudget is the account's budget for a month, in dollars; 0 is none. Recipient is
	// notified when it is nearly spent.
	MonthlyBudget int
	// Canary creates the function that uses the API as a user does, every few minutes.
	Canary bool
}

// Webhook reports whether the recipient is an https address.
func (a Alarms) Webhook() bool { return strings.HasPrefix(a.Recipient, httpsScheme) }

// Function configures one function.
type Function struct {
	// MemoryMB also sets the share of a processor: 1,769 MB gives a whole one.
	MemoryMB int
	// Reserved limits concurrent executions, and reserves that many for this function. 0 shares
	// the account's limit, which is too small to reserve from in a new account.
	Reserved int
}
