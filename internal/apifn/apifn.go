// Package apifn constructs the functions behind the API from services, stores and edges. The
// functions' mains and the local server call it, so both run the same handlers.
package apifn

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/gateway"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/live"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/people"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/search"
)

// Config has the dependencies of every function behind the API.
type Config struct {
	DB           *dynamodb.Client
	Table        string
	LogTable     string
	LiveTable    string
	LogRetention time.Duration // zero means the default
	Log          *slog.Logger
	// Quiet logs requests that neither fail nor are slow only at debug, because the gateway's log
	// has them.
	Quiet bool
	// SendRate bounds the messages that one person may send in a second, and the other limits
	// scale with it. 0 means the default.
	SendRate int
	// MayCreateRooms reports whether a person may create rooms; nil allows everyone.
	MayCreateRooms func(chat.UserID) bool
	// Directory defines who may list people; zero allows everyone.
	Directory people.Directory
	// ProfilesByServices lets only services change the facts of profiles.
	ProfilesByServices bool
	// Bucket stores the files of messages, within FileLimits; nil stores none.
	Bucket     *bucket.Client
	FileLimits attachment.Limits
	// NameClaim is the token claim that names a person without a profile; empty means the default.
	NameClaim string
	// Hooks and HookAddresses are as in app.Options.
	Hooks         config.HookRules
	HookAddresses outgoing.Options
	// TokenRules are the rules about the claims of a token.
	TokenRules config.TokenRules
}

// burstOfRate is the burst of messages, in seconds at the rate.
const burstOfRate = 10

// FromEnv returns the configuration of a deployed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (Config, error) {
	log, err := config.FunctionLogger(getenv, logs, config.EnvTable, config.EnvLogTable, config.EnvLiveTable)
	if err != nil {
		return Config{}, err
	}
	retention, err := config.Days(getenv(config.EnvLogDays))
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvLogDays, err)
	}
	rate, err := config.SendRate(getenv(config.EnvSendRate))
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvSendRate, err)
	}
	mayCreate, err := RoomCreators(getenv(config.EnvRoomMakers))
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvRoomMakers, err)
	}
	directory, err := Directory(getenv(config.EnvDirectory))
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvDirectory, err)
	}
	profiles, err := ProfilesByServices(getenv(config.EnvProfiles))
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvProfiles, err)
	}
	db, err := dynamo.ClientFromEnv(getenv)
	if err != nil {
		return Config{}, err
	}
	limits, err := fileLimits(getenv)
	if err != nil {
		return Config{}, err
	}
	rules, err := config.TokenRulesOf(getenv)
	if err != nil {
		return Config{}, err
	}
	hooks, err := config.ParseHooks(getenv(config.EnvHooks))
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvHooks, err)
	}
	return Config{
		Hooks:  hooks,
		Bucket: bucket.FromEnv(getenv, db.Options().Credentials), FileLimits: limits,
		DB: db, Table: getenv(config.EnvTable), LogTable: getenv(config.EnvLogTable),
		LiveTable: getenv(config.EnvLiveTable), LogRetention: retention, Log: log, Quiet: true,
		SendRate: rate, MayCreateRooms: mayCreate,
		Directory: directory, ProfilesByServices: profiles, NameClaim: getenv(config.EnvNameClaim), TokenRules: rules,
	}, nil
}

