package growth_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
)

const (
	// grownShards is the number of shards that the room must reach.
	grownShards = 4
	// posters post concurrently, each as growingPeople people in turn.
	posters       = 32
	growingPeople = 500
	// postTries is how often a post is tried before it counts as failed.
	postTries = 4
	// lookPause is the pause between two checks of a state, and between two readings of the room.
	lookPause = 200 * time.Millisecond
	// quietStep is how far the clock is advanced while the room is quiet. A room with several shards
	// is checked once an hour, and shrinks after a day.
	quietStep = 13 * time.Hour
	// growingPatience only ends a test that hangs.
	growingPatience = time.Minute
)

// TestWatcher_GrowsARoomOfTheEngine lets a room grow and shrink by itself on the real engine,
// behind the service and the feed function, while readers page and follow. The clock is advanced,
// so that the test does not wait for an epoch's delay or for a day.
func TestWatcher_GrowsARoomOfTheEngine(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), growingPatience)
	defer cancel()
	r := &growingRoom{growingWorld: newGrowingWorld(t)}
	reading, stop := context.WithCancel(ctx)
	read := make(chan error, 1)
	reader := &growingReader{growingWorld: r.growingWorld, followed: map[chat.MessageID]bool{}}
	go func() { read <- r.readWhile(reading, reader) }()
	err := r.grow(ctx)
	if err == nil {
		err = r.shrink(ctx)
	}
	stop()
	if err = errors.Join(err, <-read); err == nil {
		err = r.settle(ctx, reader)
	}
	if err != nil || reader.walks < 3 {
		t.Errorf("after %d readings, with messages in %d shards: %v", reader.walks, r.placed.Load(), err)
	}
}

// growingRoom is a room that people post to.
type growingRoom struct {
	*growingWorld
	mu     sync.Mutex
	posted []chat.MessageID
}

// readWhile pages and follows until ctx ends.
func (r *growingRoom) readWhile(ctx context.Context, reader *growingReader) error {
	for ctx.Err() == nil {
		err := errors.Join(reader.follow(ctx), reader.walk(ctx, r.acknowledged()))
		if err != nil && ctx.Err() == nil {
			return err
		}
		pause(ctx)
	}
	return nil
}

// acknowledged returns the messages whose posts have been acknowledged. The engine's index has them
// immediately.
func (r *growingRoom) acknowledged() []chat.MessageID {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.posted[:len(r.posted):len(r.posted)]
}

// grow posts as fast as the machine can until messages are in enough shards.
func (r *growingRoom) grow(ctx context.Context) error {
	all, posting := errgroup.WithContext(ctx)
	var grown atomic.Bool
	for p := range posters {
		all.Go(func() error {
			for n := p; !grown.Load(); n += posters {
				if err := r.post(posting, n); err != nil {
					return err
				}
			}
			return nil
		})
	}
	all.Go(func() error {
		defer grown.Store(true)
		for r.placed.Load() < grownShards {
			plan, err := r.store.ShardPlan(posting, growingRoomID)
			if err != nil {
				return err
			}
			if wait := plan.Epochs.Last().From.Sub(r.now()); wait > 0 {
				r.advance(wait)
			}
			pause(posting)
		}
		return nil
	})
	return all.Wait()
}

// post posts message n, with retries.
func (r *growingRoom) post(ctx context.Context, n int) error {
	user := chat.UserID(fmt.Sprint("user-", n%growingPeople))
	var tail [10]byte
	_, _ = rand.Read(tail[:]) // it never fails
	draft := chat.MessageDraft{UUID: chat.NewUUID(r.now(), tail), Text: "hello"}
	var m chat.Message
	var err error
	for range postTries {
		err = r.call(func() error {
			m, _, err = r.writers[n%len(r.writers)].PostMessage(ctx, user, growingRoomID, draft)
			return err
		})
		if err == nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.posted = append(r.posted, m.ID)
			return nil
		}
	}
	return err
}

// shrink posts slowly until the feed function sees that the room is quiet, and then lets days pass
// until it has one shard.
func (r *growingRoom) shrink(ctx context.Context) error {
	for n := 0; ctx.Err() == nil; n++ {
		if err := r.post(ctx, n); err != nil {
			return err
		}
		plan, err := r.store.ShardPlan(ctx, growingRoomID)
		if err != nil {
			return err
		}
		switch last := plan.Epochs.Last(); {
		case last.N == 1 && !last.From.After(r.now()):
			return nil
		case last.N == 1:
			r.advance(last.From.Sub(r.now()))
		case r.rate.Load() < int64(scaledRule().GrowTo):
			r.advance(quietStep)
		}
		pause(ctx)
	}
	return errors.New("the room does not shrink")
}

// settle waits until the reader has followed all messages, and then reads the room once more.
func (r *growingRoom) settle(ctx context.Context, reader *growingReader) error {
	for missing(r.posted, reader.followed, "changes") != nil && ctx.Err() == nil {
		if err := reader.follow(ctx); err != nil {
			return err
		}
		pause(ctx)
	}
	return reader.walk(ctx, r.posted)
}

// pause waits for lookPause or until ctx ends.
func pause(ctx context.Context) {
	select {
	case <-time.After(lookPause):
	case <-ctx.Done():
	}
}
