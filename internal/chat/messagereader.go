package chat

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/policy"
)

// roomsAtOnce bounds the rooms that one page reads concurrently. It hides the store's latency and
// leaves connections for other requests.
const roomsAtOnce = 16

// MessageSource reads messages by their ids.
type MessageSource interface {
	// MessagesSoon returns the existing messages of a room among ids, none of which is given
	// twice. Changes from about the last second may be missing. The error is Unavailable if the
	// store cannot answer.
	MessagesSoon(ctx context.Context, room RoomID, ids []MessageID) (map[MessageID]Message, error)
}

// AuthorizeFunc checks a caller's action in the same way as chat.Authorizer.
type AuthorizeFunc func(ctx context.Context, caller UserID, room RoomID, action policy.Action) (Access, error)

// MessageReader reads messages for people. It is safe for concurrent use.
type MessageReader struct {
	Authorize AuthorizeFunc
	Source    MessageSource
}

// Messages returns the messages that exist and that the caller may read. An id may be given twice.
func (r MessageReader) Messages(
	ctx context.Context, caller UserID, ids map[RoomID][]MessageID,
) (map[RoomID]map[MessageID]Message, error) {
	var mu sync.Mutex
	all := make(map[RoomID]map[MessageID]Message, len(ids))
	reads, inner := errgroup.WithContext(ctx)
	reads.SetLimit(roomsAtOnce)
	for room, of := range ids {
		reads.Go(func() error {
			found, err := r.messagesIn(inner, caller, room, of)
			mu.Lock()
			defer mu.Unlock()
			all[room] = found
			return err
		})
	}
	return all, reads.Wait()
}

// messagesIn returns the messages of one room, or nil if the caller may not read it.
func (r MessageReader) messagesIn(
	ctx context.Context, caller UserID, room RoomID, ids []MessageID,
) (map[MessageID]Message, error) {
	_, err := r.Authorize(ctx, caller, room, policy.Read)
	switch KindOf(err) {
	case NotFound, Forbidden:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.Source.MessagesSoon(ctx, room, Unique(ids))
}

// Unique returns the ids in order, each once.
func Unique(ids []MessageID) []MessageID {
	once := make([]MessageID, 0, len(ids))
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once
}
