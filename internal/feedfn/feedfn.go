// Package feedfn constructs the feed function, for the function's main and for the local server. It
// is separate from apifn, so the function does not link the HTTP API.
package feedfn

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"example.com/parley/internal/apigw"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/block"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/erase"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/live"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/pin"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/tally"
	"example.com/parley/internal/thread"
)

// Config has the dependencies of the feed function.
type Config struct {
	DB        *dynamodb.Client
	Table     string
	Failures  stream.Failures
	Retention time.Duration // zero means the default
	Log       *slog.Logger
	// Projections run for each batch, after the rows and the tallies of messages, and before the
	// consumers.
	Projections []stream.Projection
	// Consumers receive the entries that each batch appended.
	Consumers []stream.Consumer
	// Watcher changes the shards of rooms; nil means one with the standard rule.
	Watcher *growth.Watcher
	// Observe is called with the units that each call consumes; it may be nil.
	Observe func(context.Context, dynamo.Usage)
	// Poster sends to connections, which are stored in LiveTable. If it is nil, nothing is
	// delivered live.
	Poster    live.Poster
	LiveTable string
	// Pacing returns how posts have kept within the account's rate of requests. It may be nil.
	Pacing func() live.Pacing
	// Bucket stores the files of messages; nil stores none.
	Bucket *bucket.Client
	// DeliveryTimes bound the delivery of a batch to connections; zeros mean the defaults of
	// package live.
	DeliveryTimes live.Times
	// After lets a delivery go on without another batch; nil if the process does not run between
	// batches, as in Lambda.
	After func(d time.Duration, f func())
}

// FromEnv returns the configuration of the deployed feed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (Config, error) {
	log, err := config.FunctionLogger(getenv, logs, config.EnvTable, config.EnvFailureQueue)
	if err != nil {
		return Config{}, err
	}
	retention, err := config.Days(getenv(config.EnvFeedDays))
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvFeedDays, err)
	}
	db, err := dynamo.ClientFromEnv(getenv)
	if err != nil {
		return Config{}, err
	}
	failures := NewFailureQueue(QueueConfig{
		URL: getenv(config.EnvFailureQueue), Region: db.Options().Region, Credentials: db.Options().Credentials,
		Endpoint: config.Endpoint(getenv, config.EnvSQSEndpoint),
	})
	c := Config{
		DB: db, Table: getenv(config.EnvTable), Failures: failures, Retention: retention, Log: log,
		Bucket: bucket.FromEnv(getenv, db.Options().Credentials),
	}
	return c, c.deliver(getenv)
}

// deliver adds live delivery, if the variables enable it.
func (p *Config) deliver(getenv func(string) string) error {
	endpoint := getenv(config.EnvSocketEndpoint)
	if endpoint == "" {
		return nil
	}
	if p.LiveTable = getenv(config.EnvLiveTable); p.LiveTable == "" {
		return fmt.Errorf("environment variable %s is not set", config.EnvLiveTable)
	}
	rate, err := config.PostRate(getenv(config.EnvPostRate))
	if err != nil {
		return fmt.Errorf("environment variable %s: %w", config.EnvPostRate, err)
	}
	client, err := apigw.New(apigw.Config{
		Endpoint: endpoint, Region: p.DB.Options().Region, Credentials: p.DB.Options().Credentials, Rate: rate,
	})
	if err != nil {
		return fmt.Errorf("environment variable %s: %w", config.EnvSocketEndpoint, err)
	}
	p.Poster, p.Pacing = client, client.Pacing
	return nil
}

// Handler returns the handler of batches of the table's stream.
func (p Config) Handler() *stream.Handler {
	o := p.options()
	o.Projections = slices.Concat(
		p.RepairProjections(), []stream.Projection{stream.NewAnnouncer(p.store())}, p.Projections,
	)
	watcher := p.Watcher
	if watcher == nil {
		watcher = growth.NewWatcher(p.store(), time.Now, p.Log)
	}
	o.Consumers = append(slices.Clone(o.Consumers), watcher)
	if p.Poster != nil {
		o.Consumers = append(o.Consumers, p.delivery())
	}
	o.Eraser = p.eraser()
	return stream.NewHandler(o)
}

