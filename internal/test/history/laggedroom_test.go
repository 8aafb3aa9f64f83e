package history_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/tabletest"
)

// clock is a clock that the test advances. The service, the feed and the replicas use it. The times
// of stream records, which the engine sets, are replaced by its time.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time          { return time.Unix(0, c.ns.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.ns.Add(int64(d)) }

// delayed returns a clock that is late by d.
func (c *clock) delayed(d time.Duration) func() time.Time {
	return func() time.Time { return c.now().Add(-d) }
}

const laggedRoomID chat.RoomID = "seattle"

// laggedRoom is a room whose listings lag. One goroutine performs all operations, so a seed repeats
// all but the order in which the shards of a page are queried.
type laggedRoom struct {
	t        *testing.T
	r        *mathrand.Rand
	clock    *clock
	lag      *laggingClient
	stream   *feedtest.Stream
	service  *app.Services
	store    *dynamo.Store // reads the table directly
	handlers []*stream.Handler
	pending  []events.DynamoDBEventRecord // records not delivered to the feed yet
	messages map[chat.MessageID]chat.Message
	order    []chat.MessageID
	head     int64 // of the feed
	texts    int
}

// newLaggedRoom creates a room whose eventual reads lag by up to maxLag. wrap adds a fault to its
// store.
func newLaggedRoom(t *testing.T, seed uint64, maxLag time.Duration, wrap func(app.Stores) app.Stores) *laggedRoom {
	t.Helper()
	b := &laggedRoom{t: t, r: mathrand.New(mathrand.NewPCG(seed, 1)), clock: &clock{}, messages: map[chat.MessageID]chat.Message{}}
	b.clock.ns.Store(time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC).UnixNano())
	endpoint := enginetest.Start(t)
	plain := dynamo.LocalClient(endpoint)
	tabletest.Create(t, plain, "chat")
	tabletest.CreateLog(t, plain, "log")
	tabletest.CreateLive(t, plain, "live")
	createReplicas(t, plain)
	b.stream = feedtest.Open(t, endpoint, "chat")
	b.lag = newLaggingClient(plain, b.clock, mathrand.New(mathrand.NewPCG(seed, 2)))
	// The clocks of functions differ. The margin between the real and the permitted lag covers
	// that, too.
	skew := time.Duration(b.r.IntN(3)) * 700 * time.Millisecond
	b.lag.maxLag = maxLag - skew
	client := dynamo.LocalClient(endpoint, b.lag.Options, calls.Client(rights.Service))
	options := dynamo.Options{Table: "chat", Clock: b.clock.now}
	b.store = dynamo.New(plain, options)
	b.service = app.New(app.Options{
		Store: wrap(dynamo.New(client, options)), Logs: activity.NewStore(dynamo.NewLogTable(plain, "log", nil)), Live: live.NewTable(dynamo.NewTable(plain, "live", nil)),
		Clock: b.clock.now, Random: rand.Reader, SendBurst: 1e6,
	})
	consuming := dynamo.LocalClient(endpoint, calls.Client("feed"))
	for _, delayed := range []time.Duration{0, skew} {
		b.handlers = append(b.handlers, stream.NewHandler(stream.Options{
			Store: dynamo.New(consuming, options), Failures: &failures{}, Clock: b.clock.delayed(delayed), Log: slog.New(slog.DiscardHandler),
		}))
	}
	shards := 1 + b.r.IntN(3)
	if _, created, err := b.service.PutRoom(t.Context(), person(0), laggedRoomID, chat.RoomDraft{Shards: &shards}); err != nil || !created {
		t.Fatal(created, err)
	}
	b.readStream()
	return b
}

// readStream passes new stream records to the replicas and queues them for the feed.
func (b *laggedRoom) readStream() {
	b.t.Helper()
	records := b.stream.Next(b.t)
	b.lag.replicate(b.t, records)
	for _, rec := range records {
		rec.Change.ApproximateCreationDateTime = events.SecondsEpochTime{Time: b.clock.now().Truncate(time.Second)}
		b.pending = append(b.pending, rec)
	}
}

