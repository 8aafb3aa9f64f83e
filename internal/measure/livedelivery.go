package measure

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/apigw"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
)

const (
	rigTable       = "bench-live"
	rigConnections = 500
	rigBatches     = 20
	rigPause       = 100 * time.Millisecond
	// rigRate does not pace: the posts themselves are measured.
	rigRate = 1_000_000
	// lagGoal is the longest time that a batch may wait for the delivery of the previous one.
	lagGoal = 300 * time.Millisecond
	// othersGoal is the slowdown of healthy connections by a tenth that hang and a tenth that are
	// gone.
	othersGoal = 1.2
)

// rig is a delivery to connections that a test server simulates.
type rig struct {
	db       *dynamodb.Client
	rows     *live.Table
	used     units
	delivery *live.Delivery
	close    func()
	seq      int64

	batches, connections int

	mu     sync.Mutex
	begun  time.Time
	waits  []time.Duration // of healthy connections, of the current batches
	posted map[string]int  // posts to each connection
}

// Deliveries measures the delivery of batches on the real engine, without the rest of the feed
// function.
func (b *Bench) Deliveries(ctx context.Context) ([]Figure, error) {
	r, err := newRig(ctx, b.db, b.table, b.scale)
	if err != nil {
		return nil, err
	}
	defer r.close()
	return inTurn(ctx, r.nobody, r.others, r.allHang)
}

func newRig(ctx context.Context, db *dynamodb.Client, name string, scale Scale) (*rig, error) {
	if err := dynamo.CreateLiveTable(ctx, db, rigTable); err != nil {
		return nil, err
	}
	r := &rig{db: db, posted: map[string]int{}, batches: scale.of(rigBatches), connections: scale.of(rigConnections)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: http.HandlerFunc(r.answer), ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(l) }() // it ends with close
	r.close = func() { _ = server.Close() }
	o := db.Options()
	client, err := apigw.New(apigw.Config{
		Endpoint: "http://" + l.Addr().String(), Region: o.Region, Credentials: o.Credentials, Rate: rigRate,
	})
	if err != nil {
		return nil, err
	}
	r.rows = live.NewTable(dynamo.NewTable(db, rigTable, r.used.observe))
	rooms := chat.NewService(chat.Options{
		Store: dynamo.New(db, dynamo.Options{Table: name, Clock: time.Now}), Clock: time.Now,
	})
	r.delivery = live.NewDelivery(live.DeliveryOptions{
		Rows: r.rows, Connections: r.rows, Rooms: rooms, Poster: client, Clock: time.Now,
		Log: slog.New(slog.DiscardHandler),
	})
	return r, nil
}

// answer simulates a connection, whose id begins with its kind.
func (r *rig) answer(w http.ResponseWriter, req *http.Request) {
	id := req.URL.Path[strings.LastIndexByte(req.URL.Path, '/')+1:]
	kind, _, _ := strings.Cut(id, "-")
	r.mu.Lock()
	r.posted[id]++
	if kind == "well" {
		r.waits = append(r.waits, time.Since(r.begun))
	}
	r.mu.Unlock()
	switch kind {
	case "hangs":
		<-req.Context().Done()
	case "gone":
		w.WriteHeader(http.StatusGone)
	}
}

