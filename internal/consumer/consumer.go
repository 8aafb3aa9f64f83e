// Package consumer puts the parts of the feed function together, for the function and for serve. It
// stands apart from wiring, so that the function does not carry the HTTP API.
package consumer

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/config"
	"parley/internal/dynamo"
	"parley/internal/env"
	"parley/internal/feed"
	"parley/internal/queue"
)

// Parts are what the feed function is made of.
type Parts struct {
	DB       *dynamodb.Client
	Table    string
	Failures feed.Failures
	Life     time.Duration // zero is the default
	Log      *slog.Logger
	// Consumers receive what each batch appended.
	Consumers []feed.Consumer
	// Observe is told of what each call consumes; nil is nobody.
	Observe func(context.Context, dynamo.Usage)
}

// FromEnv makes the parts of the deployed feed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (Parts, error) {
	log, err := env.Logger(getenv(config.EnvLogLevel), logs)
	if err != nil {
		return Parts{}, fmt.Errorf("environment variable %s: %w", config.EnvLogLevel, err)
	}
	for _, name := range []string{config.EnvTable, config.EnvFailureQueue} {
		if getenv(name) == "" {
			return Parts{}, fmt.Errorf("environment variable %s is not set", name)
		}
	}
	life, err := env.Days(getenv(config.EnvFeedDays))
	if err != nil {
		return Parts{}, fmt.Errorf("environment variable %s: %w", config.EnvFeedDays, err)
	}
	db, err := dynamo.ClientFromEnv(getenv)
	if err != nil {
		return Parts{}, err
	}
	failures := queue.New(queue.Config{
		URL: getenv(config.EnvFailureQueue), Region: db.Options().Region, Credentials: db.Options().Credentials,
		Endpoint: env.Endpoint(getenv, config.EnvSQSEndpoint),
	})
	return Parts{DB: db, Table: getenv(config.EnvTable), Failures: failures, Life: life, Log: log}, nil
}

// Handler takes batches of the table's stream.
func (p Parts) Handler() *feed.Handler {
	return feed.NewHandler(p.options())
}

// Appender appends to feeds, for repairs.
func (p Parts) Appender() *feed.Appender {
	o := p.options()
	o.Remember = math.MaxInt // a repair looks for every change that was ever made
	return feed.NewAppender(o)
}

func (p Parts) options() feed.Options {
	return feed.Options{
		Read: dynamo.ReadRecord, Store: dynamo.New(p.DB, dynamo.Options{Table: p.Table, Clock: time.Now, Observe: p.Observe}),
		Failures: p.Failures, Clock: time.Now, Life: p.Life, Log: p.Log, Consumers: p.Consumers,
	}
}
