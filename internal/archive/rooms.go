package archive

import (
	"context"
	"fmt"
	"io"

	"parley/internal/chat"
)

// makeRoom makes a room that messages will be put in, or finds it. Where
// that fails, its messages are counted as not stored.
func (l *loader) makeRoom(ctx context.Context, r Room) {
	room, err := l.roomOf(ctx, r)
	if err != nil {
		l.Log.ErrorContext(ctx, "the room could not be made", "room", r.ID, "err", err)
		return
	}
	l.rooms[r.ID] = room
}

func (l *loader) roomOf(ctx context.Context, r Room) (chat.Room, error) {
	room := chat.Room{
		ID:        r.ID,
		Name:      r.Name,
		Topic:     r.Topic,
		CreatedBy: l.Maker,
		CreatedAt: l.Now,
		Shards:    l.Shards,
		DigestKey: make([]byte, digestKeySize),
	}
	if _, err := io.ReadFull(l.Random, room.DigestKey); err != nil {
		return chat.Room{}, fmt.Errorf("make its key: %w", err)
	}
	err := l.retry(ctx, func() error {
		created, err := l.store.CreateRoom(ctx, room, chat.OwnerOf(room, string(room.CreatedBy)))
		if err != nil || created {
			return err
		}
		room, err = l.store.Room(ctx, r.ID)
		return err
	})
	return room, err
}
