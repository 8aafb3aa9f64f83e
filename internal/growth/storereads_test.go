package growth_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/tabletest"
)

// storeReads and nightlyStoreReads are the numbers of random reads of the store.
const storeReads, nightlyStoreReads = 300, 1000

// TestStoreReads_MissAndRepeatNothing reads rooms on the real store while they grow and shrink.
// The clocks of the processes differ, some messages arrive a day late, and some puts are in
// flight.
func TestStoreReads_MissAndRepeatNothing(t *testing.T) {
	t.Parallel()
	w := newStoreWorld(t)
	for seed := uint64(1); w.reads < nightly.Times(storeReads, nightlyStoreReads); seed++ {
		if err := w.live(t.Context(), seed, growth.Delay); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if w.changes == 0 || w.late == 0 || w.retries == 0 {
		t.Errorf("%d changes, %d puts that were under way, %d retries: the reads prove nothing", w.changes, w.late, w.retries)
	}
}

// TestStoreReads_NoticeAMissingDelay lets new shards begin immediately.
func TestStoreReads_NoticeAMissingDelay(t *testing.T) {
	t.Parallel()
	w := newStoreWorld(t)
	for seed := uint64(1); seed <= 50; seed++ {
		if w.live(t.Context(), seed, 0) != nil {
			return
		}
	}
	t.Errorf("%d reads without a fault", w.reads)
}

// life is the history of one room: the posted messages, and the puts in flight to the table.
type life struct {
	*storeWorld
	rand     *rand.Rand
	room     chat.RoomID
	began    time.Time
	delay    time.Duration
	messages []chat.Message
	landing  []landing
}

// landing is a put in flight until a time.
type landing struct {
	until   time.Time
	process *process
	message chat.Message
	done    chan error
}

// live lets a room live for a while, and returns the first thing that a reader misses.
func (w *storeWorld) live(ctx context.Context, seed uint64, delay time.Duration) (err error) {
	l := &life{
		storeWorld: w, rand: rand.New(rand.NewPCG(seed, 0)), room: chat.RoomID(fmt.Sprint("room-", seed)), began: w.clock.Now(), delay: delay,
	}
	made := chat.Room{ID: l.room, Name: "n", CreatedBy: "ann", CreatedAt: l.began, Shards: 1, DigestKey: []byte("k")}
	if _, err := w.processes[0].store.CreateRoom(ctx, made, chat.OwnerOf(made, "ann")); err != nil {
		return err
	}
	defer func() {
		for len(l.landing) > 0 {
			if e := l.land(0); err == nil {
				err = e
			}
		}
	}()
	for range 40 {
		w.clock.Advance(l.step())
		for i := len(l.landing) - 1; i >= 0; i-- {
			if !l.landing[i].until.After(w.clock.Now()) {
				if err := l.land(i); err != nil {
					return err
				}
			}
		}
		if err := l.act(ctx); err != nil {
			return err
		}
	}
	return nil
}

// step returns the time to the next action: mostly seconds, so that many actions happen around a
// change.
func (l *life) step() time.Duration {
	if l.rand.IntN(15) == 0 {
		return time.Duration(l.rand.Int64N(int64(30 * time.Hour))).Truncate(time.Millisecond)
	}
	return time.Duration(l.rand.IntN(4000)) * time.Millisecond
}

func (l *life) any() *process { return l.processes[l.rand.IntN(len(l.processes))] }

func (l *life) act(ctx context.Context) error {
	switch n := l.rand.IntN(20); {
	case n < 3:
		l.changes++
		return l.change(ctx, []int{1, 2, 3, 8, 16}[l.rand.IntN(5)])
	case n < 12:
		return l.post(ctx)
	case n < 14 && len(l.messages) > 0:
		l.retries++
		return l.retry(ctx, l.messages[l.rand.IntN(len(l.messages))])
	}
	for range 3 {
		if err := l.read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// change gives the room n shards. A delay of zero is a seeded bug.
func (l *life) change(ctx context.Context, n int) error {
	p := l.any()
	if l.delay > 0 {
		_, err := p.owners.SetShards(ctx, l.room, n)
		return err
	}
	before, err := p.store.ShardPlan(ctx, l.room)
	if err != nil {
		return err
	}
	after := before
	if after.Epochs = before.Epochs.With(n, p.clock()); after.Epochs == nil {
		return nil
	}
	after.Writes++
	_, err = p.store.ReplaceShardPlan(ctx, l.room, before, after)
	return err
}

// post puts a message that the service accepts. One in six is in flight for some seconds.
func (l *life) post(ctx context.Context) error {
	p := l.any()
	received := p.clock().UTC().Truncate(time.Millisecond)
	sent := received.Add(chat.MaxAhead - time.Duration(l.rand.IntN(4000))*time.Millisecond)
	if l.rand.IntN(4) == 0 {
		sent = received.Add(-time.Duration(l.rand.Int64N(int64(chat.MaxAge))))
	}
	var tail [10]byte
	for i := range tail {
		tail[i] = byte(l.rand.IntN(256))
	}
	user := chat.UserID(fmt.Sprint("u", l.rand.IntN(12)))
	m := chat.Message{
		Room: l.room, ID: chat.MessageID{UUID: chat.NewUUID(sent, tail), User: user},
		Text: "x", ReceivedAt: received, Revision: 1, Digest: []byte("digest"),
	}
	busy := slices.ContainsFunc(l.landing, func(a landing) bool { return a.process == p })
	if busy || l.rand.IntN(6) > 0 {
		_, created, err := p.store.PutMessage(ctx, m)
		if err == nil && !created {
			err = fmt.Errorf("message %v is there already", m.ID)
		}
		l.messages = append(l.messages, m)
		return err
	}
	l.late++
	a := landing{until: l.clock.Now().Add(time.Duration(l.rand.Int64N(int64(flight)))), process: p, message: m, done: make(chan error, 1)}
	p.armed.Store(true)
	go func() {
		_, _, err := p.store.PutMessage(ctx, m)
		a.done <- err
	}()
	select {
	case <-p.held:
	case err := <-a.done:
		return fmt.Errorf("the put of %v was not held: %w", m.ID, err)
	}
	l.landing = append(l.landing, a)
	return nil
}

// land lets a put arrive.
func (l *life) land(i int) error {
	a := l.landing[i]
	l.landing = slices.Delete(l.landing, i, i+1)
	a.process.free <- struct{}{}
	l.messages = append(l.messages, a.message)
	return <-a.done
}

// retry puts a message once more, by any process.
func (l *life) retry(ctx context.Context, m chat.Message) error {
	again := m
	again.ReceivedAt = m.ReceivedAt.Add(time.Hour) // to distinguish it from an attempt of the same call
	if _, created, err := l.any().store.PutMessage(ctx, again); err != nil || created {
		return fmt.Errorf("a retry of %v, sent %v: stored twice %v, %w", m.ID, m.SentAt(), created, err)
	}
	return nil
}

// read reads one page of a random range, and compares it with the messages.
func (l *life) read(ctx context.Context) error {
	l.reads++
	r := chat.MessageRange{Room: l.room, Order: chat.Order(l.rand.IntN(2)), Limit: 1 + l.rand.IntN(20)}
	if l.rand.IntN(3) == 0 {
		r.User = chat.UserID(fmt.Sprint("u", l.rand.IntN(12)))
	}
	lived := int64(l.clock.Now().Sub(l.began)) + int64(time.Minute)
	if l.rand.IntN(2) == 0 {
		r.From = l.began.Add(time.Duration(l.rand.Int64N(lived))).UTC().Truncate(time.Second)
	}
	if l.rand.IntN(2) == 0 {
		r.To = l.began.Add(time.Duration(l.rand.Int64N(lived))).UTC().Truncate(time.Second)
	}
	if !r.To.IsZero() && r.To.Before(r.From) {
		r.From, r.To = r.To, r.From
	}
	page, _, err := l.any().store.Messages(ctx, r)
	if err != nil {
		return err
	}
	want := l.within(r)
	same := func(a, b chat.Message) bool { return a.ID == b.ID && bytes.Equal(a.Digest, b.Digest) }
	if !slices.EqualFunc(page, want, same) {
		return fmt.Errorf("a page of %+v has %d messages, want %d", r, len(page), len(want))
	}
	return nil
}

// within returns the first page of a range, from the list of the messages.
func (l *life) within(r chat.MessageRange) []chat.Message {
	var all []chat.Message
	for _, m := range l.messages {
		at := r.PositionOf(m).At
		if (r.User == "" || r.User == m.ID.User) && !at.Before(r.From) && (r.To.IsZero() || at.Before(r.To)) {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b chat.Message) int {
		c := r.PositionOf(a).Compare(r.PositionOf(b))
		if r.Order == chat.Newest {
			c = -c
		}
		return c
	})
	return all[:min(len(all), r.Limit)]
}

// storeWorld is a table with the processes that use it. Each has its own clock and cache.
type storeWorld struct {
	clock                         *chattest.Clock
	processes                     []*process
	reads, changes, late, retries int
}

// process is one process. While it is armed, its next put of a message waits until it is released.
type process struct {
	store  *dynamo.Store
	clock  func() time.Time
	owners *growth.OwnerSetting
	armed  atomic.Bool
	held   chan struct{} // receives when a put is waiting
	free   chan struct{} // releases it
}

func (p *process) hold(o *dynamodb.Options) {
	next := o.HTTPClient
	o.HTTPClient = doer(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".PutItem") && p.armed.CompareAndSwap(true, false) {
			p.held <- struct{}{}
			<-p.free
		}
		return next.Do(r)
	})
}

type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

func newStoreWorld(t *testing.T) *storeWorld {
	t.Helper()
	w := &storeWorld{clock: chattest.NewClock()}
	endpoint := enginetest.Start(t)
	tabletest.Create(t, dynamo.LocalClient(endpoint), "chat")
	for _, off := range []time.Duration{-skew, 0, skew} {
		p := &process{held: make(chan struct{}), free: make(chan struct{})}
		p.clock = func() time.Time { return w.clock.Now().Add(off) }
		p.store = dynamo.New(dynamo.LocalClient(endpoint, p.hold), dynamo.Options{Table: "chat", Clock: p.clock})
		p.owners = growth.NewOwnerSetting(p.store, p.clock, slog.New(slog.DiscardHandler))
		w.processes = append(w.processes, p)
	}
	return w
}
