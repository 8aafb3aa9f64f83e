package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/internal/chat"
)

// ReasonSuspended is the reason in the last frame to a person who was suspended.
const ReasonSuspended = "suspended"

// suspendTime bounds the ends of the connections of people who were suspended. The changes of the
// batch wait that long. It happens rarely, and nobody else ends these connections.
const suspendTime = 2 * time.Second

// endPeople ends all connections of suspended people.
func (d *Delivery) endPeople(ctx context.Context, people []chat.UserID) error {
	if len(people) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, suspendTime)
	defer cancel()
	var mu sync.Mutex
	var errs []error
	d.each(readsAtOnce, len(people), func(i int) {
		all, err := d.o.Connections.Connections(ctx, people[i])
		for _, o := range all {
			err = errors.Join(err, d.endConnection(ctx, o))
		}
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	})
	return errors.Join(errs...)
}

// endConnection ends a connection. Its subscriptions end first: it then receives nothing, even if
// it cannot be closed at present. The connection stays stored until it is closed.
func (d *Delivery) endConnection(ctx context.Context, o Opened) error {
	if _, err := d.o.Rows.Leave(ctx, o.Connection, o.Rooms); err != nil {
		return err
	}
	_ = d.o.Poster.Post(ctx, o.ID, notice("closing", "reason", ReasonSuspended)) // the client learns it when it connects again
	if err := d.o.Poster.Close(ctx, o.ID); err != nil && !errors.Is(err, ErrGone) {
		return err
	}
	_, _, err := disconnect(ctx, d.o.Rows, d.o.Connections, o.Connection)
	return err
}
