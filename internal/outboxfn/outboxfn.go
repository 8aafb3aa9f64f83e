// Package outboxfn constructs the outbox function, for the function's main and for the local
// server.
package outboxfn

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

// Config has the dependencies of the outbox function. Observe may be nil.
type Config struct {
	DB      *dynamodb.Client
	Table   string
	Private bool // hooks may have private and direct rooms
	Log     *slog.Logger
	Observe func(context.Context, dynamo.Usage)
}

// FromEnv returns the configuration of the deployed outbox function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (Config, error) {
	log, err := config.FunctionLogger(getenv, logs, config.EnvTable, config.EnvHooks)
	if err != nil {
		return Config{}, err
	}
	db, err := dynamo.ClientFromEnv(getenv)
	if err != nil {
		return Config{}, err
	}
	_, private, err := config.Hooks(getenv(config.EnvHooks)) // the stack creates the function if they are on
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvHooks, err)
	}
	return Config{DB: db, Table: getenv(config.EnvTable), Private: private, Log: log}, nil
}

// Function returns the function for this configuration.
func (c Config) Function() lambda.Handler {
	outbox := hook.NewOutbox(dynamo.NewTable(c.DB, c.Table, c.Observe), time.Now, c.Private)
	return lambda.NewHandler(func(ctx context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
		// A batch that fails is repeated as a whole, since a repetition changes nothing.
		return events.DynamoDBEventResponse{}, outbox.Wake(ctx, c.news(ctx, e.Records))
	})
}

// news returns the news of records, in their order. A segment that cannot be read is news: its key
// is enough to say so.
func (c Config) news(ctx context.Context, records []events.DynamoDBEventRecord) []hook.News {
	var all []hook.News
	for _, r := range records {
		n, err := newsOf(r)
		if err != nil {
			c.Log.ErrorContext(ctx, "a record of the stream cannot be read", "event", r.EventID, "error", err)
		}
		if n.Room != "" {
			all = append(all, n)
		}
	}
	return all
}

// newsOf returns the news of a record, without a room if it is none.
func newsOf(r events.DynamoDBEventRecord) (hook.News, error) {
	after, err := stream.Image(r.Change.NewImage)
	if err != nil {
		return hook.News{}, err
	}
	switch table.KindOf(after) {
	case table.RoomKind:
		room, err := table.ParseMetadata(after)
		if err != nil || !room.Deleted {
			return hook.News{}, err
		}
		return hook.News{Room: room.ID}, nil
	case table.FeedKind:
		return segmentOf(after)
	}
	return hook.News{}, nil
}

func segmentOf(item table.Item) (hook.News, error) {
	room, first, keyErr := table.ParseSegmentKey(item)
	if keyErr != nil {
		return hook.News{}, keyErr
	}
	s, err := table.ParseSegment(item)
	n := hook.News{Room: room, First: first, Generation: s.Generation}
	n.Old = err == nil && (s.CreatedFrom.IsZero() || hook.IsOld(s.WrittenAt, s.ReceivedTo))
	return n, err
}