// RepairProjections returns the projections that a repair also runs.
func (p Config) RepairProjections() []stream.Projection {
	// Tallies count the rows that the first projection writes.
	return []stream.Projection{
		thread.NewProjection(p.store().Table()), tally.NewCounter(p.store()), pin.NewProjection(p.store().Table()),
		attachment.NewProjection(p.store().Table(), p.store(), p.Bucket), p.mentions(),
	}
}

// delivery returns the consumer that sends changes to connections.
func (p Config) delivery() *live.Delivery {
	store := p.store()
	rows := live.NewTable(dynamo.NewTable(p.DB, p.LiveTable, p.Observe))
	return live.NewDelivery(live.DeliveryOptions{
		Rows: rows, Connections: rows, Details: store, Blocks: block.NewService(store.Table(), time.Now),
		// it only authorizes
		Rooms:  live.NewMemberAuthorizer(store, chat.NewService(chat.Options{Store: store, Clock: time.Now}), time.Now),
		Poster: p.Poster, Pacing: p.Pacing, Missed: rows, After: p.After, Clock: time.Now, Log: p.Log,
		Times: p.DeliveryTimes,
	})
}

// Appender returns an appender for repairs.
func (p Config) Appender() *stream.Appender {
	o := p.options()
	o.Memory = math.MaxInt // a repair compares with every change of a room
	return stream.NewAppender(o)
}

func (p Config) options() stream.Options {
	return stream.Options{
		Store: p.store(), Failures: p.Failures, Clock: time.Now, Retention: p.Retention, Log: p.Log,
		Consumers: p.Consumers,
	}
}

// mentions returns the projection that writes the rows of mentions.
func (p Config) mentions() *mention.Projection {
	store := p.store()
	return mention.NewProjection(mention.ProjectionOptions{
		Ledgers: mention.NewStore(store.Table()), Access: store, Blocks: block.NewService(store.Table(), time.Now),
		Clock: time.Now,
	})
}

// eraser returns the eraser of deleted people.
func (p Config) eraser() *erase.Eraser {
	store := p.store()
	members := membership.NewService(membership.Options{ // it only ends memberships, unaudited
		Store: store, Rooms: chat.NewService(chat.Options{Store: store, Clock: time.Now}), Clock: time.Now,
	})
	return erase.New(erase.Options{Table: store.Table(), Bucket: p.Bucket, Members: members, Clock: time.Now})
}

func (p Config) store() *dynamo.Store {
	return dynamo.New(p.DB, dynamo.Options{Table: p.Table, Clock: time.Now, Observe: p.Observe})
}

// sendTimeout bounds one attempt to send; the SDK makes three.
const sendTimeout = 3 * time.Second

// QueueConfig holds the settings of a FailureQueue.
type QueueConfig struct {
	URL         string
	Region      string
	Endpoint    string // empty means the default
	Credentials aws.CredentialsProvider
}

// FailureQueue implements stream.Failures on SQS.
type FailureQueue struct {
	client *sqs.Client
	url    string
}

// NewFailureQueue creates a queue client. It makes no request.
func NewFailureQueue(cfg QueueConfig) *FailureQueue {
	o := sqs.Options{Region: cfg.Region, Credentials: cfg.Credentials, HTTPClient: &http.Client{Timeout: sendTimeout}}
	if cfg.Endpoint != "" {
		o.BaseEndpoint = &cfg.Endpoint
	}
	return &FailureQueue{client: sqs.New(o), url: cfg.URL}
}

// Keep sends a failure as JSON.
func (q *FailureQueue) Keep(ctx context.Context, f stream.Failure) error {
	body, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("store failure: %w", err)
	}
	_, err = q.client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &q.url, MessageBody: aws.String(string(body))})
	if err != nil {
		return fmt.Errorf("store failure: %w", err)
	}
	return nil
}
