package model

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/live"
	"example.com/parley/internal/saved"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/tabletest"
)

const (
	// processes is the number of services and handlers that share the table.
	processes = 2
	// retention is the retention of superseded segments. It is short, so that segments expire
	// during a run.
	retention = 3 * 24 * time.Hour
	// maxTrace is the number of operations that a failed run reports.
	maxTrace = 40
)

// start is later than the real time, so that the engine itself expires nothing.
var start = time.Date(2040, 2, 28, 23, 59, 30, 0, time.UTC)

// clock is the clock that the services, stores, handlers and the stream share.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time { return time.Unix(0, c.ns.Load()) }

func (c *clock) advance(d time.Duration) { c.ns.Add(int64(d)) }

// store is the store of the services and the handlers.
type store interface {
	app.Stores
	stream.Store
	projectionStore
}

// world is the model, the real services on one table, and the clients that use both.
type world struct {
	t        testing.TB
	ctx      context.Context
	rand     *rand.Rand
	clock    *clock
	model    *model
	client   *dynamodb.Client
	services []*app.Services
	bucket   *buckettest.Bucket
	handlers []*stream.Handler
	failures failures
	stream   *feedtest.Stream
	online   online

	chunks    []chunk // the stream's records, one chunk per operation
	delivered int     // the number of chunks that the feeds received
	restarts  int     // how often the stream was switched off and on

	posted    []postRequest
	requested []roomRequest
	pagers    []*pager
	replicas  []*replica
	public    []chat.RoomID // the ids of public rooms that are not deleted
	texts     int
	// recentChanges are the rooms whose settings other processes may not know yet.
	recentChanges map[chat.RoomID]settingsChange

	trace []string
	// done and counts count the operations, answers their results.
	done    int
	counts  map[string]int
	answers map[chat.Kind]int
}

// settingsChange is a recent change of a room's settings: the process that made it, and the time
// until which other processes may use the old ones.
type settingsChange struct {
	service int
	until   time.Time
}

// chunk is the part of the stream that one operation added.
type chunk struct {
	events     []event
	records    []events.DynamoDBEventRecord
	at         time.Time
	generation string
}

// failures is a stream.Failures that expects no failure and counts them.
type failures struct{ n atomic.Int64 }

func (f *failures) Keep(context.Context, stream.Failure) error { f.n.Add(1); return nil }

const tableName = "chat"

// newWorld creates an empty world. inject may return a store with a fault.
func newWorld(t testing.TB, seed uint64, inject func(store) store) *world {
	t.Helper()
	endpoint := enginetest.Start(t)
	w := &world{
		t: t, ctx: t.Context(), rand: rand.New(rand.NewPCG(seed, 0)), clock: &clock{}, client: dynamo.LocalClient(endpoint),
		public: slices.Clone(publicRooms), counts: map[string]int{}, answers: map[chat.Kind]int{}, recentChanges: map[chat.RoomID]settingsChange{},
	}
	w.ctx = rights.As(w.ctx, rights.Service)
	recorded := dynamo.LocalClient(endpoint, recorder.Options)
	w.clock.ns.Store(start.UnixNano())
	w.model = &model{clock: w.clock.now, retention: retention, rooms: map[chat.RoomID]*room{}, deleted: map[chat.RoomID]*room{}, saved: map[chat.UserID][]saved.Entry{}, blocks: blockList{}}
	tabletest.Create(t, w.client, tableName)
	tabletest.CreateLog(t, w.client, "log")
	tabletest.CreateLive(t, w.client, "live")
	w.bucket = buckettest.New(t, w.clock.now)
	w.stream = feedtest.Open(t, endpoint, tableName)
	w.online = online{
		rand: rand.New(rand.NewPCG(seed, 2)), rows: live.NewTable(dynamo.NewTable(w.client, "live", nil)), in: map[chat.RoomID]map[chat.UserID]bool{},
	}
	random := nightly.Random(seed, 1)
	for range processes {
		s := inject(dynamo.New(recorded, dynamo.Options{Table: tableName, Clock: w.clock.now}))
		if b, ok := s.(tableBug); ok {
			b.connect(dynamo.NewTable(w.client, tableName, nil))
		}
		if b, ok := s.(*alteredCalls); ok {
			b.table = dynamo.NewTable(dynamo.LocalClient(endpoint, recorder.Options, faults.Altered(b.alter)), tableName, nil)
		}
		var rows live.Store = live.NewTable(dynamo.NewTable(recorded, "live", nil))
		if b, ok := s.(liveBug); ok {
			rows = b.connectLive(rows)
		}
		o := app.Options{
			Store: s, Logs: activity.NewStore(dynamo.NewLogTable(recorded, "log", nil)), Live: rows,
			Clock: w.clock.now, Random: random,
			SendRate: 1_000_000, SendBurst: 1_000_000, Bucket: w.bucket.Client, FileLimits: attachment.Limits{FileBytes: 1 << 20, DayBytes: 1 << 40, DayFiles: 1 << 20},
		}
		services := app.New(o)
		if b, ok := s.(serviceBug); ok {
			b.connectServices(services, o)
		}
		w.services = append(w.services, services)
		w.handlers = append(w.handlers, stream.NewHandler(stream.Options{
			Store: s, Failures: &w.failures, Clock: w.clock.now, Retention: retention, Log: slog.New(slog.DiscardHandler),
			Jitter: func() float64 { return 0 }, Projections: projectionsOf(s, w.bucket.Client, w.clock.now),
		}))
	}
	return w
}

