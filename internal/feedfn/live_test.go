package feedfn_test

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feedfn"
	"example.com/parley/internal/live"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/requests"
	"example.com/parley/internal/test/tabletest"
)

// fixture is a feed function with connections, whose service records the posts.
type fixture struct {
	cfg  feedfn.Config
	rows *live.Table
	// answer is the response of the connections service; nil means 200.
	answer func(http.ResponseWriter, *http.Request)

	mu    sync.Mutex
	seen  map[string]bool
	posts []string
	units float64 // read by Query
	reads int
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		f.posts = append(f.posts, r.Method+" "+r.URL.Path+" "+string(body))
		f.mu.Unlock()
		if f.answer != nil {
			f.answer(w, r)
		}
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	endpoint := enginetest.Start(t)
	db := dynamo.LocalClient(endpoint)
	tabletest.Create(t, db, "chat")
	if err := dynamo.CreateLiveTable(t.Context(), db, "live"); err != nil {
		t.Fatal(err)
	}
	f.rows = live.NewTable(dynamo.NewTable(db, "live", nil))
	set := map[string]string{
		config.EnvTable: "chat", config.EnvFailureQueue: server.URL, config.EnvLiveTable: "live", config.EnvSocketEndpoint: server.URL,
		"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_ENDPOINT_URL": recorder.Proxy(t, "feed", endpoint),
	}
	var err error
	if f.cfg, err = feedfn.FromEnv(func(name string) string { return set[name] }, io.Discard); err != nil {
		t.Fatal(err)
	}
	f.cfg.Log = slog.New(slog.DiscardHandler)
	f.cfg.Observe = func(_ context.Context, u dynamo.Usage) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if !u.Write {
			f.units += u.Units
			f.reads++
		}
	}
	return f
}

// subscribe gives a person a connection that is subscribed to the room seattle.
func (f *fixture) subscribe(t *testing.T, c live.Connection) {
	t.Helper()
	s := live.Subscription{Room: "seattle", Connection: c, Attempt: "1"}
	if err := f.rows.PutPending(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if ok, err := f.rows.Activate(t.Context(), s); !ok || err != nil {
		t.Fatal(ok, err)
	}
}

// handle passes the function a batch from the table of requests.
func (f *fixture) handle(t *testing.T, h *stream.Handler, name string) {
	t.Helper()
	var batch events.DynamoDBEvent
	if err := json.Unmarshal([]byte(requests.BatchOf(name)), &batch); err != nil {
		t.Fatal(err)
	}
	if r, err := h.Handle(t.Context(), batch); err != nil || len(r.BatchItemFailures) > 0 {
		t.Fatalf("%+v, %v", r, err)
	}
}

// TestHandler_DeliversToSubscribers subscribes to a room, and lets things happen there. The events
// are years old, so frames have no messages.
func TestHandler_DeliversToSubscribers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.subscribe(t, live.Connection{ID: "abc=", User: "olga", Until: time.Now().Add(time.Hour)})
	h := f.cfg.Handler()
	for _, name := range []string{"room-made", "message-created", "message-created", "message-edited"} {
		f.handle(t, h, name)
	}
	if len(f.posted()) != 3 {
		t.Fatalf("posts: %q", f.posted())
	}
	const path = `POST /@connections/abc= {"type":"changes","rooms":[{"id":"seattle","since":"`
	const created = `"changes":[{"seq":3,"type":"message.created","id":"0165858e-e8db-7000-8000-000000000001~amsg","revision":1,"omitted":true}]}]}`
	if !strings.HasPrefix(f.posted()[1], path) || !strings.HasSuffix(f.posted()[1], created) {
		t.Errorf("posted %s", f.posted()[1])
	}
}

// TestHandler_QuietRoomCosts compares the units of the same batches with and without live delivery.
func TestHandler_QuietRoomCosts(t *testing.T) {
	t.Parallel()
	names := []string{"message-created", "message-edited", "message-deleted", "room-changed"}
	units := func(change func(*feedfn.Config)) (float64, int) {
		f := newFixture(t)
		change(&f.cfg)
		h := f.cfg.Handler()
		f.handle(t, h, "room-made") // its creator's connections cost another unit
		f.units, f.reads = 0, 0
		for _, name := range names {
			f.handle(t, h, name)
		}
		if len(f.posted()) > 0 {
			t.Errorf("posts: %q", f.posted())
		}
		return f.units, f.reads
	}
	without, _ := units(func(p *feedfn.Config) { p.Poster = nil })
	with, reads := units(func(*feedfn.Config) {})
	if more := with - without; more <= 0 || more > float64(len(names)) {
		t.Errorf("%v read units more for %d segments, in %d reads", more, len(names), reads)
	}
}

