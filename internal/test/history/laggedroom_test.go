package history_test

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/feedwriter"
	"parley/internal/test/enginetest"
	"parley/internal/test/feedtest"
	"parley/internal/test/rights"
	"parley/internal/test/tabletest"
)

// clock is one that the test moves. Everything goes by it: the service, the feed, the replicas' lag, and the times of the
// stream's records, which are the engine's own and are therefore written over.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time          { return time.Unix(0, c.ns.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.ns.Add(int64(d)) }

// behind is a clock that shows another time.
func (c *clock) behind(d time.Duration) func() time.Time {
	return func() time.Time { return c.now().Add(-d) }
}

const laggedRoomID chat.RoomID = "seattle"

// laggedRoom is a room whose listings lag. One goroutine does everything in it, so a seed repeats
// all of it but the order in which the shards of a page are asked.
type laggedRoom struct {
	t        *testing.T
	r        *mathrand.Rand
	clock    *clock
	lag      *lagging
	stream   *feedtest.Stream
	service  *app.Services
	store    *dynamo.Store // which asks the table itself
	handlers []*feedwriter.Handler
	pending  []events.DynamoDBEventRecord // that the feed was not given yet
	messages map[chat.MessageID]chat.Message
	order    []chat.MessageID
	head     int64 // of the feed
	texts    int
}

// newLaggedRoom makes a room whose queries lag by up to longest.
func newLaggedRoom(t *testing.T, seed uint64, longest time.Duration) *laggedRoom {
	t.Helper()
	b := &laggedRoom{t: t, r: mathrand.New(mathrand.NewPCG(seed, 1)), clock: &clock{}, messages: map[chat.MessageID]chat.Message{}}
	b.clock.ns.Store(time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC).UnixNano())
	endpoint := enginetest.Start(t)
	plain := dynamo.LocalClient(endpoint)
	tabletest.Create(t, plain, "chat")
	tabletest.CreateLog(t, plain, "log")
	makeReplicas(t, plain)
	b.stream = feedtest.Open(t, endpoint, "chat")
	b.lag = newLagging(plain, b.clock, mathrand.New(mathrand.NewPCG(seed, 2)))
	// The clocks of functions differ: the margin between the lag and what is allowed for it covers that, too.
	skew := time.Duration(b.r.IntN(3)) * 700 * time.Millisecond
	b.lag.longest = longest - skew
	client := dynamo.LocalClient(endpoint, b.lag.Options, calls.Client(rights.Service))
	options := dynamo.Options{Table: "chat", Clock: b.clock.now}
	b.store = dynamo.New(plain, options)
	b.service = app.New(app.Options{
		Store: dynamo.New(client, options), Logs: dynamo.NewLog(plain, dynamo.Options{Table: "log"}), Clock: b.clock.now,
		Random: rand.Reader, SendBurst: 1e6,
	})
	consuming := dynamo.LocalClient(endpoint, calls.Client("feed"))
	for _, behind := range []time.Duration{0, skew} {
		b.handlers = append(b.handlers, feedwriter.NewHandler(feedwriter.Options{
			Read: dynamo.ReadRecord, Store: dynamo.New(consuming, options), Failures: &failures{}, Clock: b.clock.behind(behind), Log: slog.New(slog.DiscardHandler),
		}))
	}
	shards := 1 + b.r.IntN(3)
	if _, created, err := b.service.PutRoom(t.Context(), person(0), laggedRoomID, chat.RoomDraft{Shards: &shards}); err != nil || !created {
		t.Fatal(created, err)
	}
	b.wrote()
	return b
}

// wrote takes what was just written from the stream, for the replicas and for the feed.
func (b *laggedRoom) wrote() {
	b.t.Helper()
	records := b.stream.Next(b.t)
	b.lag.changed(b.t, records)
	for _, rec := range records {
		rec.Change.ApproximateCreationDateTime = events.SecondsEpochTime{Time: b.clock.now().Truncate(time.Second)}
		b.pending = append(b.pending, rec)
	}
}

// write makes one change of the room.
func (b *laggedRoom) write() {
	b.t.Helper()
	ctx := b.t.Context()
	b.texts++
	text := fmt.Sprint("text ", b.texts)
	m := b.messages[b.any()]
	of := chat.Revision{Room: laggedRoomID, ID: m.ID, Base: m.Revision}
	var err error
	switch n := b.r.IntN(10); {
	case n < 6 || m.Revision == 0 || m.Deleted():
		m, _, err = b.service.PostMessage(ctx, person(b.r.IntN(4)), laggedRoomID, chat.MessageDraft{UUID: b.uuid(), Text: text})
	case n < 9:
		m, _, err = b.service.EditMessage(ctx, m.ID.User, of, text)
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
	b.wrote()
	if b.r.IntN(2) == 0 {
		b.deliver(len(b.pending)) // a feed that is quick leaves the least time to the index
	}
}

// any is a message, sooner one of the last.
func (b *laggedRoom) any() chat.MessageID {
	n := len(b.order)
	if n == 0 {
		return chat.MessageID{}
	}
	return b.order[n-1-b.r.IntN(min(n, 1+b.r.IntN(n)))]
}

// uuid is one of now, or of up to an hour ago: sent from a queue.
func (b *laggedRoom) uuid() (id [16]byte) {
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

// deliver gives the feed some of what is pending, to one handler or the other, and at times to both.
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
	b.lag.changed(b.t, b.stream.Next(b.t)) // to FeedHead the feed lags as everything does
	head, _, err := b.store.FeedFrom(b.t.Context(), laggedRoomID, chat.MaxSeq, 1)
	if err != nil {
		b.t.Fatal(err)
	}
	b.head = head.Last
}
