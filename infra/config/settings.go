package config

import "reflect"

// Settings are what a team decides about one deployment. They are stated in the Go file of the
// environment, in infra/settings, and committed. A field that is left out has its default.
//
// Catalog describes each field, and docs/settings.md is generated from it.
type Settings struct {
	// Who may call.
	Issuer       string
	Audience     []string
	SignUp       string
	SignInPages  SignInPages
	RoomCreators []string
	Origins      []string
	Domain       Domain

	// Who hears of trouble.
	AlarmEmail    string
	MonthlyBudget int
	Canary        bool

	// Where the data is.
	Adopt Adopt

	// How much it takes.
	Rate         int
	RateQuota    int
	SendRate     int
	WarmWrites   int
	FeedReserved int

	// How long things are kept.
	ActivityDays int
	FeedDays     int
	LogDays      int
	LogLevel     string
}

// SignInPages are Cognito's own pages for signing in and up, for apps that bring none.
type SignInPages struct {
	// Prefix is the first word of the pages' address; nobody else in the Region may have it.
	Prefix string
	// Callbacks are the pages or apps that a signed-in user is sent to.
	Callbacks []string
	// Logouts are those that a signed-out user may be sent to.
	Logouts []string
}

// Domain is a name of the team's own for the API.
type Domain struct {
	// Name is what clients call, such as chat.example.com.
	Name string
	// Certificate is the ARN of its certificate in AWS Certificate Manager, in the stack's Region.
	Certificate string
}

// Adopt names existing tables that the stack uses instead of making its own. Either may be left
// out.
type Adopt struct {
	// Table is the ARN of the table's stream, which holds the table's name.
	Table string
	// LogTable is the ARN of the table of the activity log.
	LogTable string
}

// MaxSettings is how many settings there may be. More than a team can read in one sitting are
// not decided on; what needs no decision is fixed by the environment instead.
const MaxSettings = 20

// The explicit spellings of what would otherwise be an absence. In prod, a setting that matters
// to security must be stated, and these are how to state that nothing is wanted.
const (
	// Own makes the stack create the thing itself.
	Own = "own"
	// None turns the thing off.
	None = "none"
	// Everyone lets every signed-in user do it.
	Everyone = "everyone"
	// Admin lets admins alone do it, and Self everybody for themselves.
	Admin = "admin"
	Self  = "self"
)

// over returns the settings with each field that is left out taken from defaults.
func (s Settings) over(defaults Settings) Settings {
	stated, merged := reflect.ValueOf(s), reflect.ValueOf(&defaults).Elem()
	for n := range stated.NumField() {
		if !stated.Field(n).IsZero() {
			merged.Field(n).Set(stated.Field(n))
		}
	}
	return defaults
}

// missing lists the settings that an environment requires to be stated and that are not.
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
