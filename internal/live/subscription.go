package live

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
)

// ConnectionID identifies a connection of a client.
type ConnectionID string

// Connection is a client's connection, by which one person receives changes.
type Connection struct {
	ID    ConnectionID
	User  chat.UserID
	Until time.Time // nothing is delivered from then on; stored to the second
	// RenewableUntil bounds renewals, which extend Until. It is zero if Until is the latest end of
	// any connection, and otherwise after Until.
	RenewableUntil time.Time
}

// last returns the latest time at which the connection may end.
func (c Connection) last() time.Time {
	if c.RenewableUntil.After(c.Until) {
		return c.RenewableUntil
	}
	return c.Until
}

// Mode is how much a subscription receives.
type Mode int

const (
	// Full subscriptions receive the changes.
	Full Mode = iota
	// Counts subscriptions receive the number of messages.
	Counts
)

var modeNames = [...]string{Full: "full", Counts: "counts"}

func (m Mode) String() string { return modeNames[m] }

// ParseMode parses the result of String.
func ParseMode(s string) (Mode, bool) {
	for m, name := range modeNames {
		if name == s {
			return Mode(m), true
		}
	}
	return Full, false
}

// Want is a room to which a connection subscribes.
type Want struct {
	Room chat.RoomID
	Mode Mode
}

// Subscription is a connection's interest in the changes of a room.
type Subscription struct {
	Room       chat.RoomID
	Connection Connection
	Mode       Mode
	// Attempt identifies the request that stored the subscription. A later request of the
	// connection replaces the subscription, which then no longer belongs to the earlier one.
	Attempt string
	Active  bool // a pending subscription receives nothing
	// Ended means that the person may no longer read the room, and that the delivery of this change
	// notifies the connection. An ended subscription is not active, and cannot become so.
	Ended bool
}

// receives reports whether the subscription receives changes at a time.
func (s Subscription) receives(now time.Time) bool { return s.Active && now.Before(s.Connection.Until) }

// Rows stores subscriptions. A connection has at most one subscription to a room. All methods are
// consistent, and return a *chat.Error of kind Unavailable if the store cannot answer at present.
type Rows interface {
	// PutPending stores a pending subscription, in place of the connection's previous one.
	PutPending(ctx context.Context, s Subscription) error
	// Activate makes a pending subscription active. If it no longer exists or belongs to another
	// attempt, nothing changes and ok is false.
	Activate(ctx context.Context, s Subscription) (ok bool, err error)
	// Delete removes each given subscription that is unchanged: of the same attempt, and not
	// activated since. The result is false if any had changed.
	Delete(ctx context.Context, all []Subscription) (done bool, err error)
	// End is Delete, but an active subscription stays as an ended one. An ended subscription counts
	// as removed.
	End(ctx context.Context, all []Subscription) (done bool, err error)
	// Leave removes a connection's subscriptions to some rooms, in any state. It returns the rooms
	// to which the connection had an active subscription. After an error, some may remain.
	Leave(ctx context.Context, c Connection, rooms []chat.RoomID) (left []chat.RoomID, err error)
	// Subscriptions returns all subscriptions to a room, including pending, ended and expired ones.
	Subscriptions(ctx context.Context, room chat.RoomID) ([]Subscription, error)
}

// SubscriptionRange selects subscriptions to a room, in the order of their keys.
type SubscriptionRange struct {
	Room       chat.RoomID
	After      ConnectionID // the last one of the previous page; "" for the first page
	Limit      int
	Consistent bool // otherwise changes of the last second may be missing
}

// Lookup reads and marks single subscriptions.
type Lookup interface {
	// SomeSubscriptions returns the first subscriptions of a range, including pending and expired
	// ones, and reports whether more follow.
	SomeSubscriptions(ctx context.Context, r SubscriptionRange) (some []Subscription, more bool, err error)
	// SubscriptionsOf returns the subscriptions of a connection to some rooms, including pending
	// and expired ones. Unless the read is consistent, it may miss the changes of the last second.
	SubscriptionsOf(ctx context.Context, id ConnectionID, rooms []chat.RoomID, consistent bool) ([]Subscription, error)
	// MarkTyping records that a connection's person types in a room. It returns 0 if the last mark
	// is TypingInterval old, and otherwise how long to wait. If the connection has no active
	// subscription to the room, found is false and nothing changes.
	MarkTyping(
		ctx context.Context, room chat.RoomID, id ConnectionID, now time.Time,
	) (wait time.Duration, found bool, err error)
}
