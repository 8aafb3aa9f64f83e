package stream_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.uber.org/goleak"

	"parley/internal/dynamo"
	"parley/internal/local/stream"
	"parley/internal/table"
	"parley/internal/test/enginetest"
	"parley/internal/test/tabletest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds the wait for a record, on a busy machine.
const patience = 20 * time.Second

// things is the name of the table.
const things = "things"

// world is a table with a stream, and a file for the position.
type world struct {
	t        *testing.T
	endpoint string
	db       *dynamodb.Client
	arn      string
	file     string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, endpoint: enginetest.Start(t), file: filepath.Join(t.TempDir(), "position")}
	w.db = dynamo.LocalClient(w.endpoint)
	t.Cleanup(func() {
		w.db.Options().HTTPClient.(interface{ CloseIdleConnections() }).CloseIdleConnections()
	})
	tabletest.Create(t, w.db, things)
	w.stream()
	return w
}

// stream switches the table's stream on.
func (w *world) stream() {
	w.t.Helper()
	var err error
	if w.arn, err = dynamo.EnableStream(w.t.Context(), w.db, things); err != nil {
		w.t.Fatal(err)
	}
}

// put writes an item of a type.
func (w *world) put(kind, name string, text int) {
	w.t.Helper()
	item := table.Key(things, name)
	item["type"] = &types.AttributeValueMemberS{Value: kind}
	item["text"] = &types.AttributeValueMemberB{Value: make([]byte, text)}
	if _, err := w.db.PutItem(w.t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: item}); err != nil {
		w.t.Fatal(err)
	}
}

// mark writes an item of a type that does not pass, with an attribute by which it does.
func (w *world) mark(name string, value types.AttributeValue) {
	w.t.Helper()
	item := table.Key(things, name)
	item["type"], item["mark"] = &types.AttributeValueMemberS{Value: "third"}, value
	if _, err := w.db.PutItem(w.t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: item}); err != nil {
		w.t.Fatal(err)
	}
}

// things puts so many items that pass the filter, named by their numbers.
func (w *world) things(from, to int) {
	w.t.Helper()
	for n := from; n < to; n++ {
		w.put("thing", fmt.Sprintf("%03d", n), 1)
	}
}

func (w *world) remove(name string) {
	w.t.Helper()
	if _, err := w.db.DeleteItem(w.t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(things), Key: table.Key(things, name)}); err != nil {
		w.t.Fatal(err)
	}
}

// poller opens the stream for a function.
func (w *world) poller(f *function) *stream.Poller {
	w.t.Helper()
	client, end := stream.NewClient(w.endpoint)
	w.t.Cleanup(end)
	p, err := stream.Open(w.t.Context(), stream.Config{
		Streams: client, ARN: w.arn, Function: lambda.NewHandler(f.handle), File: w.file, Log: slog.New(slog.DiscardHandler),
		Filter: stream.Filter{Attribute: table.AttrType, Present: []string{"thing"}, Removed: []string{"thing", "other"}, Marked: "mark"},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// deliver runs a poller until everything is done with.
func (w *world) deliver(f *function) {
	w.t.Helper()
	ended, end := context.WithCancel(w.t.Context())
	end()
	w.poller(f).Run(ended)
}

// answer is what a function says to a batch.
type answer func(call int, names []string) (failed []int, err error)

// function is a consumer that remembers what it was given.
type function struct {
	mu      sync.Mutex
	batches [][]string
	answer  answer // nil is well with everything
}

func (f *function) handle(_ context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var names []string
	for _, r := range e.Records {
		name := r.Change.Keys["SK"].String()
		if r.EventName == "REMOVE" {
			name = "-" + name
		}
		names = append(names, name)
	}
	f.batches = append(f.batches, names)
	var resp events.DynamoDBEventResponse
	if f.answer == nil {
		return resp, nil
	}
	failed, err := f.answer(len(f.batches), names)
	for _, i := range failed {
		id := "none of these"
		if i < len(e.Records) {
			id = e.Records[i].Change.SequenceNumber
		}
		resp.BatchItemFailures = append(resp.BatchItemFailures, events.DynamoDBBatchItemFailure{ItemIdentifier: id})
	}
	return resp, err
}

// all returns the batches so far.
func (f *function) all() [][]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([][]string(nil), f.batches...)
}

// await waits until there were so many batches.
func (f *function) await(t *testing.T, batches int) {
	t.Helper()
	for end := time.Now().Add(patience); len(f.all()) < batches; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("there were %d batches of %d", len(f.all()), batches)
		}
	}
}
