// Package deliverfn constructs the deliver function, which sends changes to the addresses of hooks.
package deliverfn

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/hookqueue"
	"example.com/parley/internal/outgoing"
)

// Queue is the part of the queue that deliveries use.
type Queue interface {
	Delete(ctx context.Context, handles []string) error
	Hide(ctx context.Context, handles []string, d time.Duration) error
}

// Config has the dependencies of deliveries. Observe and Tried may be nil.
type Config struct {
	DB    *dynamodb.Client
	Table string
	Rules hook.Rules // what hooks may have
	// Addresses are the ones that may be opened.
	Addresses outgoing.Options
	Queue     Queue
	Log       *slog.Logger
	Clock     func() time.Time
	Observe   func(context.Context, dynamo.Usage)
	Tried     func(hook.Try)
}

// FromEnv returns the configuration of the deployed deliver function. It makes no request.
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

// Deliverer returns the deliverer for this configuration.
func (c Config) Deliverer() *hook.Deliverer {
	store := dynamo.New(c.DB, dynamo.Options{Table: c.Table, Clock: c.Clock, Observe: c.Observe})
	rooms := chat.NewService(chat.Options{Store: store, Clock: c.Clock})
	hooks := hook.NewService(hook.Options{
		Table: store.Table(), Feed: feed.NewService(store, rooms, c.Clock), Tails: store, Clock: c.Clock,
		Rooms: rooms, Rules: c.Rules, Addresses: c.Addresses,
	})
	return hook.NewDeliverer(hook.DelivererOptions{
		Service: hooks, Client: outgoing.New(c.Addresses), Random: rand.Float64, Log: c.Log, Sleep: sleep,
		Tried: c.Tried,
	})
}

// sleep waits for a time, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Handler returns the handler of batches of the queue. The response names the messages that stay in
// the queue.
func (c Config) Handler() func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
	h := handler{deliverer: c.Deliverer(), queue: c.Queue, log: c.Log}
	return h.handle
}

type handler struct {
	deliverer *hook.Deliverer
	queue     Queue
	log       *slog.Logger
}

// group has the messages of one hook.
type group struct {
	wakes    []hook.Wake
	messages []events.SQSMessage
}

// handle delivers to the hooks of a batch at the same time. The messages of a hook leave the queue
// as soon as they are done: a receiver that hangs must not hold those of the others.
func (h handler) handle(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
	b := batch{kept: []events.SQSBatchItemFailure{}} // an absent list is none of the documented answers
	groups := h.groups(ctx, e.Records, &b)
	b.running = len(groups)
	var all sync.WaitGroup
	for _, g := range groups {
		all.Go(func() {
			pause, err := h.deliverer.Deliver(ctx, g.wakes)
			switch others := b.done(); {
			case err != nil:
				h.log.ErrorContext(ctx, "a delivery failed", "hook", g.wakes[0].Hook, "error", err)
				b.keep(g.messages)
			case pause > 0:
				b.keep(g.messages)
				if err := h.queue.Hide(ctx, handles(g.messages), pause); err != nil {
					h.log.WarnContext(ctx, "a pause is not kept", "error", err)
				}
			case others > 0:
				if err := h.queue.Delete(ctx, handles(g.messages)); err != nil {
					h.log.WarnContext(ctx, "messages stay until the end of the batch", "error", err)
				}
			}
		})
	}
	all.Wait()
	return events.SQSEventResponse{BatchItemFailures: b.kept}, nil
}

// groups returns the messages of each hook. A message that cannot be read stays in the queue, which
// gives it up in the end.
func (h handler) groups(ctx context.Context, messages []events.SQSMessage, b *batch) []*group {
	var all []*group
	at := map[string]*group{}
	for _, m := range messages {
		var w hook.Wake
		if err := json.Unmarshal([]byte(m.Body), &w); err != nil {
			h.log.ErrorContext(ctx, "a wake-up cannot be read", "message", m.MessageId, "error", err)
			b.keep([]events.SQSMessage{m})
			continue
		}
		g := at[w.Group()]
		if g == nil {
			g = &group{}
			at[w.Group()], all = g, append(all, g)
		}
		g.wakes, g.messages = append(g.wakes, w), append(g.messages, m)
	}
	return all
}

func handles(messages []events.SQSMessage) (all []string) {
	for _, m := range messages {
		all = append(all, m.ReceiptHandle)
	}
	return all
}

// batch is the state of a batch.
type batch struct {
	mu      sync.Mutex
	running int // the hooks that are delivered to
	kept    []events.SQSBatchItemFailure
}

// done counts a hook as done, and returns how many are not.
func (b *batch) done() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running--
	return b.running
}

// keep lets messages stay in the queue.
func (b *batch) keep(messages []events.SQSMessage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range messages {
		b.kept = append(b.kept, events.SQSBatchItemFailure{ItemIdentifier: m.MessageId})
	}
}
