package history_test

import (
	"crypto/rand"
	"flag"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/feed"
	"parley/internal/feedwriter"
	"parley/internal/test/enginetest"
	"parley/internal/test/faults"
	"parley/internal/test/feedtest"
	"parley/internal/test/rights"
	"parley/internal/test/tabletest"
)

var (
	seedFlag = flag.Uint64("seed", 0, "repeat what clients do and which calls fail under this seed; schedules differ all the same")
	rounds   = flag.Int("rounds", 1, "how many histories, and how many times as many listings, are checked")
)

// seedOf is the seed of one round.
func seedOf(round int) uint64 {
	if *seedFlag != 0 {
		return *seedFlag + uint64(round)
	}
	return mathrand.Uint64N(1_000_000_000) + 1 // short enough to be typed
}

// setup is what a history is made of.
type setup struct {
	seed    uint64
	clients int
	steps   int // of each client
	rooms   int
	people  int // clients are devices of so many
	// store and feed put a seeded fault in front of the store; nil is none.
	store func(app.Store) app.Store
	feed  func(feedwriter.Store) feedwriter.Store
}

// processes and consumers are how many functions there are of a kind, each with what it remembers.
const (
	processes = 4
	consumers = 2
)

// world is the system under test, and what is known of it.
type world struct {
	t         *testing.T
	setup     setup
	rec       *recorder
	endpoint  string
	stream    *feedtest.Stream
	records   []events.DynamoDBEventRecord // the stream so far
	store     *dynamo.Store                // without faults
	sound     *app.Services                // on it
	services  []*app.Services
	consumers []*consumer
	injectors []*faults.Injector
	pools     map[chat.RoomID]*pool
	feeds     map[chat.RoomID]*seen
	// generation is the feeds', as an answer has told it: a string.
	generation atomic.Value
	failures   *failures
}

func newWorld(t *testing.T, s setup) *world {
	t.Helper()
	w := &world{
		t: t, setup: s, rec: newRecorder(), endpoint: enginetest.Start(t), failures: &failures{},
		pools: map[chat.RoomID]*pool{}, feeds: map[chat.RoomID]*seen{},
	}
	client := dynamo.LocalClient(w.endpoint)
	tabletest.Create(t, client, "chat")
	tabletest.CreateLog(t, client, "log")
	w.stream = feedtest.Open(t, w.endpoint, "chat")
	w.store = w.newStore(client)
	sound := dynamo.LocalClient(w.endpoint, calls.Client(rights.Service))
	w.sound = w.newService(w.newStore(sound), sound)
	for n := range s.rooms {
		w.makeRoom(chat.RoomID(fmt.Sprint("room", n)), n%3+1)
	}
	r := mathrand.New(mathrand.NewPCG(s.seed, 0))
	for range processes {
		faulty := w.faulty(r, rights.Service)
		w.services = append(w.services, w.newService(w.seeded(w.newStore(faulty)), faulty))
	}
	for n := range consumers {
		c := &consumer{world: w, r: mathrand.New(mathrand.NewPCG(s.seed, uint64(1000+n)))}
		c.store = w.newStore(w.faulty(r, "feed"))
		if s.feed != nil {
			c.store = s.feed(c.store)
		}
		c.handler = c.fresh()
		w.consumers = append(w.consumers, c)
	}
	return w
}

func (w *world) seeded(s app.Store) app.Store {
	if w.setup.store == nil {
		return s
	}
	return w.setup.store(s)
}

// faulty makes a client with a plan of its own, whose calls are those of a function.
func (w *world) faulty(r *mathrand.Rand, function string) *dynamodb.Client {
	in := &faults.Injector{}
	in.Plan(plan(r)...)
	w.injectors = append(w.injectors, in)
	return dynamo.NewClient(dynamo.ClientConfig{
		Region: "us-east-1", Endpoint: w.endpoint, Credentials: dynamo.StaticCredentials("local", "local", ""), Jitter: mathrand.Float64,
		Options: []func(*dynamodb.Options){calls.Client(function), in.Options, func(o *dynamodb.Options) { o.HTTPClient = &counting{o.HTTPClient} }},
	})
}

func (w *world) newStore(client *dynamodb.Client) *dynamo.Store {
	return dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now, Jitter: mathrand.Float64})
}

func (w *world) newService(store app.Store, client *dynamodb.Client) *app.Services {
	return app.New(app.Options{
		Store: store, Logs: dynamo.NewLog(client, dynamo.Options{Table: "log"}), Clock: time.Now, Random: rand.Reader, SendBurst: 1e6,
		Log: slog.New(slog.DiscardHandler),
	})
}

// makeRoom makes a room; the first person owns all of them, and so moderates.
func (w *world) makeRoom(id chat.RoomID, shards int) {
	if _, created, err := w.sound.PutRoom(w.t.Context(), person(0), id, chat.RoomDraft{Shards: &shards}); err != nil || !created {
		w.t.Fatal(created, err)
	}
	w.pools[id], w.feeds[id] = &pool{}, &seen{at: map[feed.Change]int64{}}
}

func person(n int) chat.UserID { return chat.UserID(fmt.Sprint("user", n)) }

// run lets all clients loose and feeds the stream to the consumers meanwhile, until all is delivered.
func (w *world) run() {
	done := make(chan struct{})
	var all sync.WaitGroup
	for n := range w.setup.clients {
		c := newClient(w, n)
		all.Go(c.run)
	}
	go func() {
		all.Wait()
		close(done)
	}()
	w.pump(done)
	w.last()
}

// batches is how many batches the consumers were given.
func (w *world) batches() (n int) {
	for _, c := range w.consumers {
		n += c.batches
	}
	return n
}

// struck is how many attempts were made to fail.
func (w *world) struck() (n int) {
	for _, in := range w.injectors {
		n += in.Struck()
	}
	return n
}
