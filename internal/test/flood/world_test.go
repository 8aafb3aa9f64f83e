package flood_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feedfn"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/live"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/tabletest"
)

// processes is the number of instances of the functions. They share a table and a clock, and each
// has its own services, so that one knows of another only what is stored.
const processes = 64

// userHeader names the caller, as there is no authorizer.
const userHeader = "X-Test-User"

// batch is the number of records that the feed function receives at most, as in the stack.
const batch = 1000

// world is the API in many processes, with the feed function.
type world struct {
	*testing.T
	handlers []http.Handler
	client   *dynamodb.Client
	store    *dynamo.Store
	stream   *feedtest.Stream
	feed     *stream.Handler

	began time.Time
	since atomic.Int64 // nanoseconds since began
	mu    sync.Mutex
	used  consumption
}

// consumption is what requests consume, in units of DynamoDB.
type consumption struct{ writes, reads float64 }

func newWorld(t *testing.T, limits ratelimit.Limits) *world {
	t.Helper()
	endpoint := enginetest.Start(t)
	w := &world{T: t, client: dynamo.LocalClient(endpoint, recorder.Options), began: time.Now().UTC().Truncate(time.Millisecond)}
	tabletest.Create(t, w.client, "chat")
	tabletest.CreateLog(t, w.client, "log")
	tabletest.CreateLive(t, w.client, "live")
	w.stream = feedtest.Open(t, endpoint, "chat")
	log := slog.New(slog.DiscardHandler)
	w.feed = feedfn.Config{DB: dynamo.LocalClient(endpoint), Table: "chat", Log: log}.Handler()
	for range processes {
		w.handlers = append(w.handlers, w.newProcess(limits, log))
	}
	return w
}

// newProcess returns the handler of one process.
func (w *world) newProcess(limits ratelimit.Limits, log *slog.Logger) http.Handler {
	w.store = dynamo.New(w.client, dynamo.Options{Table: "chat", Clock: w.now, Observe: w.observe})
	services := app.New(app.Options{
		Store: w.store, Logs: activity.NewStore(dynamo.NewLogTable(w.client, "log", w.observe)),
		Live:  live.NewTable(dynamo.NewTable(w.client, "live", w.observe)),
		Clock: w.now, Random: rand.Reader, SendBurst: 1e6, Limits: limits,
	})
	mux := http.NewServeMux()
	for _, o := range httpapi.All() {
		f := o.Function()
		h := rights.Handler(string(f), httpapi.New(httpapi.Options{
			Service: services, Operations: o, Clock: w.now, Log: log,
			Subject: func(r *http.Request) string { return r.Header.Get(userHeader) },
		}))
		for _, r := range httpapi.Routes() {
			if r.Function == f {
				mux.Handle(r.Method+" "+r.Path, h)
			}
		}
	}
	return mux
}

func (w *world) now() time.Time { return w.began.Add(time.Duration(w.since.Load())) }

func (w *world) pass(d time.Duration) { w.since.Add(int64(d)) }

func (w *world) observe(ctx context.Context, u dynamo.Usage) {
	httpapi.Consumed(ctx, u.Units, u.Write)
	w.mu.Lock()
	defer w.mu.Unlock()
	if u.Write {
		w.used.writes += u.Units
	} else {
		w.used.reads += u.Units
	}
}

// do sends a request of a person through one of the processes.
func (w *world) do(process int, user, method, path, body string) (status int, fields struct{ ID, Limit string }) {
	r := httptest.NewRequestWithContext(w.Context(), method, path, strings.NewReader(body))
	r.Header.Set(userHeader, user)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	out := httptest.NewRecorder()
	w.handlers[process%processes].ServeHTTP(out, r)
	_ = json.Unmarshal(out.Body.Bytes(), &fields) // the answer may be empty
	return out.Code, fields
}

// must sends a request that succeeds, and returns the id in its answer.
func (w *world) must(user, method, path, body string) string {
	w.Helper()
	status, fields := w.do(0, user, method, path, body)
	if status >= 300 {
		w.Fatalf("%s %s: %d", method, path, status)
	}
	return fields.ID
}

// deliver passes the changes since the last call to the feed function.
func (w *world) deliver() {
	w.Helper()
	for all := w.stream.Next(w); len(all) > 0; all = all[min(batch, len(all)):] {
		resp, err := w.feed.Handle(rights.As(w.Context(), "feed"), events.DynamoDBEvent{Records: all[:min(batch, len(all))]})
		if err != nil || len(resp.BatchItemFailures) > 0 {
			w.Fatalf("the feed function: %v, %v", resp, err)
		}
	}
}

// entries returns the number of entries in the feed of the room.
func (w *world) entries() int {
	w.Helper()
	head, err := w.store.FeedHead(w.Context(), "seattle")
	if err != nil {
		w.Fatal(err)
	}
	return int(head.Last)
}

// stored returns the number of bytes in the table and the activity log, without what the feed
// function writes.
func (w *world) stored() (bytes int) {
	w.Helper()
	for _, name := range []string{"chat", "log"} {
		pages := dynamodb.NewScanPaginator(w.client, &dynamodb.ScanInput{TableName: &name})
		for pages.HasMorePages() {
			page, err := pages.NextPage(w.Context())
			if err != nil {
				w.Fatal(err)
			}
			for _, item := range page.Items {
				if pk, ok := item["PK"].(*types.AttributeValueMemberS); !ok || !strings.HasPrefix(pk.Value, "feed#") {
					bytes += sizeOf(&types.AttributeValueMemberM{Value: item})
				}
			}
		}
	}
	return bytes
}

// sizeOf returns about how many bytes a value has.
func sizeOf(v types.AttributeValue) (bytes int) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return len(v.Value)/2 + 1
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberM:
		for name, value := range v.Value {
			bytes += len(name) + sizeOf(value)
		}
	case *types.AttributeValueMemberL:
		for _, value := range v.Value {
			bytes += 1 + sizeOf(value)
		}
	}
	return bytes + 1
}

// recorder fails the tests if a call is not allowed to the functions.
var recorder = rights.NewRecorder(rights.RepositoryStack("../../.."), rights.Names{"chat": "Table", "log": "LogTable", "live": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
