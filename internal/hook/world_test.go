package hook_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/outboxfn"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/tabletest"
)

var bot = hook.ForService("indexer") // the service of the tests

// clock is a clock that advances by a millisecond with each reading.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// AuditPerson implements chat.Auditor.
func (w *world) AuditPerson(context.Context, chat.UserID, chat.AuditEvent) {}

// world is a table with rooms, whose stream the test passes to the feed and to the outbox.
type world struct {
	t        *testing.T
	endpoint string
	clock    *clock
	store    *dynamo.Store
	usage    tabletest.Usage
	feed     *stream.Handler
	outbox   lambda.Handler
	stream   *feedtest.Stream
	queue    *queue
	client   *outgoing.Client // to receivers; its connections stay open
	posts    int
	rules    hook.Rules

	mu    sync.Mutex
	audit []chat.AuditEvent
}

// Audit implements chat.Auditor.
func (w *world) Audit(_ context.Context, _ chat.RoomID, e chat.AuditEvent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.audit = append(w.audit, e)
}

// failures fails the test: no record of it is unreadable.
type failures struct{ t *testing.T }

func (f failures) Keep(_ context.Context, failure stream.Failure) error {
	f.t.Errorf("a record is given up: %+v", failure)
	return nil
}

// recorder refuses calls that the functions' roles do not allow.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"chat": "Table"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, rules: hook.Rules{On: true, Owners: true}, queue: &queue{}, endpoint: enginetest.Start(t), clock: &clock{now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)}}
	w.client = outgoing.New(outgoing.Options{Loopback: true})
	t.Cleanup(w.client.Close)
	db := dynamo.LocalClient(w.endpoint)
	tabletest.Create(t, db, "chat")
	w.stream = feedtest.Open(t, w.endpoint, "chat")
	w.store = dynamo.New(db, dynamo.Options{Table: "chat", Clock: w.clock.Now})
	w.feed = stream.NewHandler(stream.Options{Store: w.store, Failures: failures{t}, Clock: w.clock.Now, Log: slog.New(slog.DiscardHandler)})
	w.outbox = w.newOutbox()
	return w
}

func (w *world) newOutbox(options ...func(*dynamodb.Options)) lambda.Handler {
	return outboxfn.Config{
		DB: dynamo.LocalClient(w.endpoint, append(options, recorder.Client("outbox"))...), Table: "chat", Queue: w.queue, Log: slog.New(slog.DiscardHandler),
		Clock: time.Now, Observe: w.usage.Observe, Rules: w.rules,
	}.Function()
}

// service returns the service of a new process.
func (w *world) service(options ...func(*dynamodb.Options)) *hook.Service {
	db := dynamo.LocalClient(w.endpoint, append(options, recorder.Client(rights.Service))...)
	store := dynamo.New(db, dynamo.Options{Table: "chat", Clock: w.clock.Now, Observe: w.usage.Observe})
	rooms := chat.NewService(chat.Options{Store: store, Clock: w.clock.Now})
	return hook.NewService(hook.Options{
		Table: store.Table(), Feed: feed.NewService(store, rooms, w.clock.Now), Tails: store, Clock: w.clock.Now, Random: rand.Reader,
		Rooms: rooms, Audit: w, Rules: w.rules, Addresses: outgoing.Options{Loopback: true},
	})
}

func (w *world) room(id chat.RoomID) chat.Room {
	w.t.Helper()
	room := chat.Room{
		ID: id, Name: string(id), CreatedBy: "maker", CreatedAt: w.clock.Now(), Shards: 1, DigestKey: make([]byte, 32),
		Private: id.Private(), Posting: policy.Everyone,
	}
	if ok, err := w.store.CreateRoom(w.t.Context(), room, chat.OwnerOf(room, "maker")); err != nil || !ok {
		w.t.Fatal(ok, err)
	}
	return room
}

func (w *world) post(room chat.RoomID) chat.Message {
	w.t.Helper()
	w.posts++
	return w.put(room, w.clock.Now().Truncate(time.Millisecond))
}

