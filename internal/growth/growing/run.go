package growing

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

const (
	// inFlight bounds the concurrent posts.
	inFlight = 32
	// tries is how often a post is tried before it counts as failed.
	tries = 4
	// pause is the time between two checks of a state, and between two reads of the room.
	pause = 200 * time.Millisecond
	// quietStep is how far the clock is advanced while a room is quiet. A room with several shards
	// is checked once an hour, and shrinks after a day.
	quietStep = 13 * time.Hour
	// patience is how long a room may take to reach the expected state.
	patience = 40 * time.Second
)

// Config is a load: a ramp from zero to Peak messages a second.
type Config struct {
	Endpoint string // of the engine
	Dir      string // for files
	Peak     float64
	Ramp     time.Duration
	// Hurry advances the clock to the start of new shards. Otherwise they begin at their usual
	// time.
	Hurry bool
	// Shards is the minimum number of shards that the room must reach. Messages are posted until
	// then.
	Shards int
}

// Result describes what became of a room.
type Result struct {
	Messages, Failed int
	Fastest          int // the most messages in a second
	Epochs           shard.Epochs
	Placed           int // the highest shard that a message is in
	Followed         int // the messages that the follower of the feed has seen
	Walks            int // how often the whole room was read meanwhile
	Start            time.Time
}

// Growth returns the shards with the times at which they began.
func (r Result) Growth() string {
	text := "1"
	for _, e := range r.Epochs[1:] {
		text += fmt.Sprintf(" %d@%v", e.N, e.From.Sub(r.Start).Truncate(time.Second))
	}
	return text
}

// Run lets a room grow under a load and shrink after it. It fails if a reader misses a message, or
// sees one twice.
func Run(ctx context.Context, cfg Config) (Result, error) {
	w, err := newWorld(ctx, cfg.Endpoint, cfg.Dir)
	if err != nil {
		return Result{}, err
	}
	defer w.stop()
	r := &run{world: w, cfg: cfg, slots: make(chan struct{}, inFlight), result: Result{Start: w.now()}}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	read := make(chan error, 1)
	reader := &reader{world: w, followed: map[chat.MessageID]bool{}}
	go func() { read <- r.read(reading, reader) }()
	if err = r.grow(ctx); err == nil {
		err = r.shrink(ctx)
	}
	stop()
	if err = errors.Join(err, <-read); err != nil {
		return r.result, err
	}
	if err := r.settle(ctx, reader); err != nil {
		return r.result, err
	}
	plan, err := w.store.ShardPlan(ctx, room)
	r.result.Epochs, r.result.Placed = plan.Epochs, int(w.placed.Load())
	r.result.Followed, r.result.Walks = len(reader.followed), reader.walks
	return r.result, err
}

// run is the state of a load.
type run struct {
	*world
	cfg   Config
	slots chan struct{}

	mu     sync.Mutex
	posted []chat.MessageID
	result Result
}

// read pages and follows until ctx ends.
func (r *run) read(ctx context.Context, reader *reader) error {
	for ctx.Err() == nil {
		err := errors.Join(reader.follow(ctx), reader.walk(ctx, r.acknowledged()))
		if err != nil && ctx.Err() == nil {
			return err
		}
		sleep(ctx, pause)
	}
	return nil
}

// acknowledged returns the messages whose posts were acknowledged long enough ago to be in the
// index. On the engine they are there immediately.
func (r *run) acknowledged() []chat.MessageID {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.posted[:len(r.posted):len(r.posted)]
}

// grow posts along the ramp, or as fast as the machine can, until the ramp has ended and the room
// has the shards.
func (r *run) grow(ctx context.Context) error {
	begun, second, inSecond := time.Now(), 0, 0
	var all sync.WaitGroup
	defer all.Wait()
	for n := 0; ; n++ {
		sleep(ctx, time.Until(begun.Add(r.cfg.due(n))))
		if time.Since(begun) >= r.cfg.Ramp {
			if done, err := r.grown(ctx, n); done || err != nil {
				return err
			}
		}
		if time.Since(begun) > r.cfg.Ramp+patience {
			return fmt.Errorf("of %d shards, messages are in %d; %d messages were posted, at most %d in a second", r.cfg.Shards, r.placed.Load(), n, r.result.Fastest)
		}
		select {
		case r.slots <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		if now := int(time.Since(begun) / time.Second); now != second {
			second, inSecond = now, 0
		}
		inSecond++
		r.result.Fastest = max(r.result.Fastest, inSecond)
		all.Go(func() {
			defer func() { <-r.slots }()
			r.post(ctx, n)
		})
	}
}

// due returns when message n is due: the number of earlier messages is the area under the ramp.
func (c Config) due(n int) time.Duration {
	inRamp := c.Peak * c.Ramp.Seconds() / 2
	if float64(n) <= inRamp {
		return time.Duration(math.Sqrt(float64(n)/inRamp) * float64(c.Ramp))
	}
	return c.Ramp + time.Duration((float64(n)-inRamp)/c.Peak*float64(time.Second))
}

// grown reports whether messages are in the shards that the room should get. It checks only from
// time to time.
func (r *run) grown(ctx context.Context, n int) (bool, error) {
	const every = 50
	if n%every > 0 {
		return false, nil
	}
	plan, err := r.store.ShardPlan(ctx, room)
	if err != nil {
		return false, err
	}
	if wait := plan.Epochs.Last().From.Sub(r.now()); r.cfg.Hurry && wait > 0 {
		r.move(wait)
	}
	return int(r.placed.Load()) >= r.cfg.Shards, nil
}

// post posts a message, with retries.
func (r *run) post(ctx context.Context, n int) {
	user := chat.UserID(fmt.Sprint("user-", n%people))
	var err error
	var m chat.Message
	var tail [10]byte
	_, _ = rand.Read(tail[:]) // it never fails
	draft := chat.MessageDraft{UUID: chat.NewUUID(r.now(), tail), Text: "hello"}
	for range tries {
		err = r.call(func() error {
			m, _, err = r.writers[n%len(r.writers)].PostMessage(ctx, user, room, draft)
			return err
		})
		if err == nil {
			break
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.result.Messages++; err != nil {
		r.result.Failed++
		return
	}
	r.posted = append(r.posted, m.ID)
}

// shrink posts slowly until the feed function sees that the room is quiet, and then lets days pass
// until it has one shard.
func (r *run) shrink(ctx context.Context) error {
	for begun := time.Now(); time.Since(begun) < patience; sleep(ctx, pause) {
		r.post(ctx, r.result.Messages)
		plan, err := r.store.ShardPlan(ctx, room)
		if err != nil {
			return err
		}
		switch last := plan.Epochs.Last(); {
		case last.N == 1 && !last.From.After(r.now()):
			return nil
		case last.N == 1:
			r.move(last.From.Sub(r.now()))
		case r.rate.Load() < int64(scaled().GrowTo):
			r.move(quietStep)
		}
	}
	return errors.New("the room does not shrink")
}

// settle waits until the reader has followed all messages, and then reads the room once more.
func (r *run) settle(ctx context.Context, reader *reader) error {
	for begun := time.Now(); len(reader.followed) < len(r.posted) && time.Since(begun) < patience; sleep(ctx, pause) {
		if err := reader.follow(ctx); err != nil {
			return err
		}
	}
	return errors.Join(missing(r.posted, reader.followed, "changes"), reader.walk(ctx, r.posted))
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
