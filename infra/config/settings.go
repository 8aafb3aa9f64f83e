package config

import (
	"reflect"
	"slices"

	shared "example.com/parley/internal/config"
)

// Settings are a team's decisions about one deployment. They are stated in the Go file of the
// environment, in infra/settings, and committed. A field that is left out has its default.
//
// Catalog describes each field, and docs/settings.md is generated from it.
type Settings struct {
	// Callers.
	Issuer       string
	Audience     []string
	Keys         []Key
	UserClaim    string
	SignUp       string
	SignInPages  SignInPages
	RoomCreators []string
	Directory    string
	Profiles     string
	Hooks        string
	NameClaim    string
	Origins      []string
	Domain       Domain
	Page         Page

	// Alarms.
	AlarmEmail    string
	MonthlyBudget int
	Canary        bool

	// Tables, and what the account has already.
	Adopt   Adopt
	Account AccountRules
	Suffix  string

	// Limits.
	Rate         int
	RateQuota    int
	SendRate     int
	Files        Files
	WarmWrites   int
	FeedReserved int
	// HookConcurrency bounds the executions that send to the addresses of hooks.
	HookConcurrency int

	// Retention.
	FeedDays int
	Logs     Logs
}

// Logs sets the logs' contents and retention. A field that is left out has its default.
type Logs struct {
	// Days is how long CloudWatch keeps the logs of the functions and of the API.
	Days int
	// Level is the lowest level of the functions' logs.
	Level string
	// ActivityDays is how long the activity log keeps device events and room audits.
	ActivityDays int
	// Gateway is whose role writes the log of live delivery: Own, or the Account's.
	Gateway string
}

// Files bounds the files of messages, and how long deleted ones are kept. A field that is left out
// has its default.
type Files struct {
	// MB is the maximum size of a file.
	MB int
	// DayMB and DayCount bound what one person uploads in a day in UTC.
	DayMB, DayCount int
	// Types are the accepted media types, such as image/* and application/pdf.
	Types []string
	// RecoveryDays is how long S3 keeps deleted files, for an operator to bring them back. 0 keeps
	// none.
	RecoveryDays int
}

// Key is a public key of tokens that the app's own server signs.
type Key struct {
	// ID is the kid in the header of its tokens; the key's thumbprint (RFC 7638) if empty.
	ID string
	// PEM is the public key: an RSA key of at least 2,048 bits, in a block PUBLIC KEY.
	PEM string
}

// SignInPages are Cognito's own pages for signing in and up, for apps without pages of their own.
type SignInPages struct {
	// Prefix is the first word of the pages' address. It is unique in the Region.
	Prefix string
	// Callbacks are the pages or apps to which signed-in users return.
	Callbacks []string
	// Logouts are the pages or apps to which signed-out users may return.
	Logouts []string
	// ServiceClient creates a client for services, which fetch their tokens at the pages' address.
	ServiceClient bool
}

// Domain is the team's own name for the API.
type Domain struct {
	// Name is the host name that clients call, such as chat.example.com.
	Name string
	// Certificate is the ARN of its certificate in AWS Certificate Manager, in the stack's Region.
	Certificate string
	// Socket is another host name, for live delivery. The certificate must be for it too.
	Socket string
	// Only switches off the address that AWS assigns to the API.
	Only bool
}

// Page is the web app, which the stack serves to browsers.
type Page struct {
	// Host serves the web app: None, or CloudFront.
	Host string
	// Name is the team's own host name for it, such as chat.example.com.
	Name string
	// Certificate is the ARN of the certificate of Name in AWS Certificate Manager, in us-east-1.
	Certificate string
	// SignIn describes how people sign in with an Issuer of your own. The stack's user pool needs
	// none.
	SignIn PageSignIn
	// AvatarHosts are the hosts whose pictures it shows; without any it shows initials.
	AvatarHosts []string
	// NotificationsShow is the most that its notifications show: text, sender or none; empty is
	// text. People may choose less.
	NotificationsShow string
}

