// Package socketfn constructs the function of connections, for the function's main and for the
// local server.
package socketfn

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/block"
	"parley/internal/chat"
	"parley/internal/config"
	"parley/internal/dynamo"
	"parley/internal/inbox"
	"parley/internal/live"
	"parley/internal/socketapi"
)

// Parts are the dependencies of the function.
type Parts struct {
	DB        *dynamodb.Client
	Table     string
	LiveTable string
	// Poster sends frames to connections, and ends them. Without one, no frame is sent but answers.
	Poster socketapi.Poster
	Log    *slog.Logger
}

// FromEnv returns the parts of the deployed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (Parts, error) {
	log, err := config.Logger(getenv(config.EnvLogLevel), logs)
	if err != nil {
		return Parts{}, fmt.Errorf("environment variable %s: %w", config.EnvLogLevel, err)
	}
	for _, name := range []string{config.EnvTable, config.EnvLiveTable, config.EnvSocketEndpoint} {
		if getenv(name) == "" {
			return Parts{}, fmt.Errorf("environment variable %s is not set", name)
		}
	}
	db, err := dynamo.ClientFromEnv(getenv)
	if err != nil {
		return Parts{}, err
	}
	return Parts{DB: db, Table: getenv(config.EnvTable), LiveTable: getenv(config.EnvLiveTable), Log: log}, nil
}

// Handler returns the handler of connections.
func (p Parts) Handler() *socketapi.Handler {
	store := dynamo.New(p.DB, dynamo.Options{Table: p.Table, Clock: time.Now})
	rooms := chat.NewService(chat.Options{Store: store, Clock: time.Now})
	subscriptions := live.NewService(live.Options{
		Store: dynamo.NewLive(p.DB, dynamo.Options{Table: p.LiveTable}), Rooms: live.NewReaders(store, rooms, time.Now),
		Heads: store, Clock: time.Now,
	})
	return socketapi.New(socketapi.Options{
		Subscriptions: subscriptions, Listeners: subscriptions, Poster: cmp.Or(p.Poster, socketapi.Poster(silent{})),
		Inbox: inbox.NewService(store, rooms, block.NewService(store, time.Now), time.Now),
		Log:   p.Log, Clock: time.Now,
	})
}

// silent is a poster of a server without connections that it could reach.
type silent struct{}

func (silent) Post(context.Context, live.ConnectionID, []byte) error { return live.ErrBusy }
func (silent) Close(context.Context, live.ConnectionID) error        { return live.ErrBusy }
