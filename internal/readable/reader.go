// Package readable reads messages of many rooms for a person's lists, such as their mentions.
package readable

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"parley/internal/chat"
	"parley/internal/policy"
)

// roomsAtOnce bounds the rooms that one page reads at once. It hides the latency of the store, and
// leaves connections to other requests.
const roomsAtOnce = 16

// Source reads messages.
type Source interface {
	// MessagesSoon returns those of the messages that exist. No id is given twice.
	MessagesSoon(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error)
}

// Authorize checks an action of a caller, as chat.Authorizer does.
type Authorize func(ctx context.Context, caller chat.UserID, room chat.RoomID, action policy.Action) (chat.Access, error)

// Reader reads messages for people. It is safe for concurrent use.
type Reader struct {
	Authorize Authorize
	Source    Source
}

// Messages returns those of the messages that exist in rooms that the caller may read. An id may be
// given twice.
func (r Reader) Messages(ctx context.Context, caller chat.UserID, ids map[chat.RoomID][]chat.MessageID) (map[chat.RoomID]map[chat.MessageID]chat.Message, error) {
	var mu sync.Mutex
	all := make(map[chat.RoomID]map[chat.MessageID]chat.Message, len(ids))
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

// messagesIn returns none if the caller may not read the room.
func (r Reader) messagesIn(ctx context.Context, caller chat.UserID, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	_, err := r.Authorize(ctx, caller, room, policy.Read)
	switch chat.KindOf(err) {
	case chat.NotFound, chat.Forbidden:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.Source.MessagesSoon(ctx, room, unique(ids))
}

// unique returns the ids in order, each once.
func unique(ids []chat.MessageID) []chat.MessageID {
	once := make([]chat.MessageID, 0, len(ids))
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once
}
