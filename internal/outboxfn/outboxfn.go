// Package outboxfn constructs the outbox function, for the function's main and for the local
// server.
package outboxfn

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/hookqueue"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

// Config has the dependencies of the outbox function. Observe may be nil.
type Config struct {
	DB      *dynamodb.Client
	Table   string
	Queue   hook.Queue // of the hooks with an address
	Rules   hook.Rules // what hooks may have
	Log     *slog.Logger
	Clock   func() time.Time
	Observe func(context.Context, dynamo.Usage)
}

// FromEnv returns the configuration of the deployed outbox function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (Config, error) {
	log, err := config.FunctionLogger(getenv, logs, config.EnvTable, config.EnvHooks, config.EnvHookQueue)
	if err != nil {
		return Config{}, err
	}
	db, err := dynamo.ClientFromEnv(getenv)
	if err != nil {
		return Config{}, err
	}
	rules, err := config.ParseHooks(getenv(config.EnvHooks)) // the stack creates the function if they are on
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvHooks, err)
	}
	return Config{
		DB: db, Table: getenv(config.EnvTable), Rules: hook.Rules(rules),
		Queue: hookqueue.FromEnv(getenv, db), Log: log,
		Clock: time.Now,
	}, nil
}

// event is what the function is called with: a batch of the table's stream, or the request to
// sweep, which a schedule makes.
type event struct {
	events.DynamoDBEvent
	Sweep bool `json:"sweep"`
}

// Outbox returns the outbox for this configuration.
func (c Config) Outbox() *hook.Outbox {
	return hook.NewOutbox(dynamo.NewTable(c.DB, c.Table, c.Observe), c.Queue, c.Clock, c.Rules)
}

// Function returns the function for this configuration.
func (c Config) Function() lambda.Handler {
	outbox := c.Outbox()
	return lambda.NewHandler(func(ctx context.Context, e event) (events.DynamoDBEventResponse, error) {
		if e.Sweep {
			return events.DynamoDBEventResponse{}, outbox.Sweep(ctx)
		}
		// A batch that fails is repeated as a whole, since a repetition changes nothing.
		news, changed := c.news(ctx, e.Records)
		return events.DynamoDBEventResponse{}, outbox.Wake(ctx, news, changed)
	})
}

// news returns the news of records, in their order, and the hooks that have changed. A segment that
// cannot be read is news: its key is enough to say so.
func (c Config) news(
	ctx context.Context, records []events.DynamoDBEventRecord,
) (all []hook.News, changed []hook.Hook) {
	for _, r := range records {
		after, err := stream.Image(r.Change.NewImage)
		var n hook.News
		switch {
		case err != nil:
		case slices.Contains([]table.Kind{table.HookKind, table.RoomHookKind}, table.KindOf(after)):
			var h hook.Hook
			if h, err = hook.Parse(after); err == nil {
				changed = append(changed, h)
			}
		default:
			n, err = newsOf(after)
		}
		if err != nil {
			c.Log.ErrorContext(ctx, "a record of the stream cannot be read", "event", r.EventID, "error", err)
		}
		if n.Room != "" {
			all = append(all, n)
		}
	}
	return all, changed
}

// newsOf returns the news of an item, without a room if it is none.
func newsOf(after table.Item) (hook.News, error) {
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
