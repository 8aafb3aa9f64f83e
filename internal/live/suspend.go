package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"example.com/parley/internal/chat"
)

// ReasonSuspended is the reason in the last frame to a person who was suspended.
const ReasonSuspended = "suspended"

// suspendTime bounds the time for ending suspended people's connections, including CloseDelay. The
// changes of the batch wait that long. Suspensions are rare, and nothing else ends these
// connections.
const suspendTime = 2 * time.Second

// endPeople ends all connections of suspended people. Their subscriptions end first, so
// connections that cannot be closed at present receive nothing. After all last frames and one
// wait, all connections are closed. They stay stored until then.
func (d *Delivery) endPeople(ctx context.Context, people []chat.UserID) error {
	if len(people) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, suspendTime)
	defer cancel()
	var mu sync.Mutex
	var errs []error
	var told []Opened
	d.each(readsAtOnce, len(people), func(i int) {
		all, err := d.o.Connections.Connections(ctx, people[i])
		for _, o := range all {
			leaveErr := d.announceEnd(ctx, o)
			mu.Lock()
			if leaveErr == nil {
				told = append(told, o)
			}
			mu.Unlock()
			err = errors.Join(err, leaveErr)
		}
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	})
	if len(told) > 0 {
		d.o.Wait(ctx, CloseDelay)
	}
	d.each(readsAtOnce, len(told), func(i int) {
		err := d.closeSuspended(ctx, told[i].Connection)
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	})
	return errors.Join(errs...)
}

// announceEnd ends the subscriptions of a connection, and sends its last frame.
func (d *Delivery) announceEnd(ctx context.Context, o Opened) error {
	if _, err := d.o.Rows.Leave(ctx, o.Connection, o.Rooms); err != nil {
		return err
	}
	// the client learns it when it connects again
	_ = d.o.Poster.Post(ctx, o.ID, notice("closing", "reason", ReasonSuspended))
	return nil
}

// closeSuspended closes a connection, and deletes it.
func (d *Delivery) closeSuspended(ctx context.Context, c Connection) error {
	if err := d.o.Poster.Close(ctx, c.ID); err != nil && !errors.Is(err, ErrGone) {
		return err
	}
	_, _, err := disconnect(ctx, d.o.Rows, d.o.Connections, c)
	return err
}