// readStream reads the stream records of the last operation. The engine dates records by the real
// time, but a feed's look-back uses those dates. They are replaced by the world's time.
func (w *world) readStream() {
	if len(w.model.events) == 0 {
		return
	}
	w.addChunk(w.model.events)
	w.model.events = nil
}

// addChunk reads the stream's new records, and adds them with their events. There may be none.
func (w *world) addChunk(added []event) {
	c := chunk{events: added, records: w.stream.Next(w.t), at: w.clock.now(), generation: fmt.Sprintf("generation-%03d", w.restarts)}
	if len(c.events)+len(c.records) == 0 {
		return
	}
	for i := range c.records {
		r := &c.records[i]
		r.Change.ApproximateCreationDateTime = events.SecondsEpochTime{Time: c.at.Truncate(time.Second)}
		arn, _, _ := strings.Cut(r.EventSourceArn, "/stream/")
		r.EventSourceArn = arn + "/stream/" + c.generation
	}
	w.chunks = append(w.chunks, c)
}

// service returns a process that knows the room's settings.
func (w *world) service(in chat.RoomID) *app.Services { return w.services[w.process(in)] }

// process returns the number of a process that knows the room's settings. After a change, the other
// process may use the old settings until its cache expires.
func (w *world) process(in chat.RoomID) int {
	if s, ok := w.recentChanges[in]; ok && w.clock.now().Before(s.until) {
		return s.service
	}
	return w.rand.IntN(processes)
}

// note adds the next operation to the trace, which a failed run prints.
func (w *world) note(format string, args ...any) {
	line := fmt.Sprintf("%s ", w.clock.now().UTC().Format("02 15:04:05.000")) + fmt.Sprintf(format, args...)
	if len(line) > 300 {
		line = line[:300] + "…"
	}
	if w.trace = append(w.trace, line); len(w.trace) > maxTrace {
		w.trace = w.trace[1:]
	}
}

// refusal is an error as clients see it. The zero value means success.
type refusal struct {
	Kind   chat.Kind
	Wait   time.Duration
	Server time.Time
	Fault  string // the text of an internal error
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

// answer is the result of an operation: a refusal or a value.
type answer struct {
	Refusal refusal
	Given   any
	Flag    bool // a retry, a new member or a new room
}

// agree compares the model's result with the engine's.
func (w *world) agree(want, got answer) error {
	w.answers[want.Refusal.Kind]++
	if want.Refusal != (refusal{}) {
		want.Given, want.Flag = nil, false
	}
	if got.Refusal != (refusal{}) {
		got.Given, got.Flag = nil, false
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		return fmt.Errorf("the model (-) and the engine (+) differ:\n%s", diff)
	}
	return nil
}

// recorder checks that services and feed handlers make only calls that their roles permit.
var recorder = rights.NewRecorder(rights.RepositoryStack("../../.."), rights.Names{tableName: "Table", "log": "LogTable", "live": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }

// alteredCalls is a store with a fault in the calls that capabilities make themselves.
type alteredCalls struct {
	store
	alter func(input any) (output any)
	table *dynamo.Table
}

// withCalls returns a store whose capabilities make altered calls. alter may change the input of a
// call, or return what faults.Altered accepts.
func withCalls(s store, alter func(input any) (output any)) store {
	return &alteredCalls{store: s, alter: alter}
}

// Table implements app.Stores.
func (b *alteredCalls) Table() *dynamo.Table { return b.table }