// fileLimits returns the limits of files that the variables set.
func fileLimits(getenv func(string) string) (attachment.Limits, error) {
	l := attachment.DefaultLimits()
	days := int64(l.DayFiles)
	for name, to := range map[string]*int64{
		config.EnvFileMB: &l.FileBytes, config.EnvFileDayMB: &l.DayBytes, config.EnvFileDayCount: &days,
	} {
		text := getenv(name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 1 {
			return l, fmt.Errorf("environment variable %s: %q is not a number from 1", name, text)
		}
		if *to = n; name != config.EnvFileDayCount {
			*to <<= 20
		}
	}
	l.DayFiles = int(days)
	if types := getenv(config.EnvFileTypes); types != "" {
		l.Types = strings.Split(types, ",")
	}
	return l, nil
}

// Directory parses who may list people: everyone, services or off. The empty string is everyone.
func Directory(s string) (people.Directory, error) {
	switch s {
	case "", config.Everyone:
		return people.ForEveryone, nil
	case config.Services:
		return people.ForServices, nil
	case config.Off:
		return people.ForNobody, nil
	}
	return 0, fmt.Errorf("%q is not one of %s, %s and %s", s, config.Everyone, config.Services, config.Off)
}

// ProfilesByServices parses who may change the facts of profiles: everyone or services. The empty
// string is everyone.
func ProfilesByServices(s string) (bool, error) {
	switch s {
	case "", config.Everyone:
		return false, nil
	case config.Services:
		return true, nil
	}
	return false, fmt.Errorf("%q is not one of %s and %s", s, config.Everyone, config.Services)
}

// RoomCreators parses the people who may create rooms: everyone, or user ids separated by commas.
// It returns nil for everyone and for the empty string.
func RoomCreators(s string) (func(chat.UserID) bool, error) {
	if s == "" || s == config.Everyone {
		return nil, nil
	}
	creators := map[chat.UserID]bool{}
	for name := range strings.SplitSeq(s, ",") {
		user, err := chat.ParseUserID(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		creators[user] = true
	}
	return func(user chat.UserID) bool { return creators[user] }, nil
}

// Store returns the store on the table.
func (p Config) Store() *dynamo.Store {
	return dynamo.New(p.DB, dynamo.Options{Table: p.Table, Clock: time.Now, Observe: observe})
}

// observe counts the units of a call toward the request that makes it.
func observe(ctx context.Context, u dynamo.Usage) { httpapi.Consumed(ctx, u.Units, u.Write) }

// HTTP returns the handler of one function's operations.
func (p Config) HTTP(operations httpapi.Operations) http.Handler {
	return p.handler(p.services(), operations)
}

func (p Config) services() *app.Services {
	return app.New(app.Options{
		Store: p.Store(), Logs: activity.NewStore(dynamo.NewLogTable(p.DB, p.LogTable, observe)),
		Live:  live.NewTable(dynamo.NewTable(p.DB, p.LiveTable, observe)),
		Clock: time.Now, Random: rand.Reader, LogRetention: p.LogRetention, Log: p.Log,
		SendRate: p.SendRate, SendBurst: burstOfRate * p.SendRate, Limits: ratelimit.For(p.SendRate),
		ServiceLimits:  ratelimit.ForServices(p.SendRate),
		MayCreateRooms: p.MayCreateRooms, Directory: p.Directory, ProfilesByServices: p.ProfilesByServices,
		Bucket: p.Bucket, FileLimits: p.FileLimits, Hooks: hook.Rules(p.Hooks),
		HookAddresses: p.HookAddresses,
	})
}

func (p Config) handler(s *app.Services, operations httpapi.Operations) http.Handler {
	return httpapi.New(httpapi.Options{
		Service:    s,
		Operations: operations,
		Subject:    p.subject,
		Name:       p.claimedName,
		IsService:  isService,
		Refused:    p.refused,
		RequestID:  gateway.RequestID,
		Log:        p.Log,
		Quiet:      p.Quiet,
		Clock:      time.Now,
	})
}

// subject returns the user of a request whose token the gateway has verified. It returns "" for a
// token that is not an access token.
func (p Config) subject(r *http.Request) string {
	user, _ := p.user(r)
	return user
}

// refused returns the check that makes subject return "".
func (p Config) refused(r *http.Request) string {
	_, check := p.user(r)
	return check
}

// user returns the user of a request's token, or the check that the token fails.
func (p Config) user(r *http.Request) (user, check string) {
	claims := gateway.Claims(r)
	if config.IsOtherToken(claims) {
		return "", "it is not an access token"
	}
	return p.TokenRules.User(claims)
}

// claimedName returns the name that a request's token claims.
func (p Config) claimedName(r *http.Request) string {
	return gateway.Claims(r)[cmp.Or(p.NameClaim, config.NameClaim)]
}

// isService reports whether a request's token belongs to a service.
func isService(r *http.Request) bool {
	return config.IsService(gateway.Claims(r))
}

// sweepMargin is the time that a sweep leaves of its function's, for the call that it makes last.
const sweepMargin = 10 * time.Second

// SearchFunction is the search function. It is a lambda.Handler of requests and of the daily
// schedule.
type SearchFunction struct {
	// Requests handles the API's events.
	Requests gateway.Function

	index *search.Service
	log   *slog.Logger
}

// Search returns the search function.
func (p Config) Search() SearchFunction {
	s := p.services()
	return SearchFunction{gateway.Function(gateway.Handler(p.handler(s, httpapi.Searches()))), s.Search, p.Log}
}

// Invoke sweeps the index for the schedule's event, which is {"sweep": true}, and handles any other
// event as a request.
func (f SearchFunction) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var event struct {
		Sweep bool `json:"sweep"`
	}
	if err := json.Unmarshal(payload, &event); err != nil {
		return nil, fmt.Errorf("decode the event: %w", err)
	}
	if event.Sweep {
		return []byte("null"), f.Sweep(ctx)
	}
	return f.Requests.Invoke(ctx, payload)
}

// Sweep sweeps the index once. It ends before the deadline of ctx.
func (f SearchFunction) Sweep(ctx context.Context) error {
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-sweepMargin))
		defer cancel()
	}
	swept, err := f.index.Sweep(ctx)
	counts := slog.Group(
		"swept", "rooms", swept.Rooms, "stored", swept.Stored, "removed", swept.Removed, "objects", swept.Objects,
	)
	if err != nil {
		f.log.ErrorContext(ctx, "sweep failed", slog.Any("error", err), counts)
		return err
	}
	f.log.InfoContext(ctx, "sweep", counts)
	return nil
}
