package measure

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/live"
)

// apiCall is a request to the API.
type apiCall struct {
	method, path, body string
	caller             string // empty means the typical user
	actAs              string // the person for whom the caller acts, as a service; service is implied
	service            bool
	read               bool // a call of the read function that is not a GET
}

// call sends one request to handlers whose caches are empty.
func (o *operations) call(ctx context.Context, c apiCall) (Operation, error) {
	return o.process(time.Now).call(ctx, c)
}

// process is a running function, with its caches.
type process struct {
	*operations
	clock func() time.Time
	app   *app.Services
}

// process returns a process that has just started. It signs links, and sends no request.
func (o *operations) process(clock func() time.Time) *process {
	return o.processWith(clock, bucket.New(bucket.Config{
		Base: "https://files.example", Region: "us-east-1", Credentials: dynamo.StaticCredentials("bench", "bench", ""),
	}))
}

func (o *operations) processWith(clock func() time.Time, files *bucket.Client) *process {
	db := dynamodb.New(o.bench.db.Options(), o.steps.Options)
	return &process{operations: o, clock: clock, app: app.New(app.Options{
		Store:  dynamo.New(db, dynamo.Options{Table: o.bench.table, Clock: clock, Observe: o.units.observe}),
		Logs:   activity.NewStore(dynamo.NewLogTable(db, o.logTable(), o.units.observe)),
		Live:   live.NewTable(dynamo.NewTable(db, o.liveTable(), o.units.observe)),
		Bucket: files, Clock: clock, Random: rand.Reader,
	})}
}

// handler returns the function's handlers for one call.
func (p *process) handler(c apiCall) http.Handler {
	operations := httpapi.Reads()
	switch path, _, _ := strings.Cut(c.path, "?"); {
	case path == "/search":
		operations = httpapi.Searches()
	case c.method != http.MethodGet && !c.read:
		operations = httpapi.Writes()
	}
	return httpapi.New(httpapi.Options{
		Service: p.app, Operations: operations, Clock: p.clock, Log: slog.New(slog.DiscardHandler),
		Subject:   func(r *http.Request) string { return r.Header.Get(callerHeader) },
		IsService: func(*http.Request) bool { return c.service || c.actAs != "" },
	})
}

// call sends one request and returns its consumption.
func (p *process) call(ctx context.Context, c apiCall) (Operation, error) {
	p.take()
	p.steps.Reset()
	w := c.send(ctx, p.handler(c))
	if w.Code >= http.StatusBadRequest {
		return Operation{}, fmt.Errorf("%s %s: %d %s", c.method, c.path, w.Code, w.Body)
	}
	reads, writes := p.take()
	return Operation{
		Reads: reads, Writes: writes, AnswerBytes: float64(w.Body.Len()), answer: w.Body.Bytes(),
		Steps: p.steps.Reset(),
	}, nil
}

// send sends the request to a handler.
func (c apiCall) send(ctx context.Context, to http.Handler) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, c.method, c.path, strings.NewReader(c.body))
	r.Header.Set(callerHeader, cmp.Or(c.caller, typicalUser))
	r.Header.Set("Content-Type", "application/json")
	if c.actAs != "" {
		r.Header.Set("Parley-Act-As", c.actAs)
	}
	w := httptest.NewRecorder()
	to.ServeHTTP(w, r)
	return w
}

// readRooms is the number of rooms of a person who has read all of them.
const readRooms = 30

// WarmCalls measures calls of the API by a process that has answered the same call before.
func (b *Bench) WarmCalls(ctx context.Context) ([]Figure, error) {
	o := newOperations(b)
	if err := errors.Join(
		dynamo.CreateLogTable(ctx, b.db, o.logTable()), dynamo.CreateLiveTable(ctx, b.db, o.liveTable()),
	); err != nil {
		return nil, err
	}
	var figures []Figure
	for _, in := range []struct {
		shards int
		goal   float64
	}{{1, 3}, {16, 9}} {
		room := chat.RoomID(fmt.Sprintf("warm-%d", in.shards))
		if err := b.fill(ctx, b.store(), room, in.shards); err != nil {
			return nil, err
		}
		name := fmt.Sprintf("read units, page of 50 as a call of the API, warm, N=%d", in.shards)
		f, err := o.warm(
			ctx, name, in.goal, apiCall{method: get, path: "/rooms/" + string(room) + "/messages?limit=50"},
		)
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	var rooms errgroup.Group
	rooms.SetLimit(depthLoaders)
	for n := range readRooms {
		rooms.Go(func() error {
			return o.readRoom(
				ctx, chat.RoomID(fmt.Sprintf("own-%02d", n)), []chat.UserID{"many"},
			)
		})
	}
	if err := rooms.Wait(); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("read units, my rooms, %d of them, nothing unread, with last messages", readRooms)
	own, err := o.warm(ctx, name, 50, apiCall{method: get, path: "/people/me/rooms?limit=200", caller: "many"})
	return append(figures, own), err
}

// warm returns the read units of the second of two calls.
func (o *operations) warm(ctx context.Context, name string, goal float64, c apiCall) (Figure, error) {
	p := o.process(time.Now)
	_, err := p.call(ctx, c)
	if err != nil {
		return Figure{}, err
	}
	second, err := p.call(ctx, c)
	value := fmt.Sprintf("%.1f%s", second.Reads, over(second.Reads, goal))
	return Figure{Name: name, Value: value, Goal: fmt.Sprintf("≤ %.1f", goal)}, err
}
