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

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/stream"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// waitTime ends the wait for a record that does not come.
const waitTime = time.Minute

// tableName is the name of the table.
const tableName = "things"

// fixture is a table with a stream, and a file for the position.
type fixture struct {
	t        *testing.T
	endpoint string
	db       *dynamodb.Client
	arn      string
	file     string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	return newFixtureOn(t, enginetest.Start(t))
}

// newFixtureOn is newFixture on an engine.
func newFixtureOn(t *testing.T, endpoint string) *fixture {
	t.Helper()
	x := &fixture{t: t, endpoint: endpoint, file: filepath.Join(t.TempDir(), "position")}
	x.db = dynamo.LocalClient(x.endpoint)
	t.Cleanup(func() {
		x.db.Options().HTTPClient.(interface{ CloseIdleConnections() }).CloseIdleConnections()
	})
	tabletest.Create(t, x.db, tableName)
	x.enableStream()
	return x
}

// enableStream enables the table's stream.
func (x *fixture) enableStream() {
	x.t.Helper()
	var err error
	if x.arn, err = dynamo.EnableStream(x.t.Context(), x.db, tableName); err != nil {
		x.t.Fatal(err)
	}
}

// put writes an item of a type.
func (x *fixture) put(kind, name string, text int) {
	x.t.Helper()
	item := table.Key(tableName, name)
	item["type"] = &types.AttributeValueMemberS{Value: kind}
	item["text"] = &types.AttributeValueMemberB{Value: make([]byte, text)}
	if _, err := x.db.PutItem(x.t.Context(), &dynamodb.PutItemInput{TableName: aws.String(tableName), Item: item}); err != nil {
		x.t.Fatal(err)
	}
}

// putBypassing writes an item of a type that does not pass, with the attribute that makes it pass.
func (x *fixture) putBypassing(name string, value types.AttributeValue) {
	x.t.Helper()
	item := table.Key(tableName, name)
	item["type"], item["bypass"] = &types.AttributeValueMemberS{Value: "third"}, value
	if _, err := x.db.PutItem(x.t.Context(), &dynamodb.PutItemInput{TableName: aws.String(tableName), Item: item}); err != nil {
		x.t.Fatal(err)
	}
}

// putItems writes items that pass the filter, named by their numbers.
func (x *fixture) putItems(from, to int) {
	x.t.Helper()
	for n := from; n < to; n++ {
		x.put("thing", fmt.Sprintf("%03d", n), 1)
	}
}

func (x *fixture) remove(name string) {
	x.t.Helper()
	if _, err := x.db.DeleteItem(x.t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(tableName), Key: table.Key(tableName, name)}); err != nil {
		x.t.Fatal(err)
	}
}

// poller opens the stream for a function.
func (x *fixture) poller(f *function) *stream.Poller {
	x.t.Helper()
	client, end := stream.NewClient(x.endpoint)
	x.t.Cleanup(end)
	p, err := stream.Open(x.t.Context(), stream.Config{
		Streams: client, ARN: x.arn, Function: lambda.NewHandler(f.handle), File: x.file, Log: slog.New(slog.DiscardHandler), Clock: time.Now,
		Filter: stream.Filter{Attribute: table.AttrType, Present: []string{"thing"}, Removed: []string{"thing", "other"}, Bypass: []string{"other bypass", "bypass"}},
	})
	if err != nil {
		x.t.Fatal(err)
	}
	return p
}

// deliver runs a poller until all records are processed.
func (x *fixture) deliver(f *function) {
	x.t.Helper()
	ended, end := context.WithCancel(x.t.Context())
	end()
	p := x.poller(f)
	p.SetEndTimeout(waitTime)
	p.Run(ended)
}

// response computes the response to a batch.
type response func(call int, names []string) (failed []int, err error)

// function records the batches that it receives.
type function struct {
	mu      sync.Mutex
	batches [][]string
	respond response // nil accepts every batch
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
	if f.respond == nil {
		return resp, nil
	}
	failed, err := f.respond(len(f.batches), names)
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

// await waits until the function has received a number of batches.
func (f *function) await(t *testing.T, batches int) {
	t.Helper()
	for end := time.Now().Add(waitTime); len(f.all()) < batches; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("got %d batches, want %d", len(f.all()), batches)
		}
	}
}
