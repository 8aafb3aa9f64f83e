// Package config states the facts on which the stack, the functions and the laptop must agree: the
// names of environment variables, the rules of CORS, and the size of batches. It states each fact
// once. It also parses the values of the variables.
//
// The settings of a deployment are in infra/config.
package config

import (
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The functions read these variables, and the stack sets them. Lambda itself adds the region and
// the credentials.
const (
	EnvTable    = "PARLEY_TABLE"     // the table's name; required
	EnvLogTable = "PARLEY_LOG_TABLE" // the activity log's table; required behind the API
	EnvLogDays  = "PARLEY_LOG_DAYS"  // how many days its entries are stored; default 30
	EnvLogLevel = "PARLEY_LOG_LEVEL" // debug, info, warn or error; default info; every function
	// EnvSendRate is how many messages a second one person may send; bursts may contain three
	// times as many. Default 10.
	EnvSendRate = "PARLEY_SEND_RATE"
	// EnvRoomMakers names the people who may create rooms: everyone, or user ids separated by
	// commas. Default everyone.
	EnvRoomMakers = "PARLEY_ROOM_MAKERS"
	// EnvDirectory says who may list people and search for them: everyone, services or off. Default
	// everyone.
	EnvDirectory = "PARLEY_DIRECTORY"
	// EnvProfiles says who may change the facts of a person's profile: everyone their own, or only
	// services. Default everyone.
	EnvProfiles = "PARLEY_PROFILES"
	// EnvNameClaim is the claim of a token with the name of a person who has not saved a profile.
	// Default NameClaim.
	EnvNameClaim = "PARLEY_NAME_CLAIM"
	// EnvUserClaim is the claim of a token that is the user. Default UserClaim. The functions of
	// the API and of connections read it.
	EnvUserClaim = "PARLEY_USER_CLAIM"
	// EnvTokenLife is the longest life of a token, such as 12h; empty is no limit. The same
	// functions read it.
	EnvTokenLife = "PARLEY_TOKEN_LIFE" // #nosec G101 -- the name of a variable

	// EnvFilesBucket is the bucket of the files of messages; empty means that there are none. The
	// functions behind the API and the feed function read it.
	EnvFilesBucket = "PARLEY_FILES_BUCKET"
	// EnvFileMB, EnvFileDayMB and EnvFileDayCount bound one file and a person's files of a day, in
	// MB and in number. Defaults FileMB, FileDayMB and FileDayCount.
	EnvFileMB       = "PARLEY_FILE_MB"
	EnvFileDayMB    = "PARLEY_FILE_DAY_MB"
	EnvFileDayCount = "PARLEY_FILE_DAY_COUNT"
	// EnvFileTypes lists the accepted media types, such as image/*, separated by commas. Default
	// all.
	EnvFileTypes = "PARLEY_FILE_TYPES"

	// EnvHooks is one of Hooks. The functions behind the API and the
	// outbox function read it.
	EnvHooks = "PARLEY_HOOKS"
	// The URL of the queue of hooks' deliveries; required by the outbox and the deliver function.
	EnvHookQueue = "PARLEY_HOOK_QUEUE"

	EnvFeedDays     = "PARLEY_FEED_DAYS"     // how many days segments are stored; default 90
	EnvFailureQueue = "PARLEY_FAILURE_QUEUE" // the URL of the failure queue; required
)

// The default limits of files suit large screen recordings, and as many files as somebody sends who
// shares a folder.
const (
	FileMB       = 100
	FileDayMB    = 1024
	FileDayCount = 500
)

// The functions of live delivery read these variables, and the stack sets them.
const (
	EnvLiveTable = "PARLEY_LIVE_TABLE" // the name of the connections table
	// EnvSocketEndpoint is the base address for calls to connections, without /@connections. If it
	// is empty, the feed function delivers nothing.
	EnvSocketEndpoint = "PARLEY_SOCKET_ENDPOINT"
	// EnvPostRate is how many frames a second one process sends. Default 5,000.
	EnvPostRate = "PARLEY_POST_RATE"
	EnvIssuer   = "PARLEY_ISSUER"   // the issuer whose tokens the authorizer accepts; required
	EnvAudience = "PARLEY_AUDIENCE" // the accepted audiences, separated by commas; required
	// EnvOrigins lists the origins of pages that may connect, separated by commas. Clients that
	// send no origin may always connect.
	EnvOrigins = "PARLEY_ORIGINS"
)

// Everyone is the value of EnvRoomMakers that lets everyone create rooms, of EnvDirectory that lets
// everyone list people, and of EnvProfiles that lets everyone change their own.
const Everyone = "everyone"

// Services and Off are the other values of EnvDirectory: only services list people, or nobody does.
// Services is also the other value of EnvProfiles.
const (
	Services = "services"
	Off      = "off"
)

// ServiceScope is the scope of a service's tokens. A service may act for other people. No token has
// the scope unless an operator configures a client that receives it.
const ServiceScope = ServiceResource + "/act-as"

// ServiceResource identifies the resource server of ServiceScope.
const ServiceResource = "parley"

// NameClaim is the default of EnvNameClaim. Access tokens from Cognito and from the local issuer
// have it.
const NameClaim = "username"

// UserClaim is the default of EnvUserClaim.
const UserClaim = "sub"

const (
	// OwnAudience is the audience of tokens that an app signs itself, unless another is configured.
	OwnAudience = "parley"
	// OwnTokenLife is the longest life of such a token. Nobody can revoke it.
	OwnTokenLife = 12 * time.Hour
)

// The canary reads these variables, and the stack sets them.
const (
	EnvURL             = "PARLEY_URL"              // the API's address; required
	EnvUserPool        = "PARLEY_USER_POOL"        // the pool's id; required
	EnvClient          = "PARLEY_USER_POOL_CLIENT" // the app client's id; required
	EnvCanaryParameter = "PARLEY_CANARY_PARAMETER" // the parameter's name; required
)

// EnvPageBucket is the bucket to which the page function writes the web app, and the stack sets it;
// required.
const EnvPageBucket = "PARLEY_PAGE_BUCKET"

// AWS's SDKs and tools read their endpoints from these variables. The SDK reference guide documents
// them under "Service-specific endpoints".
const (
	EnvDynamoDBEndpoint = "AWS_ENDPOINT_URL_DYNAMODB"
	EnvSQSEndpoint      = "AWS_ENDPOINT_URL_SQS"
	EnvStorageEndpoint  = "AWS_ENDPOINT_URL_S3"
	EnvUsersEndpoint    = "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER"
	EnvSecretsEndpoint  = "AWS_ENDPOINT_URL_SSM" // #nosec G101 -- the name of a variable
)

// These variables apply to every service.
const (
	endpointURL    = "AWS_ENDPOINT_URL"
	endpointIgnore = "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"
)

// Endpoint returns the endpoint that the environment configures for the service of a variable, such
// as config.EnvDynamoDBEndpoint, or "" for the default one. The service's variable takes precedence
// over AWS_ENDPOINT_URL, and AWS_IGNORE_CONFIGURED_ENDPOINT_URLS over both.
func Endpoint(getenv func(string) string, variable string) string {
	if strings.EqualFold(getenv(endpointIgnore), "true") {
		return ""
	}
	if own := getenv(variable); own != "" {
		return own
	}
	return getenv(endpointURL)
}

// The Go runtime reads these variables, and the stack sets them for every function.
const (
	EnvGarbagePercent = "GOGC"
	EnvMemoryLimit    = "GOMEMLIMIT"
)

// GarbagePercent is how much a heap grows before it is collected, in percent of the memory in use.
// A function uses a few megabytes of the hundreds that it is billed for, so it collects a quarter
// as often as by default. That saves a tenth of the processor time of posts, and a fifth of the
// processor time of pages (make sizes). A larger value saves little more, and lets a process touch
// more memory.
const GarbagePercent = 400

// A process is ended when it exceeds its memory. The limit leaves an eighth of it, and at least
// outsideHeap, for memory that the Go runtime does not count: the pages of the binary, and the
// sandbox.
const (
	outsideShare = 8
	outsideHeap  = 32 // MiB; the binaries have up to 11
)

// MemoryLimit returns the value of EnvMemoryLimit for a function with this much memory. Near the
// limit the collector works harder, which keeps the process from being killed.
func MemoryLimit(memoryMB int) string {
	return strconv.Itoa(memoryMB-max(outsideHeap, memoryMB/outsideShare)) + "MiB"
}

// StreamBatch is the number of records of the table's stream that the feed function receives in a
// batch, both deployed and on a laptop. It equals the capacity of a segment, so a busy room's
// batch becomes one item. It is also the most that one read of a stream returns.
const StreamBatch = 1000

// maxDays bounds every setting that is a number of days, to catch typos.
const maxDays = 3650

// Days parses a number of days. It returns 0, which means the default, for an empty text.
func Days(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxDays {
		return 0, fmt.Errorf("%q is not a number of days from 1 to %d", text, maxDays)
	}
	return time.Duration(n) * 24 * time.Hour, nil
}

// maxSendRate is the number of messages that one partition accepts per second. A higher setting is
// an error.
const maxSendRate = 1000

// SendRate parses a number of messages a second. It returns 0, which means the default, for an
// empty text.
func SendRate(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > maxSendRate {
		return 0, fmt.Errorf("%q is not a number from 1 to %d", s, maxSendRate)
	}
	return n, nil
}

// The values of EnvHooks other than Off.
const (
	HooksOn      = "on"
	HooksPrivate = "private"
	hooksOwners  = ",owners" // may follow either
)

// Hooks are the values of EnvHooks.
var Hooks = []string{Off, HooksOn, HooksPrivate, HooksOn + hooksOwners, HooksPrivate + hooksOwners}

// HookRules says who may have hooks, and of which rooms.
type HookRules struct {
	On      bool // services may
	Private bool // of private and direct rooms, too
	Owners  bool // owners of rooms may have hooks of their rooms
}

// ParseHooks parses a value of EnvHooks. The empty string is off.
func ParseHooks(text string) (HookRules, error) {
	if text == "" {
		text = Off
	}
	if !slices.Contains(Hooks, text) {
		return HookRules{}, fmt.Errorf("%q is not one of %q", text, Hooks)
	}
	base, owners := strings.CutSuffix(text, hooksOwners)
	return HookRules{On: base != Off, Private: base == HooksPrivate, Owners: owners}, nil
}

// maxPostRate is the number of requests a second that an account may send to API Gateway.
const maxPostRate = 10_000

// PostRate parses a number of frames a second. It returns 0, which means the default, for an empty
// text.
func PostRate(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxPostRate {
		return 0, fmt.Errorf("%q is not a number of frames from 1 to %d", text, maxPostRate)
	}
	return n, nil
}

// SlowRequest is the time from which a request is slow. With immediate responses from DynamoDB, a
// request takes a tenth of it, even in a process that has just started.
const SlowRequest = 500 * time.Millisecond

// serverFailure is the first HTTP status of a server failure. This package does not link net/http.
const serverFailure = 500

// SampleOf is how many ordinary requests each logged one stands for: enough for the
// percentiles of a route, at a sixteenth of the lines' price.
const SampleOf = 16

// Sampled reports whether an ordinary request is logged nevertheless, by its id.
func Sampled(id string) bool {
	h := fnv.New32a()
	_, _ = io.WriteString(h, id)
	return h.Sum32()%SampleOf == 0
}

// RequestLevel returns the level at which a request is logged. A request that failed or was slow
// is logged at info. If quiet is set, others are logged at debug, because the gateway's access log
// has a line for each with its status and time.
func RequestLevel(quiet bool, status int, took time.Duration) slog.Level {
	if quiet && status < serverFailure && took < SlowRequest {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// Logger returns a logger that writes JSON lines at or above a level. level is the level's name;
// an empty name means info.
func Logger(level string, w io.Writer) (*slog.Logger, error) {
	var l slog.Level
	if level != "" {
		if err := l.UnmarshalText([]byte(level)); err != nil {
			return nil, err
		}
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: l})), nil
}

// FunctionLogger returns the logger of a function. Its error names an environment variable: the
// level's, or the first of the required ones that is not set.
func FunctionLogger(getenv func(string) string, logs io.Writer, required ...string) (*slog.Logger, error) {
	log, err := Logger(getenv(EnvLogLevel), logs)
	if err != nil {
		return nil, fmt.Errorf("environment variable %s: %w", EnvLogLevel, err)
	}
	return log, Require(getenv, required...)
}

// Require returns an error that names the first of some environment variables that is not set.
func Require(getenv func(string) string, names ...string) error {
	for _, name := range names {
		if getenv(name) == "" {
			return fmt.Errorf("environment variable %s is not set", name)
		}
	}
	return nil
}
