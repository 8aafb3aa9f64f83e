package archive

import (
	"context"
	"fmt"
	"io"

	"example.com/parley/internal/chat"
)

// createRoom creates a room of the archive, or finds the existing one. If it fails, the room's
// messages are counted as not stored.
func (l *loader) createRoom(ctx context.Context, r Room) {
	room, created, err := l.findOrCreate(ctx, r)
	if err == nil && !created && l.Counts != nil {
		err = l.retry(ctx, func() (err error) {
			l.held[r.ID], err = l.Counts.MessageCount(ctx, r.ID)
			return err
		})
	}
	if err != nil {
		l.Log.ErrorContext(ctx, "the room could not be created", "room", r.ID, "err", err)
		return
	}
	l.rooms[r.ID], l.fresh[r.ID] = room, created
}

// findOrCreate returns the room, and reports whether it is new and therefore empty.
func (l *loader) findOrCreate(ctx context.Context, r Room) (chat.Room, bool, error) {
	room := chat.Room{
		ID:           r.ID,
		Name:         r.Name,
		Topic:        r.Topic,
		CreatedBy:    l.Creator,
		CreatedAt:    l.Now,
		Shards:       l.Shards,
		ShardsPinned: l.Shards > 1, // the team has set the number; a single shard may grow
		DigestKey:    make([]byte, digestKeySize),
	}
	if _, err := io.ReadFull(l.Random, room.DigestKey); err != nil {
		return chat.Room{}, false, fmt.Errorf("create its digest key: %w", err)
	}
	created := false
	err := l.retry(ctx, func() (err error) {
		created, err = l.store.CreateRoom(ctx, room, chat.OwnerOf(room, string(room.CreatedBy)))
		if err != nil || created {
			return err
		}
		room, err = l.store.Room(ctx, r.ID)
		return err
	})
	return room, created, err
}
