package model

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/feedwriter"
	"parley/internal/test/enginetest"
	"parley/internal/test/feedtest"
	"parley/internal/test/rights"
	"parley/internal/test/tabletest"
)

const (
	// processes is how many services and handlers share the table.
	processes = 2
	// life is how long what is superseded in a feed is kept: runs shall see the end of it.
	life = 3 * 24 * time.Hour
	// kept is how many of the last operations are told when a run fails.
	kept = 40
)

// start is ahead of every real clock, so that no engine removes what has not expired.
var start = time.Date(2040, 2, 28, 23, 59, 30, 0, time.UTC)

// clock is the one clock of a world: of services, stores, handlers and the stream.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time          { return time.Unix(0, c.ns.Load()) }
func (c *clock) advance(d time.Duration) { c.ns.Add(int64(d)) }

// seeded is chance that repeats.
type seeded struct {
	mu sync.Mutex
	r  *rand.Rand
}

func (s *seeded) Read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range b {
		b[i] = byte(s.r.Uint32())
	}
	return len(b), nil
}

// store is what the services and the handlers stand on.
type store interface {
	app.Store
	feedwriter.Store
}

// world is the model, the real thing, and those who use both.
type world struct {
	t        testing.TB
	ctx      context.Context
	rand     *rand.Rand
	clock    *clock
	model    *model
	client   *dynamodb.Client
	services []*app.Services
	handlers []*feedwriter.Handler
	failures failures
	stream   *feedtest.Stream

	chunks []chunk // what the stream has told, one operation each
	told   int     // how many of them the feeds have taken
	born   int     // how often the stream was switched on anew

	sent     []sending
	pagers   []*pager
	replicas []*replica
	texts    int
	// settled is which process changed a room's settings, and until when others may not know.
	settled map[chat.RoomID]settling

	trace []string
	// done and answers count operations, and what was answered.
	done    int
	counts  map[string]int
	answers map[chat.Kind]int
}

// settling is a room whose settings were changed lately.
type settling struct {
	service int
	until   time.Time
}

// chunk is what one operation has put into the stream.
type chunk struct {
	events     []event
	records    []events.DynamoDBEventRecord
	at         time.Time
	generation string
}

// failures is feedwriter.Failures that nothing may come to.
type failures struct{ n atomic.Int64 }

func (f *failures) Keep(context.Context, feedwriter.Failure) error { f.n.Add(1); return nil }

const tableName = "chat"

// newWorld makes an empty world. spoil may put a fault between the store and those who use it.
func newWorld(t testing.TB, seed uint64, spoil func(store) store) *world {
	t.Helper()
	endpoint := enginetest.Start(t)
	w := &world{
		t: t, ctx: t.Context(), rand: rand.New(rand.NewPCG(seed, 0)), clock: &clock{}, client: dynamo.LocalClient(endpoint),
		counts: map[string]int{}, answers: map[chat.Kind]int{}, settled: map[chat.RoomID]settling{},
	}
	w.ctx = rights.As(w.ctx, rights.Service)
	recorded := dynamo.LocalClient(endpoint, recorder.Options)
	w.clock.ns.Store(start.UnixNano())
	w.model = &model{clock: w.clock.now, life: life, rooms: map[chat.RoomID]*room{}}
	tabletest.Create(t, w.client, tableName)
	tabletest.CreateLog(t, w.client, "log")
	w.stream = feedtest.Open(t, endpoint, tableName)
	random := &seeded{r: rand.New(rand.NewPCG(seed, 1))}
	for range processes {
		s := spoil(dynamo.New(recorded, dynamo.Options{Table: tableName, Clock: w.clock.now}))
		w.services = append(w.services, app.New(app.Options{
			Store: s, Logs: dynamo.NewLog(recorded, dynamo.Options{Table: "log"}), Clock: w.clock.now, Random: random,
			SendRate: 1_000_000, SendBurst: 1_000_000,
		}))
		w.handlers = append(w.handlers, feedwriter.NewHandler(feedwriter.Options{
			Read: dynamo.ReadRecord, Store: s, Failures: &w.failures, Clock: w.clock.now, Retention: life, Log: slog.New(slog.DiscardHandler),
			Jitter: func() float64 { return 0 },
		}))
	}
	return w
}

// listen takes from the stream what the last operation has done. The stream tells real time, so its
// records are dated anew: the feed's look-back goes by when a record was created.
func (w *world) listen() {
	if len(w.model.news) == 0 {
		return
	}
	c := chunk{events: w.model.news, records: w.stream.Next(w.t), at: w.clock.now(), generation: fmt.Sprintf("generation-%03d", w.born)}
	w.model.news = nil
	for i := range c.records {
		r := &c.records[i]
		r.Change.ApproximateCreationDateTime = events.SecondsEpochTime{Time: c.at.Truncate(time.Second)}
		arn, _, _ := strings.Cut(r.EventSourceArn, "/stream/")
		r.EventSourceArn = arn + "/stream/" + c.generation
	}
	w.chunks = append(w.chunks, c)
}

// service is a process that knows a room's settings: one that did not change them itself may act on
// the former ones for a while.
func (w *world) service(in chat.RoomID) *app.Services {
	if s, ok := w.settled[in]; ok && w.clock.now().Before(s.until) {
		return w.services[s.service]
	}
	return w.services[w.rand.IntN(processes)]
}

// note tells what is about to be done, for whoever must find out why it failed.
func (w *world) note(format string, args ...any) {
	line := fmt.Sprintf("%s ", w.clock.now().UTC().Format("02 15:04:05.000")) + fmt.Sprintf(format, args...)
	if len(line) > 300 {
		line = line[:300] + "…"
	}
	if w.trace = append(w.trace, line); len(w.trace) > kept {
		w.trace = w.trace[1:]
	}
}

// refusal is an error as clients see it; the zero one is none.
type refusal struct {
	Kind   chat.Kind
	Wait   time.Duration
	Server time.Time
	Fault  string // of an error that no client can do anything about
}

func refused(kind chat.Kind) refusal { return refusal{Kind: kind} }

func refusalOf(err error) refusal {
	if err == nil {
		return refusal{}
	}
	var e *chat.Error
	if !errors.As(err, &e) || e.Kind == chat.Unavailable {
		return refusal{Fault: err.Error()}
	}
	return refusal{Kind: e.Kind, Wait: e.RetryAfter, Server: e.ServerTime}
}

// answer is what an operation says: what it refuses, or what it gives.
type answer struct {
	Refusal refusal
	Given   any
	Flag    bool // a retry, somebody new, a room that was made
}

// agree compares what the model says with what the engine says.
func (w *world) agree(want, got answer) error {
	w.answers[want.Refusal.Kind]++
	if want.Refusal != (refusal{}) {
		want.Given, want.Flag = nil, false
	}
	if got.Refusal != (refusal{}) {
		got.Given, got.Flag = nil, false
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		return fmt.Errorf("the model (-) and the engine (+) do not agree:\n%s", diff)
	}
	return nil
}
