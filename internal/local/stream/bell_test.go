package stream_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/local/stream"
	"example.com/parley/internal/table"
)

// run runs a poller with a configuration until the returned function is called.
func (x *fixture) run(f *function, pause time.Duration, c stream.Config) (stop func()) {
	x.t.Helper()
	client, end := stream.NewClient(x.endpoint)
	x.t.Cleanup(end)
	c.Streams, c.ARN, c.Function, c.File, c.Log = client, x.arn, lambda.NewHandler(f.handle), x.file, slog.New(slog.DiscardHandler)
	c.Filter = stream.Filter{Attribute: table.AttrType, Present: []string{"thing"}}
	p, err := stream.Open(x.t.Context(), c)
	if err != nil {
		x.t.Fatal(err)
	}
	p.SetIdlePause(pause)
	p.SetEndTimeout(waitTime)
	ctx, cancel := context.WithCancel(x.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.Run(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

// TestPoller_WakesAfterAWrite has a pause that is longer than the test waits.
func TestPoller_WakesAfterAWrite(t *testing.T) {
	t.Parallel()
	x, f := newFixture(t), &function{}
	bell := stream.NewBell()
	stop := x.run(f, time.Hour, stream.Config{Clock: time.Now, Bell: bell})
	defer stop()
	x.db = dynamodb.New(x.db.Options(), bell.Options)
	for n := range 3 {
		x.putItems(n, n+1)
		f.await(t, n+1)
	}
	wantBatches(t, f, names(0, 1), names(1, 2), names(2, 3))
}

// TestBell_RingsAfterWrites makes calls of each kind.
func TestBell_RingsAfterWrites(t *testing.T) {
	t.Parallel()
	x := newFixture(t)
	bell := stream.NewBell()
	db := dynamodb.New(x.db.Options(), bell.Options)
	name, item := aws.String(tableName), table.Key(tableName, "1")
	put := &dynamodb.PutItemInput{TableName: name, Item: item, ConditionExpression: aws.String("attribute_not_exists(PK)")}
	for _, tt := range []struct {
		name string
		call func(ctx context.Context) error
		want bool
	}{
		{"a put", func(ctx context.Context) error { _, err := db.PutItem(ctx, put); return err }, true},
		{"a put that is refused", func(ctx context.Context) error { _, err := db.PutItem(ctx, put); return err }, false},
		{"a read", func(ctx context.Context) error {
			_, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: item})
			return err
		}, false},
		{"a transaction", func(ctx context.Context) error {
			write := types.TransactWriteItem{Put: &types.Put{TableName: name, Item: table.Key(tableName, "2")}}
			_, err := db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{write}})
			return err
		}, true},
		{"a removal", func(ctx context.Context) error {
			_, err := db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: name, Key: item})
			return err
		}, true},
	} {
		err := tt.call(t.Context())
		if rang := len(bell) == 1; rang != tt.want {
			t.Errorf("%s: rang %t, want %t: %v", tt.name, rang, tt.want, err)
		}
		select {
		case <-bell:
		default:
		}
	}
}

// TestPoller_TrimsOnceInAPause delivers three times while no time passes, and then ends.
func TestPoller_TrimsOnceInAPause(t *testing.T) {
	t.Parallel()
	x, f := newFixture(t), &function{}
	var trims atomic.Int64
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	stop := x.run(f, time.Millisecond, stream.Config{
		Clock: func() time.Time { return now },
		Trim:  func(context.Context, string) error { trims.Add(1); return nil },
	})
	for n := range 3 {
		x.putItems(n, n+1)
		f.await(t, n+1)
	}
	stop()
	if n := trims.Load(); n != 2 {
		t.Errorf("%d trims, want one, and one at the end", n)
	}
}