// write performs one change of the room.
func (b *laggedRoom) write() {
	b.t.Helper()
	ctx := b.t.Context()
	b.texts++
	text := fmt.Sprint("text ", b.texts)
	m := b.messages[b.randomID()]
	of := chat.Revision{Room: laggedRoomID, ID: m.ID, Base: m.Revision}
	var err error
	switch n := b.r.IntN(10); {
	case n < 6 || m.Revision == 0 || m.Deleted():
		m, _, err = b.service.PostMessage(ctx, person(b.r.IntN(4)), laggedRoomID, chat.MessageDraft{UUID: b.newUUID(), Text: text})
	case n < 9:
		m, _, err = b.service.EditMessage(ctx, m.ID.User, of, chat.MessageEdit{Text: new(text)})
	default:
		m, err = b.service.DeleteMessage(ctx, m.ID.User, of)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	if b.messages[m.ID].Revision == 0 {
		b.order = append(b.order, m.ID)
	}
	b.messages[m.ID] = m
	b.readStream()
	if b.r.IntN(2) == 0 {
		b.deliver(len(b.pending)) // a fast feed leaves the index the least time
	}
}

// randomID returns the id of a message, usually one of the newest.
func (b *laggedRoom) randomID() chat.MessageID {
	n := len(b.order)
	if n == 0 {
		return chat.MessageID{}
	}
	return b.order[n-1-b.r.IntN(min(n, 1+b.r.IntN(n)))]
}

// newUUID returns a UUID of the current time, or of up to an hour ago like a queued message.
func (b *laggedRoom) newUUID() (id [16]byte) {
	var tail [10]byte
	for i := range tail {
		tail[i] = byte(b.r.Uint32())
	}
	at := b.clock.now()
	if b.r.IntN(4) == 0 {
		at = at.Add(-time.Duration(b.r.IntN(3600)) * time.Second)
	}
	return chat.NewUUID(at, tail)
}

// deliver delivers up to n pending records to the feed, through one handler or sometimes both.
func (b *laggedRoom) deliver(n int) {
	b.t.Helper()
	n = min(n, len(b.pending))
	for rest := b.pending[:n]; len(rest) > 0; {
		size := min(len(rest), 1+b.r.IntN(20))
		first := b.r.IntN(2)
		for _, h := range []int{first, 1 - first}[:1+b.r.IntN(2)] {
			res, err := b.handlers[h].Handle(b.t.Context(), events.DynamoDBEvent{Records: rest[:size]})
			if err != nil || len(res.BatchItemFailures) > 0 {
				b.t.Fatal(res, err)
			}
		}
		rest = rest[size:]
	}
	b.pending = b.pending[n:]
	b.lag.replicate(b.t, b.stream.Next(b.t)) // FeedHead reads the feed with a lag, too
	head, _, err := b.store.FeedFrom(b.t.Context(), laggedRoomID, chat.MaxSeq, 1)
	if err != nil {
		b.t.Fatal(err)
	}
	b.head = head.Last
}

// A client that continues from the head of the feed misses messages that the index did not show
// yet. The position in since covers no lag beyond feed.IndexLag. Changes are read eventually, and
// each rule that makes them complete is needed.
func TestLaggedRoom_SeededBugsAreNoticed(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]laggedRun{
		"since is the head":                          {maxLag: feed.IndexLag, from: fromHead},
		"the index lags for too long":                {maxLag: 3 * feed.IndexLag, from: fromSince},
		"an older revision is not read again":        {wrap: func(s app.Stores) app.Stores { return olderRevisions{s} }},
		"a missing message is not read again":        {wrap: func(s app.Stores) app.Stores { return missingMessages{s} }},
		"segments that a replica lacks are left out": {wrap: func(s app.Stores) app.Stores { return missingSegments{s} }},
	} {
		if run.wrap != nil {
			run.maxLag, run.from = feed.IndexLag, fromSince
		}
		run.steps = 300
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFound(t, func(seed uint64) string {
				if _, wrong := runLaggedRoom(t, seed, run); len(wrong) > 0 {
					return wrong[0]
				}
				return ""
			})
		})
	}
}

// olderRevisions reads messages consistently only if a replica has no state of them.
type olderRevisions struct{ app.Stores }

func (s olderRevisions) MessagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	found, err := s.Stores.MessagesByID(ctx, room, ids)
	older, soonErr := s.MessagesSoon(ctx, room, ids)
	maps.Copy(found, older)
	return found, errors.Join(err, soonErr)
}

// missingMessages reads messages consistently only if a replica has some state of them.
type missingMessages struct{ app.Stores }

func (s missingMessages) MessagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	found, err := s.Stores.MessagesByID(ctx, room, ids)
	some, soonErr := s.MessagesSoon(ctx, room, ids)
	maps.DeleteFunc(found, func(id chat.MessageID, _ chat.Message) bool { return some[id].Revision == 0 })
	return found, errors.Join(err, soonErr)
}

// missingSegments reads the segments of a feed as a replica has them.
type missingSegments struct{ app.Stores }

func (s missingSegments) SegmentsFrom(ctx context.Context, head feed.Head, seq int64, limit int) ([]feed.Segment, error) {
	segments, _, err := s.SegmentsBack(ctx, feed.SegmentRange{Room: head.Room, First: 1, Last: head.Last, Limit: feed.MaxSegmentChanges})
	slices.Reverse(segments)
	return slices.DeleteFunc(segments, func(segment feed.Segment) bool { return segment.Last() < seq }), err
}
