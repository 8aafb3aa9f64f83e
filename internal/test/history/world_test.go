package history_test

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/tabletest"
)

// nightlyRounds is the number of histories of a test at night, and the factor for the listings.
const nightlyRounds = 30

// seedsOf returns a seed for each round. A seed repeats the operations and faults of a history.
// Schedules still differ.
func seedsOf(t *testing.T, rounds int) []uint64 {
	t.Helper()
	first, seeds := nightly.Seed(t), make([]uint64, rounds)
	for n := range seeds {
		seeds[n] = first + uint64(n)
	}
	return seeds
}

// setup configures a history.
type setup struct {
	seed    uint64
	clients int
	steps   int // of each client
	rooms   int
	people  int // the number of users that share the clients
	sockets int // the number of readers through sockets
	// forgetful seeds readers who do not look at the numbers of frames.
	forgetful bool
	// store and feed wrap the store with a seeded fault, unless they are nil.
	store func(app.Stores) app.Stores
	feed  func(stream.Store) stream.Store
	// alter seeds a fault in the calls of all processes, as faults.Altered does, unless it is nil.
	alter func(input any) (output any)
}

// processes and consumers are the numbers of function instances, each with its own state.
const (
	processes = 4
	consumers = 2
)

// world is the system under test and the recorded history.
type world struct {
	t         *testing.T
	setup     setup
	rec       *recorder
	endpoint  string
	stream    *feedtest.Stream
	records   []events.DynamoDBEventRecord // the stream so far
	store     *dynamo.Store                // without faults
	reliable  *app.Services                // on store, without faults
	services  []*app.Services
	consumers []*consumer
	injectors []*faults.Injector
	pools     map[chat.RoomID]*pool
	feeds     map[chat.RoomID]*feedState
	// generation is the generation of the feeds that an answer returned, as a string.
	generation atomic.Value
	failures   *failures
	front      *front // nil without readers through sockets
	views      views
	frames     int // of changes that reached readers, before the network lost some
	lost       int // of these
}

func newWorld(t *testing.T, s setup) *world {
	t.Helper()
	w := &world{
		t: t, setup: s, rec: newRecorder(), endpoint: enginetest.Start(t), failures: &failures{},
		pools: map[chat.RoomID]*pool{}, feeds: map[chat.RoomID]*feedState{},
	}
	client := dynamo.LocalClient(w.endpoint)
	tabletest.Create(t, client, "chat")
	tabletest.CreateLog(t, client, "log")
	tabletest.CreateLive(t, client, "live")
	w.stream = feedtest.Open(t, w.endpoint, "chat")
	w.store = w.newStore(client)
	reliable := dynamo.LocalClient(w.endpoint, calls.Client(rights.Service))
	w.reliable = w.newService(w.newStore(reliable), reliable)
	for n := range s.rooms {
		w.createRoom(chat.RoomID(fmt.Sprint("room", n)), n%3+1)
	}
	if s.sockets > 0 {
		w.front, w.views.texts = newFront(w), map[shownRevision]string{}
	}
	r := mathrand.New(mathrand.NewPCG(s.seed, 0))
	for range processes {
		faulty := w.faulty(r, rights.Service)
		w.services = append(w.services, w.newService(w.wrapStore(w.newStore(faulty)), faulty))
	}
	for n := range consumers {
		c := &consumer{world: w, r: mathrand.New(mathrand.NewPCG(s.seed, uint64(1000+n)))}
		c.store = w.newStore(w.faulty(r, "feed"))
		if s.feed != nil {
			c.store = s.feed(c.store)
		}
		c.handler = c.newHandler()
		w.consumers = append(w.consumers, c)
	}
	return w
}

func (w *world) wrapStore(s app.Stores) app.Stores {
	if w.setup.store == nil {
		return s
	}
	return w.setup.store(s)
}

// faulty creates a client with its own plan of faults and the rights of a function.
func (w *world) faulty(r *mathrand.Rand, function string) *dynamodb.Client {
	in := &faults.Injector{}
	in.Plan(plan(r)...)
	w.injectors = append(w.injectors, in)
	return dynamo.NewClient(dynamo.ClientConfig{
		Region: "us-east-1", Endpoint: w.endpoint, Credentials: dynamo.StaticCredentials("local", "local", ""), Jitter: mathrand.Float64,
		Options: []func(*dynamodb.Options){calls.Client(function), in.Options, func(o *dynamodb.Options) { o.HTTPClient = &writeCounter{o.HTTPClient} }, faults.Altered(w.alter)},
	})
}

// alter passes calls on unchanged, unless the setup seeds a fault in them.
func (w *world) alter(input any) (output any) {
	if w.setup.alter == nil {
		return nil
	}
	return w.setup.alter(input)
}

func (w *world) newStore(client *dynamodb.Client) *dynamo.Store {
	return dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now, Jitter: mathrand.Float64})
}

func (w *world) newService(store app.Stores, client *dynamodb.Client) *app.Services {
	return app.New(app.Options{
		Store: store, Logs: activity.NewStore(dynamo.NewLogTable(client, "log", nil)), Live: live.NewTable(dynamo.NewTable(client, "live", nil)),
		Clock: time.Now, Random: rand.Reader, SendBurst: 1e6, Log: slog.New(slog.DiscardHandler),
	})
}

// createRoom creates a room that the first user owns and therefore moderates.
func (w *world) createRoom(id chat.RoomID, shards int) {
	if _, created, err := w.reliable.PutRoom(w.t.Context(), person(0), id, chat.RoomDraft{Shards: &shards}); err != nil || !created {
		w.t.Fatal(created, err)
	}
	w.pools[id], w.feeds[id] = &pool{}, &feedState{seqs: map[feed.Change]int64{}}
}

func person(n int) chat.UserID { return chat.UserID(fmt.Sprint("user", n)) }

// run runs all clients and delivers the stream to the consumers until both are finished.
func (w *world) run() {
	done := make(chan struct{})
	var all sync.WaitGroup
	var readers []*socketReader
	for n := range w.setup.sockets {
		readers = append(readers, w.startReader(n))
	}
	for _, s := range readers {
		s.awaitLive()
	}
	for n := range w.setup.clients {
		c := newClient(w, n)
		all.Go(c.run)
	}
	go func() {
		all.Wait()
		close(done)
	}()
	w.pump(done)
	w.readAll()
	w.finish(readers)
}

// batches returns the number of batches delivered to the consumers.
func (w *world) batches() (n int) {
	for _, c := range w.consumers {
		n += c.batches
	}
	return n
}

// injected returns the number of attempts that failed by an injected fault.
func (w *world) injected() (n int) {
	for _, in := range w.injectors {
		n += in.Struck()
	}
	return n
}