// PageSignIn has the endpoints of an identity provider for the web app, by OpenID Connect.
type PageSignIn struct {
	// Authorize and Token are the provider's endpoints for a code with PKCE.
	Authorize, Token string
	// Logout is its endpoint for signing out, if it has one.
	Logout string
	// Revoke is its endpoint for revoking a refresh token, if it has one.
	Revoke string
	// Client is the id of the public client that signs people in.
	Client string
	// Scope is the scope that the app requests; openid if empty.
	Scope string
}

// Adopt names existing tables, and a bucket, that the stack uses instead of creating its own. Each
// may be left out.
type Adopt struct {
	// Table is the ARN of the table's stream, which contains the table's name.
	Table string
	// LogTable is the ARN of the activity log's table.
	LogTable string
	// Files is the name of the bucket with the files of messages.
	Files string
}

// MaxSettings is the limit on the number of settings. A group, such as Files, has the settings of
// one capability and counts as one; without it, the capability creates nothing and costs nothing. A
// team does not decide on more than it can read in one sitting; the environment fixes everything
// that needs no decision.
const MaxSettings = 29

// Explicit values for absent things. In prod, a setting that matters to security must be stated,
// even if it turns something off.
const (
	// Own lets the stack create the thing itself.
	Own = "own"
	// Keys accepts the tokens that the app's own server signs with one of the Keys.
	Keys = "keys"
	// None turns the thing off.
	None = "none"
	// CloudFront serves the web app.
	CloudFront = "cloudfront"
	// Everyone allows every signed-in user.
	Everyone = "everyone"
	// Services allows only services, and Off nobody.
	Services = shared.Services
	Off      = shared.Off
	// Admin allows only admins, and Self allows everyone for themselves.
	Admin = "admin"
	Self  = "self"
	// Account uses what the account has already.
	Account = "account"
	// Unreserved shares the account's concurrency with everything else in it.
	Unreserved = -1
	// NoBudget creates no budget.
	NoBudget = -1
)

// over returns the settings. Omitted fields, at the top level and in groups, are taken from
// defaults.
func (s Settings) over(defaults Settings) Settings {
	merge(reflect.ValueOf(s), reflect.ValueOf(&defaults).Elem())
	return defaults
}

// merge sets the fields of merged that are stated.
func merge(stated, merged reflect.Value) {
	for n := range stated.NumField() {
		switch f := stated.Field(n); {
		case f.Kind() == reflect.Struct:
			merge(f, merged.Field(n))
		case !f.IsZero():
			merged.Field(n).Set(f)
		}
	}
}

// missing returns the settings that an environment requires but that are not stated.
func (s Settings) missing(env Env) []Setting {
	if env != Prod {
		return nil
	}
	var missing []Setting
	for _, setting := range Catalog() {
		if elsewhere := s.Issuer != "" && s.Issuer != Own; setting.OwnPool && elsewhere {
			continue
		}
		if setting.Stated != "" && reflect.ValueOf(s).FieldByName(setting.Name).IsZero() {
			missing = append(missing, setting)
		}
	}
	return missing
}

// Setting describes one field of Settings to the operator of a deployment.
type Setting struct {
	// Name is the name of the field.
	Name string
	// Summary describes the effect of the setting.
	Summary string
	// Stated describes the values of a setting that must be stated in prod. It is empty for a
	// setting that may be left out.
	Stated string
	// OwnPool reports whether the setting is about the user pool that the stack creates.
	OwnPool bool
	// Price is the cost of the setting, and its saving.
	Price string
	// Change describes when to change the default.
	Change string
	// Example is a line of the Go file.
	Example string
}

// Catalog describes every setting, in the order of the fields.
func Catalog() []Setting {
	return slices.Concat(
		whoTheyAre(), whatTokensSay(), whatTheyMay(), whereTheyComeFrom(), whoIsTold(), whatExists(), howMuch(),
		howLarge(), howLong(),
	)
}