func (w *world) put(room chat.RoomID, at time.Time) chat.Message {
	w.t.Helper()
	m := chat.Message{
		Room: room, Text: fmt.Sprint("text ", w.posts), ReceivedAt: at, Revision: 1, Digest: make([]byte, 16),
		ID: chat.MessageID{User: "amsg", UUID: chat.NewUUID(at, [10]byte{9: byte(w.posts)})},
	}
	if _, created, err := w.store.PutMessage(w.t.Context(), m); err != nil || !created {
		w.t.Fatal(created, err)
	}
	return m
}

func (w *world) revise(before, after chat.Message) {
	w.t.Helper()
	if _, ok, err := w.store.ReviseMessage(w.t.Context(), before, after); err != nil || !ok {
		w.t.Fatal(ok, err)
	}
}

// pump passes everything new to the feed, and then what that has appended to the outbox.
func (w *world) pump() {
	w.t.Helper()
	w.append(w.stream.Next(w.t))
	if err := w.note(w.outbox, w.stream.Next(w.t)); err != nil {
		w.t.Fatal(err)
	}
}

// append passes records to the feed, one at a time as in a quiet room, and to the outbox.
func (w *world) append(records []events.DynamoDBEventRecord) {
	w.t.Helper()
	for _, r := range records {
		resp, err := w.feed.Handle(w.t.Context(), events.DynamoDBEvent{Records: []events.DynamoDBEventRecord{r}})
		if err != nil || len(resp.BatchItemFailures) > 0 {
			w.t.Fatal(resp, err)
		}
	}
	if err := w.note(w.outbox, records); err != nil {
		w.t.Fatal(err)
	}
}

// note passes records to an outbox.
func (w *world) note(outbox lambda.Handler, records []events.DynamoDBEventRecord) error {
	w.t.Helper()
	payload, err := json.Marshal(events.DynamoDBEvent{Records: records})
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = outbox.Invoke(w.t.Context(), payload)
	return err
}

// make creates a hook.
func (w *world) make(id hook.ID, wanted hook.Wanted) {
	w.t.Helper()
	if _, created, _, err := w.service().Put(w.t.Context(), bot, id, hook.Settings{Wanted: wanted}); err != nil || !created {
		w.t.Fatal(created, err)
	}
}

// fetch fetches, and names the last answer as received.
func (w *world) fetch(id hook.ID, got string) hook.Answer {
	w.t.Helper()
	a, err := w.service().Fetch(w.t.Context(), bot, id, &got)
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

// texts returns the texts of all changes that wait, and receives them.
func (w *world) texts(id hook.ID) (all []string) {
	w.t.Helper()
	for last := "none"; ; {
		a := w.fetch(id, last)
		if last = a.ID; last == "" {
			return all
		}
		for _, r := range a.Rooms {
			for _, e := range r.Entries {
				if e.Message != nil {
					all = append(all, string(r.Room)+": "+e.Message.Text)
				}
			}
			if r.Deleted {
				all = append(all, string(r.Room)+" is deleted")
			}
			if r.Reset {
				all = append(all, string(r.Room)+" is reset")
			}
		}
	}
}

// crash ends a process at one of its requests: no later request is sent.
type crash struct {
	next  dynamodb.HTTPClient
	at    int64
	after bool // the request takes effect
	count atomic.Int64
}

var errCrashed = errors.New("the process has crashed")

func (c *crash) Do(r *http.Request) (*http.Response, error) {
	n := c.count.Add(1)
	if n > c.at || n == c.at && !c.after {
		return nil, errCrashed
	}
	resp, err := c.next.Do(r)
	if n == c.at && err == nil {
		_ = resp.Body.Close()
		return nil, errCrashed
	}
	return resp, err
}

func (c *crash) options(o *dynamodb.Options) {
	c.next, o.HTTPClient, o.Retryer = o.HTTPClient, c, aws.NopRetryer{}
}
