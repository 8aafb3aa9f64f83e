// Package feedfn constructs the feed function, for the function's main and for the local server. It
// is separate from apifn, so the function does not link the HTTP API.
package feedfn

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
	"parley/internal/feedwriter"
)

// Parts are the dependencies of the feed function.
type Parts struct {
	DB        *dynamodb.Client
	Table     string
	Failures  feedwriter.Failures
	Retention time.Duration // zero means the default
	Log       *slog.Logger
	// Consumers receive the entries that each batch appended.
	Consumers []feedwriter.Consumer
	// Observe is called with the units that each call consumes; nil means no observer.
	Observe func(context.Context, dynamo.Usage)
}

// FromEnv returns the parts of the deployed feed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (Parts, error) {
	log, err := config.Logger(getenv(config.EnvLogLevel), logs)
	if err != nil {
		return Parts{}, fmt.Errorf("environment variable %s: %w", config.EnvLogLevel, err)
	}
	for _, name := range []string{config.EnvTable, config.EnvFailureQueue} {
		if getenv(name) == "" {
			return Parts{}, fmt.Errorf("environment variable %s is not set", name)
		}
	}
	retention, err := config.Days(getenv(config.EnvFeedDays))
	if err != nil {
		return Parts{}, fmt.Errorf("environment variable %s: %w", config.EnvFeedDays, err)
	}
	db, err := dynamo.ClientFromEnv(getenv)
	if err != nil {
		return Parts{}, err
	}
	failures := NewFailureQueue(QueueConfig{
		URL: getenv(config.EnvFailureQueue), Region: db.Options().Region, Credentials: db.Options().Credentials,
		Endpoint: config.Endpoint(getenv, config.EnvSQSEndpoint),
	})
	return Parts{DB: db, Table: getenv(config.EnvTable), Failures: failures, Retention: retention, Log: log}, nil
}

// Handler returns the handler of batches of the table's stream.
func (p Parts) Handler() *feedwriter.Handler {
	return feedwriter.NewHandler(p.options())
}

// Appender returns an appender for repairs.
func (p Parts) Appender() *feedwriter.Appender {
	o := p.options()
	o.Remember = math.MaxInt // a repair compares with every change of a room
	return feedwriter.NewAppender(o)
}

func (p Parts) options() feedwriter.Options {
	return feedwriter.Options{
		Read: dynamo.ReadRecord, Store: dynamo.New(p.DB, dynamo.Options{Table: p.Table, Clock: time.Now, Observe: p.Observe}),
		Failures: p.Failures, Clock: time.Now, Retention: p.Retention, Log: p.Log, Consumers: p.Consumers,
	}
}
