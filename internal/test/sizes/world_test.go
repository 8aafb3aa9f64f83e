package sizes_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feedfn"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/live"
	"example.com/parley/internal/outboxfn"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/tabletest"
)

// perShard is the number of large messages in each shard of the room. A page of 200 messages reads
// fewer from each of 64 shards.
const perShard = 10

const (
	userHeader    = "X-Test-User"
	serviceHeader = "X-Test-Service"
)

// sessionToken is as long as a function's, 1.5 KB in an address.
var sessionToken = strings.Repeat("IQoJb3JpZ2luX2VjE/+=", 60)

// world is the API with the feed function.
type world struct {
	*testing.T
	handler  http.Handler
	services *app.Services
	store    *dynamo.Store
	stream   *feedtest.Stream
	// openStream starts reading the stream, so the feed function sees only later writes.
	openStream func()
	outbox     lambda.Handler
	feed       *stream.Handler
	// begun is the time by which messages are sent.
	begun time.Time
	list  int // the number of items of each list
	puts  atomic.Int64
}

func newWorld(t *testing.T) *world {
	w := &world{T: t, begun: time.Now().UTC().Truncate(time.Millisecond), list: chat.MaxLimit + 1}
	endpoint := enginetest.Start(t)
	client := dynamo.LocalClient(endpoint, recorder.Options)
	tabletest.Create(t, client, "chat")
	tabletest.CreateLog(t, client, "log")
	tabletest.CreateLive(t, client, "live")
	w.openStream = func() { w.stream = feedtest.Open(t, endpoint, "chat") }
	log := slog.New(slog.DiscardHandler)
	w.outbox = outboxfn.Config{DB: dynamo.LocalClient(endpoint), Table: "chat", Log: log}.Function()
	w.feed = feedfn.Config{DB: dynamo.LocalClient(endpoint), Table: "chat", Log: log}.Handler()
	w.store = dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now})
	w.services = app.New(app.Options{
		Store: w.store, Logs: activity.NewStore(dynamo.NewLogTable(client, "log", nil)), Live: live.NewTable(dynamo.NewTable(client, "live", nil)),
		Clock: time.Now, Random: rand.Reader, SendBurst: 1e6, Hooks: hook.Rules{On: true, Owners: true}, Bucket: buckettest.NewOfSession(t, time.Now, sessionToken, recorder.Files).Client,
	})
	mux := http.NewServeMux()
	for _, o := range httpapi.All() {
		f := o.Function()
		h := rights.Handler(string(f), httpapi.New(httpapi.Options{
			Service: w.services, Operations: o, Clock: time.Now, Log: log,
			Subject:   func(r *http.Request) string { return r.Header.Get(userHeader) },
			IsService: func(r *http.Request) bool { return r.Header.Get(serviceHeader) != "" },
		}))
		for _, r := range httpapi.Routes() {
			if r.Function == f {
				mux.Handle(r.Method+" "+r.Path, h)
			}
		}
	}
	w.handler = mux
	return w
}

// request is a request of a person.
type request struct {
	method, path, body string
	user               string
	service            bool
	ifMatch            string
}

// measured is an answer with the bytes that the process allocated for it.
type measured struct {
	status    int
	body      []byte
	allocated uint64
}

// do sends a request.
func (w *world) do(r request) measured {
	in := httptest.NewRequestWithContext(w.Context(), r.method, r.path, strings.NewReader(r.body))
	in.Header.Set(userHeader, r.user)
	if r.service {
		in.Header.Set(serviceHeader, "1")
	}
	if r.body != "" {
		in.Header.Set("Content-Type", "application/json")
	}
	if r.ifMatch != "" {
		in.Header.Set("If-Match", r.ifMatch)
	}
	var before, after runtime.MemStats
	out := httptest.NewRecorder()
	runtime.ReadMemStats(&before)
	w.handler.ServeHTTP(out, in)
	runtime.ReadMemStats(&after)
	return measured{status: out.Code, body: out.Body.Bytes(), allocated: after.TotalAlloc - before.TotalAlloc}
}

// must sends a request that succeeds, and returns the fields of its answer.
func (w *world) must(user, method, path, body string) (fields struct{ ID, Token, Secret string }) {
	w.Helper()
	got := w.do(request{method: method, path: path, body: body, user: user})
	if got.status >= 300 {
		w.Errorf("%s %s by %s: %d %.300s", method, path, user, got.status, got.body)
	}
	_ = json.Unmarshal(got.body, &fields) // the answer may be empty
	return fields
}

// each calls f for 0 to n-1, eight concurrently.
func (w *world) each(n int, f func(i int)) {
	w.Helper()
	var group errgroup.Group
	group.SetLimit(8)
	for i := range n {
		group.Go(func() error { f(i); return nil })
	}
	_ = group.Wait()
	if w.Failed() {
		w.FailNow()
	}
}

// pump handles the records of the latest changes, as the feed function and the outbox function do.
func (w *world) pump() {
	w.Helper()
	for records := range slices.Chunk(w.stream.Next(w), 100) {
		got, err := w.feed.Handle(w.Context(), events.DynamoDBEvent{Records: records})
		if err != nil || len(got.BatchItemFailures) > 0 {
			w.Fatal(err, got)
		}
		payload, _ := json.Marshal(events.DynamoDBEvent{Records: records})
		if _, err := w.outbox.Invoke(w.Context(), payload); err != nil {
			w.Fatal(err)
		}
	}
}

// person returns the longest user id with a number.
func person(i int) string { return fmt.Sprintf("%s%04d", strings.Repeat("u", chat.MaxUserID-4), i) }