// subscribe subscribes n connections of a kind to a room.
func (r *rig) subscribe(ctx context.Context, room chat.RoomID, kind string, n int) error {
	for i := range n {
		c := live.Connection{
			ID: live.ConnectionID(fmt.Sprintf("%s-%s-%d", kind, room, i)), User: chat.UserID(fmt.Sprintf("user-%d", i)),
			Until: time.Now().Add(time.Hour),
		}
		s := live.Subscription{Room: room, Connection: c, Attempt: "1"}
		if _, err := r.rows.AddRooms(ctx, c, []chat.RoomID{room}, time.Now()); err != nil {
			return err
		}
		if err := r.rows.PutPending(ctx, s); err != nil {
			return err
		}
		if _, err := r.rows.Activate(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// deliver delivers batches of one message each, and returns how long each took.
func (r *rig) deliver(ctx context.Context, room chat.RoomID) (took []time.Duration) {
	for range r.batches {
		r.seq++
		entry := feed.AppendedEntry{Seq: r.seq, StreamChange: someChanges(int(r.seq), 1, 1)[0]}
		id := entry.Message
		entry.Item.Message = &chat.Message{Room: room, ID: id, Text: "hello to everyone in this room", Revision: 1}
		batch := feed.Batch{Rooms: []feed.Appended{{
			Room: room, Head: feed.Head{Room: room, Last: r.seq, Generation: "g"}, Entries: []feed.AppendedEntry{entry},
		}}}
		begun := time.Now()
		r.mu.Lock()
		r.begun = begun
		r.mu.Unlock()
		_ = r.delivery.Consume(ctx, batch) // its error is about connections that hang
		took = append(took, time.Since(begun))
		time.Sleep(rigPause)
	}
	return took
}

// takeWaits returns how long the posts to healthy connections have taken since the last call.
func (r *rig) takeWaits() []time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	waits := r.waits
	r.waits = nil
	slices.Sort(waits)
	return waits
}

// nobody delivers to a room that no connection subscribes to.
func (r *rig) nobody(ctx context.Context) ([]Figure, error) {
	r.deliver(ctx, "nobody")
	r.used.mu.Lock()
	defer r.used.mu.Unlock()
	return []Figure{{
		Name: "quiet room without listeners, a batch", Goal: "≤ 1 read unit, 0 posts",
		Value: fmt.Sprintf(
			"%.2f read and %.2f write units, %d posts", r.used.read/float64(r.batches), r.used.write/float64(r.batches),
			len(r.posted),
		),
	}}, nil
}

// others compares the posts to healthy connections with and without others that fail.
func (r *rig) others(ctx context.Context) ([]Figure, error) {
	tenth := r.connections / 10
	for _, room := range []struct {
		id                chat.RoomID
		well, hangs, gone int
	}{{"healthy", r.connections, 0, 0}, {"mixed", r.connections - 2*tenth, tenth, tenth}} {
		for kind, n := range map[string]int{"well": room.well, "hangs": room.hangs, "gone": room.gone} {
			if err := r.subscribe(ctx, room.id, kind, n); err != nil {
				return nil, err
			}
		}
	}
	r.deliver(ctx, "healthy") // opens the connections to the server
	r.takeWaits()
	r.deliver(ctx, "healthy")
	healthy := r.takeWaits()
	r.deliver(ctx, "mixed")
	mixed := r.takeWaits()
	if len(healthy) == 0 || len(mixed) == 0 {
		return nil, fmt.Errorf("of healthy connections, %d and %d posts arrived", len(healthy), len(mixed))
	}
	p99 := func(waits []time.Duration) time.Duration { return waits[len(waits)*99/100] }
	ratio := float64(p99(mixed)) / float64(p99(healthy))
	value := fmt.Sprintf(
		"%.2f × (%s, %s alone)%s", ratio, milliseconds(p99(mixed)), milliseconds(p99(healthy)), over(ratio, othersGoal),
	)
	left, err := r.rows.Subscriptions(ctx, "mixed")
	if err != nil {
		return nil, err
	}
	posts, rows := 0, 0
	for i := range tenth {
		posts += r.posted[fmt.Sprintf("gone-mixed-%d", i)]
	}
	for _, s := range left {
		if strings.HasPrefix(string(s.Connection.ID), "gone") {
			rows++
		}
	}
	return []Figure{
		{
			Name: fmt.Sprintf("a tenth of %d connections hang and a tenth are gone: p99 of the others", r.connections),
			Goal: fmt.Sprintf("≤ %.1f ×", othersGoal), Value: value,
		},
		{
			Name: "posts to a connection that is gone, and rows of such left", Goal: "1, 0",
			Value: fmt.Sprintf("%.1f, %d", float64(posts)/float64(tenth), rows),
		},
		{
			Name: "frames of healthy connections beside them that were left to resume",
			Value: fmt.Sprintf(
				"%d of %d", (r.connections-2*tenth)*r.batches-len(mixed), (r.connections-2*tenth)*r.batches,
			),
		},
	}, nil
}

// allHang delivers to connections that all hang.
func (r *rig) allHang(ctx context.Context) ([]Figure, error) {
	if err := r.subscribe(ctx, "hanging", "hangs", r.connections); err != nil {
		return nil, err
	}
	took := r.deliver(ctx, "hanging")
	slices.Sort(took)
	longest := took[len(took)-1]
	// A few milliseconds pass until the calls notice the end of the time.
	return []Figure{{
		Name: fmt.Sprintf("delivery of a batch while all %d connections hang, longest of %d", r.connections, r.batches),
		Goal: "≤ " + milliseconds(lagGoal), Value: milliseconds(longest) + short(longest, lagGoal),
	}}, nil
}

// LiveSockets measures live delivery by a server on this machine, through its WebSocket API.
func LiveSockets(ctx context.Context, scale Scale) ([]Figure, error) {
	s, err := startServer(ctx, scale)
	if err != nil {
		return nil, err
	}
	defer s.end()
	return inTurn(ctx, s.quiet, s.crowd, s.removals)
}

// inTurn returns the figures of all measurements, which are made one after another.
func inTurn(ctx context.Context, all ...func(context.Context) ([]Figure, error)) (figures []Figure, err error) {
	for _, measure := range all {
		more, err := measure(ctx)
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	return figures, nil
}

// percentiles returns a figure for the 50th and one for the 99th percentile.
func percentiles(name string, waits []time.Duration, p50, p99 time.Duration) []Figure {
	slices.Sort(waits)
	var figures []Figure
	for _, p := range []struct {
		percent int
		goal    time.Duration
	}{{50, p50}, {99, p99}} {
		value := time.Duration(0)
		if len(waits) > 0 {
			value = waits[len(waits)*p.percent/100]
		}
		f := Figure{Name: fmt.Sprintf("%s, p%d of %d", name, p.percent, len(waits)), Value: milliseconds(value)}
		if p.goal > 0 {
			f.Goal, f.Value = "≤ "+milliseconds(p.goal), milliseconds(value)+short(value, p.goal)
		}
		figures = append(figures, f)
	}
	return figures
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.0f ms", float64(d)/float64(time.Millisecond))
}

// short returns by how much a time misses its goal.
func short(value, goal time.Duration) string { return over(float64(value), float64(goal)) }
