package httpapi_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feedfn"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/live"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/test/tabletest"
)

// fedAPI is the API with the feed function's handler, which reads the table's stream.
type fedAPI struct {
	*api
	t       *testing.T
	db      *dynamodb.Client
	stream  *feedtest.Stream
	handler *stream.Handler
	kept    []stream.Failure
	ahead   time.Duration // of the API's clock
	calls   atomic.Int64  // to the table
}

// observe charges the caller for the units of a call.
func (w *fedAPI) observe(ctx context.Context, u dynamo.Usage) {
	w.calls.Add(1)
	httpapi.Consumed(ctx, u.Units, u.Write)
}

func (w *fedAPI) Keep(_ context.Context, f stream.Failure) error {
	w.kept = append(w.kept, f)
	return nil
}

func newFedAPI(t *testing.T, change ...func(*app.Options)) *fedAPI {
	t.Helper()
	endpoint := enginetest.Start(t)
	w := &fedAPI{t: t, db: dynamo.LocalClient(endpoint)}
	api := dynamo.LocalClient(endpoint, recorder.Options)
	tabletest.Create(t, w.db, "chat-fed")
	tabletest.CreateLog(t, w.db, "log-fed")
	tabletest.CreateLive(t, w.db, "live-fed")
	w.api = newAPIOn(t, dynamo.New(api, dynamo.Options{Table: "chat-fed", Clock: time.Now, Observe: w.observe}), activity.NewStore(dynamo.NewLogTable(api, "log-fed", nil)), append(change, func(o *app.Options) {
		o.Live, o.Clock, o.Random = live.NewTable(dynamo.NewTable(api, "live-fed", nil)), func() time.Time { return time.Now().Add(w.ahead) }, rand.Reader
	})...)
	w.stream = feedtest.Open(t, endpoint, "chat-fed")
	w.handler = feedfn.Config{
		DB: dynamo.LocalClient(endpoint, recorder.Client("feed")), Table: "chat-fed", Failures: w, Log: slog.New(slog.DiscardHandler),
	}.Handler()
	return w
}

// settle handles the stream until it brings nothing more, and returns the number of batches.
func (w *fedAPI) settle() (batches int) {
	w.t.Helper()
	for ; batches < 100; batches++ {
		records := w.stream.Next(w.t)
		if len(records) == 0 {
			return batches
		}
		r, err := w.handler.Handle(w.t.Context(), events.DynamoDBEvent{Records: records})
		if err != nil || len(r.BatchItemFailures) > 0 || len(w.kept) > 0 {
			w.t.Fatalf("%+v, %v, %+v", r, err, w.kept)
		}
	}
	w.t.Fatal("the stream never ends")
	return batches
}

// by sends a request of a person, which must succeed.
func (w *fedAPI) by(user, method, path, body string) answer {
	w.t.Helper()
	got := w.do(w.t, method, path, body, userHeader, user)
	if got.status >= 300 {
		w.t.Fatalf("%s %s of %s: %d %s", method, path, user, got.status, got.text)
	}
	return got
}
