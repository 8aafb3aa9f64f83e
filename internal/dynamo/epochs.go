package dynamo

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

// epochMargins are the service's limits on a message's time: it refuses messages sent earlier or
// later.
var epochMargins = shard.Margins{MaxSendDelay: chat.MaxAge, MaxClockAhead: chat.MaxAhead}

// epochCache remembers the epochs of rooms for chat.EpochMaxAge.
type epochCache struct {
	clock func() time.Time
	mu    sync.Mutex
	rooms map[chat.RoomID]cachedEpochs
	reads singleflight.Group
}

type cachedEpochs struct {
	epochs shard.Epochs
	asOf   time.Time // before the read was sent
}

func newEpochCache(clock func() time.Time) *epochCache {
	return &epochCache{clock: clock, rooms: map[chat.RoomID]cachedEpochs{}}
}

// of returns the epochs of a room that the cache has, or those that read finds. Of calls at the
// same time one reads for all. If it fails, each of the others reads for itself: the room may be
// newer than the read, and the failure that of another caller's context.
func (c *epochCache) of(room chat.RoomID, read func() (shard.Epochs, error)) (shard.Epochs, error) {
	if epochs, ok := c.get(room); ok {
		return epochs, nil
	}
	own := false
	find := func() (any, error) {
		own = true
		if epochs, ok := c.get(room); ok { // an earlier read has just ended
			return epochs, nil
		}
		asOf := c.clock()
		epochs, err := read()
		if err == nil {
			c.put(room, epochs, asOf)
		}
		return epochs, err
	}
	epochs, err, _ := c.reads.Do(string(room), find)
	if err != nil && !own {
		epochs, err = find()
	}
	if err != nil {
		return nil, err
	}
	return epochs.(shard.Epochs), nil
}

func (c *epochCache) get(room chat.RoomID) (shard.Epochs, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.rooms[room]
	if !ok || c.clock().Sub(e.asOf).Abs() >= chat.EpochMaxAge {
		return nil, false
	}
	return e.epochs, true
}

// put stores epochs found by a read that began at asOf.
func (c *epochCache) put(room chat.RoomID, epochs shard.Epochs, asOf time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.rooms) >= chat.RoomCacheSize {
		clear(c.rooms)
	}
	if old, ok := c.rooms[room]; ok && old.asOf.After(asOf) && old.asOf.Sub(asOf) < chat.EpochMaxAge {
		return
	}
	c.rooms[room] = cachedEpochs{epochs: epochs, asOf: asOf}
}

// MessagesWhileChecking reads messages while check runs, assuming the last known epochs, or one
// shard. Once check has passed, the room's epochs are in the cache, so no call waits for them. A
// wrong guess costs the units of the page once more. Rooms with private ids are read after check:
// neither the number of calls nor the response time may reveal to a stranger that one exists.
func (s *Store) MessagesWhileChecking(
	ctx context.Context, span chat.MessageRange, check func() (late bool, err error),
) (messages []chat.Message, more bool, err error) {
	if span.Room.Private() {
		if _, err := check(); err != nil {
			return nil, false, err
		}
		return s.Messages(ctx, span)
	}
	guess := s.epochs.guess(span.Room)
	var page []chat.Message
	var goesOn bool
	var readErr error
	var reading sync.WaitGroup
	defer reading.Wait()
	reading.Go(func() { page, goesOn, readErr = s.messagesIn(ctx, span, guess) })
	late, err := check()
	if err != nil {
		return nil, false, err
	}
	epochs, err := s.epochsOf(ctx, span.Room)
	if err != nil {
		return nil, false, err
	}
	if late || !slices.EqualFunc(epochs, guess, sameEpoch) {
		reading.Wait() // so that the size of the room's items is known
		return s.messagesIn(ctx, span, epochs)
	}
	reading.Wait()
	return page, goesOn, readErr
}

func sameEpoch(a, b shard.Epoch) bool { return a.N == b.N && a.From.Equal(b.From) }

// guess returns the epochs that a room is likely to have: the last ones read, however long ago, or
// one shard.
func (c *epochCache) guess(room chat.RoomID) shard.Epochs {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.rooms[room]; ok {
		return known.epochs
	}
	return shard.Fixed(1)
}
