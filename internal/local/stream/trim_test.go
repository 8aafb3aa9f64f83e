package stream_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/local/stream"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/tabletest"
)

// newFileFixture is newFixture on an engine with a file, which is made from the template.
func newFileFixture(t *testing.T) *fixture {
	t.Helper()
	e, err := engine.Start(t.Context(), engine.Config{File: t.TempDir() + "/engine.db", Env: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Stop(context.WithoutCancel(t.Context())) })
	return newFixtureOn(t, e.Endpoint())
}

// deliverAndTrim is deliver with a function that trims.
func (x *fixture) deliverAndTrim(f *function, trim func(context.Context, string) error) {
	x.t.Helper()
	client, end := stream.NewClient(x.endpoint)
	x.t.Cleanup(end)
	p, err := stream.Open(x.t.Context(), stream.Config{
		Streams: client, ARN: x.arn, Function: lambda.NewHandler(f.handle), File: x.file, Log: slog.New(slog.DiscardHandler), Clock: time.Now,
		Filter: stream.Filter{Attribute: table.AttrType, Present: []string{"thing"}, Removed: []string{"thing"}}, Trim: trim,
	})
	if err != nil {
		x.t.Fatal(err)
	}
	ended, cancel := context.WithCancel(x.t.Context())
	cancel()
	p.SetEndTimeout(10 * time.Second) // a function that always fails needs all of it
	p.Run(ended)
}

// records returns what the stream holds.
func (x *fixture) records() []types.Record {
	x.t.Helper()
	client, end := stream.NewClient(x.endpoint)
	defer end()
	ctx := x.t.Context()
	about, err := client.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: &x.arn})
	if err != nil {
		x.t.Fatal(err)
	}
	it, err := client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: &x.arn, ShardId: about.StreamDescription.Shards[0].ShardId, ShardIteratorType: types.ShardIteratorTypeTrimHorizon,
	})
	if err != nil {
		x.t.Fatal(err)
	}
	out, err := client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: it.ShardIterator})
	if err != nil {
		x.t.Fatal(err)
	}
	return out.Records
}

// TestPoller_TrimsWhatItHasDelivered delivers three times. The stream then holds one record without
// contents, from which the next delivery continues.
func TestPoller_TrimsWhatItHasDelivered(t *testing.T) {
	t.Parallel()
	x, f := newFileFixture(t), &function{}
	var last string
	trim := func(ctx context.Context, sequence string) error {
		last = sequence
		return engine.Trim(ctx, x.db, x.arn, sequence)
	}
	for n := range 3 {
		x.putItems(5*n, 5*n+5)
		x.deliverAndTrim(f, trim)
		left := x.records()
		if len(left) != 1 || left[0].Dynamodb.NewImage != nil || aws.ToString(left[0].Dynamodb.SequenceNumber) != last {
			t.Errorf("after delivery %d the stream holds %d records, %+v", n, len(left), left)
		}
	}
	wantBatches(t, f, names(0, 5), names(5, 10), names(10, 15))
}

// TestTrim_AcceptsANumberOfALaterEngine uses a number with the prefix that version 1.5 adds.
func TestTrim_AcceptsANumberOfALaterEngine(t *testing.T) {
	t.Parallel()
	x := newFileFixture(t)
	x.putItems(0, 5)
	third := aws.ToString(x.records()[2].Dynamodb.SequenceNumber)
	if padded := "100000000000000000000"; len(third) < len(padded) {
		third = padded[:len(padded)-len(third)] + third
	}
	if err := engine.Trim(t.Context(), x.db, x.arn, third); err != nil {
		t.Fatal(err)
	}
	if left := len(x.records()); left != 3 {
		t.Errorf("%d records are left, want the third and two that are not delivered", left)
	}
}

// TestPoller_TrimsNothingThatIsNotDelivered fails in the middle of a batch, and then in the trim.
func TestPoller_TrimsNothingThatIsNotDelivered(t *testing.T) {
	t.Parallel()
	x := newFileFixture(t)
	trim := func(ctx context.Context, sequence string) error { return engine.Trim(ctx, x.db, x.arn, sequence) }
	x.putItems(0, 5)
	failing := &function{respond: func(_ int, names []string) ([]int, error) { return []int{max(0, len(names)-3)}, nil }}
	x.deliverAndTrim(failing, trim)
	if left := len(x.records()); left < 3 {
		t.Errorf("%d records are left, of which three were not delivered", left)
	}
	f := &function{}
	x.deliverAndTrim(f, func(context.Context, string) error { return errors.New("down") })
	wantBatches(t, f, names(2, 5))
	x.deliverAndTrim(f, trim)
	if left := len(x.records()); left != 1 {
		t.Errorf("%d records are left after all were delivered", left)
	}
}

// TestDeleteTable_DeletesTheRecords creates a table again under the same name.
func TestDeleteTable_DeletesTheRecords(t *testing.T) {
	t.Parallel()
	x := newFileFixture(t)
	x.putItems(0, 5)
	for range 2 { // the second one is of no table
		if err := engine.DeleteTable(t.Context(), x.db, tableName); err != nil {
			t.Fatal(err)
		}
	}
	tabletest.Create(t, x.db, tableName)
	x.enableStream()
	x.putItems(5, 8)
	f := &function{}
	x.deliver(f)
	wantBatches(t, f, names(5, 8))
}