// TestFromEnv_LiveDelivery sets each variable of live delivery on its own.
func TestFromEnv_LiveDelivery(t *testing.T) {
	t.Parallel()
	full := map[string]string{
		config.EnvTable: "chat", config.EnvFailureQueue: "q", config.EnvLiveTable: "live", config.EnvSocketEndpoint: "https://x.example/live",
		config.EnvPostRate: "100", "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x",
	}
	for _, tt := range []struct {
		name, value string
		live        bool
		err         string
	}{
		{"", "", true, ""},
		{config.EnvPostRate, "", true, ""},
		{config.EnvPostRate, "many", false, config.EnvPostRate},
		{config.EnvPostRate, "0", false, config.EnvPostRate},
		{config.EnvSocketEndpoint, "", false, ""},
		{config.EnvSocketEndpoint, "x.example", false, config.EnvSocketEndpoint},
		{config.EnvLiveTable, "", false, config.EnvLiveTable},
	} {
		cfg, err := feedfn.FromEnv(func(name string) string {
			if name == tt.name {
				return tt.value
			}
			return full[name]
		}, io.Discard)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s=%q: %v", tt.name, tt.value, err)
		}
		if (cfg.Poster != nil) != tt.live {
			t.Errorf("%s=%q: delivers live: %v", tt.name, tt.value, cfg.Poster != nil)
		}
	}
}

// TestHandler_DeliversPersonalChanges lets a person with a connection without subscriptions join a
// room and leave it. The room does not exist, so the person may no longer read it.
func TestHandler_DeliversPersonalChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, c := range []live.Connection{
		{ID: "phone", User: "bob", Until: time.Now().Add(time.Hour)}, {ID: "old", User: "bob", Until: time.Now().Add(-time.Hour)},
		{ID: "other", User: "carol", Until: time.Now().Add(time.Hour)},
	} {
		if _, err := f.rows.AddRooms(t.Context(), c, nil, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	h := f.cfg.Handler()
	for _, name := range []string{"room-made", "member-joined", "member-changed", "member-left"} {
		f.handle(t, h, name)
	}
	want := []string{
		`POST /@connections/phone {"type":"personal","event":{"type":"room.added","room":"seattle"}}`,
		`POST /@connections/phone {"type":"unsubscribed","room":"seattle"}`,
		`POST /@connections/phone {"type":"personal","event":{"type":"room.removed","room":"seattle"}}`,
	}
	if !slices.Equal(f.posted(), want) {
		t.Errorf("posts: %q", f.posted())
	}
}

// TestHandler_FaultsOnTheWire makes one connection hang, one end, and others fail once. The posts
// of a batch have more time than in production, for a slow machine.
func TestHandler_FaultsOnTheWire(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.answer = func(w http.ResponseWriter, r *http.Request) {
		switch path.Base(r.URL.Path) {
		case "hangs":
			<-r.Context().Done()
		case "ended":
			w.WriteHeader(http.StatusGone)
		case "busy":
			if f.first("busy") {
				w.WriteHeader(http.StatusTooManyRequests)
			}
		case "cut":
			if f.first("cut") {
				panic(http.ErrAbortHandler)
			}
		}
	}
	ids := []live.ConnectionID{"hangs", "ended", "busy", "cut", "a", "b", "c", "d"}
	for _, id := range ids {
		f.subscribe(t, live.Connection{ID: id, User: "olga", Until: time.Now().Add(time.Hour)})
	}
	const (
		postTime  = 3 * time.Second
		quietTime = 2 * time.Second // the first suspension of a connection that hangs
	)
	f.cfg.DeliveryTimes = live.Times{Post: postTime}
	h := f.cfg.Handler()
	names := []string{"room-made", "message-created", "message-edited"}
	var hung time.Time
	for _, name := range names {
		began := time.Now()
		f.handle(t, h, name)
		if hung.IsZero() {
			hung = began
		}
	}
	quiet := time.Since(hung) < quietTime
	got := map[string]int{}
	for _, p := range f.posted() {
		got[path.Base(strings.Fields(p)[1])]++
	}
	if n := got["hangs"]; n == 0 || n > 1 && quiet {
		t.Errorf("%d posts to a connection that hangs, want one in %v", n, quietTime)
	}
	if got["ended"] == 0 || got["busy"] < 2 || got["cut"] < 2 {
		t.Errorf("posts %v", got)
	}
	for _, id := range ids[4:] {
		if n := got[string(id)]; n < 1 || n > len(names) {
			t.Errorf("%d posts to %s", n, id)
		}
	}
	if rows, err := f.rows.Subscriptions(t.Context(), "seattle"); err != nil || len(rows) != len(ids)-1 {
		t.Errorf("%d subscriptions are left, %v", len(rows), err)
	}
}

// posted returns the posts so far. One that timed out may arrive later.
func (f *fixture) posted() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.posts)
}

// first reports whether it is called with a name for the first time.
func (f *fixture) first(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	seen := f.seen[name]
	f.seen[name] = true
	return !seen
}
