package dynamo

import (
	"context"
	"slices"
	"sync"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

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
