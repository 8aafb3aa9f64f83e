// Package socketfn constructs the function of connections, for the function's main and for the
// local server.
package socketfn

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/account"
	"example.com/parley/internal/apigw"
	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/live"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/socketapi"
	"example.com/parley/internal/socketauth"
)

// Config has the dependencies of the function.
type Config struct {
	DB        *dynamodb.Client
	Table     string
	LiveTable string
	Poster    live.Poster
	Tokens    socketapi.Tokens
	Log       *slog.Logger
	// Quiet leaves requests that neither fail nor are slow to the gateway's log.
	Quiet    bool
	SendRate int // messages a second of one person, with which the limit of connections goes; 0 means the default
	// AnnounceTime bounds the sending of typing and presence in one request; 0 means the default.
	AnnounceTime time.Duration
}

// FromEnv returns the configuration of the deployed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (Config, error) {
	log, err := config.FunctionLogger(
		getenv, logs, config.EnvTable, config.EnvLiveTable, config.EnvSocketEndpoint,
	)
	if err != nil {
		return Config{}, err
	}
	db, err := dynamo.ClientFromEnv(getenv)
	if err != nil {
		return Config{}, err
	}
	rate, err := config.PostRate(getenv(config.EnvPostRate))
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvPostRate, err)
	}
	poster, err := apigw.New(apigw.Config{
		Endpoint: getenv(config.EnvSocketEndpoint), Region: db.Options().Region, Credentials: db.Options().Credentials,
		Rate: rate,
	})
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvSocketEndpoint, err)
	}
	sendRate, err := config.SendRate(getenv(config.EnvSendRate))
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvSendRate, err)
	}
	tokens, err := socketauth.TokensFromEnv(getenv, log)
	if err != nil {
		return Config{}, err
	}
	return Config{
		DB: db, Table: getenv(config.EnvTable), LiveTable: getenv(config.EnvLiveTable), Poster: poster, Tokens: tokens,
		Log: log, Quiet: true, SendRate: sendRate,
	}, nil
}

// Handler returns the handler of connections.
func (p Config) Handler() *socketapi.Handler {
	store := dynamo.New(p.DB, dynamo.Options{Table: p.Table, Clock: time.Now, Confined: true})
	rooms := chat.NewService(chat.Options{Store: store, Clock: time.Now})
	connections := dynamo.NewTable(p.DB, p.LiveTable, nil)
	rows, budgets := live.NewTable(connections), dynamo.NewConnectionBudgets(connections)
	accounts, blocks := account.NewService(account.Options{Table: store.Table(), Clock: time.Now}), block.NewService(
		store.Table(), time.Now,
	)
	subscriptions := live.NewService(live.Options{
		Store: rows, Rooms: live.NewMemberAuthorizer(store, rooms, time.Now),
		Heads: store, Accounts: accounts, Blocks: blocks, Clock: time.Now,
	})
	meter := func(limits ratelimit.Limits) *ratelimit.Meter {
		return ratelimit.NewMeter(ratelimit.Options{
			Store: budgets, Limits: limits, Clock: time.Now, Chance: rand.Float64,
		})
	}
	return socketapi.New(socketapi.Options{
		Subscriptions: subscriptions, Listeners: subscriptions, Poster: p.Poster, Tokens: p.Tokens,
		Accounts: accounts, Blocks: blocks,
		Inbox: inbox.NewService(inbox.Options{
			Store: inbox.NewStore(store.Table()), Source: store, Rooms: rooms, Blocks: blocks, Clock: time.Now,
		}),
		Meter:        meter(ratelimit.ForConnections(p.SendRate)),
		ServiceMeter: meter(ratelimit.ForServiceConnections(p.SendRate)),
		Log:          p.Log, Quiet: p.Quiet, Clock: time.Now, AnnounceTime: p.AnnounceTime,
	})
}
