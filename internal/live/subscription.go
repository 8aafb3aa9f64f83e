package live

import (
	"context"
	"time"

	"parley/internal/chat"
)

// ConnectionID identifies a connection of a client.
type ConnectionID string

// Connection is a client's connection, by which one person receives changes.
type Connection struct {
	ID    ConnectionID
	User  chat.UserID
	Until time.Time // nothing is delivered from then on
}

// Subscription is a connection's interest in the changes of a room.
type Subscription struct {
	Room       chat.RoomID
	Connection Connection
	// Attempt identifies the request that stored the subscription. A later request of the
	// connection replaces the subscription, and takes it from the earlier one.
	Attempt string
	Active  bool // a pending subscription receives nothing
}

// receives reports whether the subscription receives changes at a time.
func (s Subscription) receives(now time.Time) bool { return s.Active && now.Before(s.Connection.Until) }

// Rows stores subscriptions. A room has at most one of each connection. All methods are consistent,
// and return a *chat.Error of kind Unavailable if the store cannot answer at present.
type Rows interface {
	// PutPending stores a pending subscription, in place of the connection's previous one.
	PutPending(ctx context.Context, s Subscription) error
	// Activate makes a pending subscription active. If it is no longer there, or belongs to another
	// attempt, nothing changes and ok is false.
	Activate(ctx context.Context, s Subscription) (ok bool, err error)
	// Delete removes each of some subscriptions that is as given: of the same attempt, and not
	// activated since. Without an attempt, it removes the connection's subscription as it is. The
	// result is false if one was not as given.
	Delete(ctx context.Context, all []Subscription) (done bool, err error)
	// Subscriptions returns all subscriptions to a room, also pending and expired ones.
	Subscriptions(ctx context.Context, room chat.RoomID) ([]Subscription, error)
}
