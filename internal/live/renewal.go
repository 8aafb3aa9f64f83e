package live

import (
	"context"
	"sync"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/expiring"
)

// ends holds the ends of connections that may have been renewed. A renewal changes only the
// connection's row, so its subscriptions still have the earlier end. For subscriptions that seem
// to have ended, ends therefore reads the connections' rows, once until the end that these state.
type ends struct {
	rows  ConnectionRows
	mu    sync.Mutex
	known *expiring.Map[ConnectionID, time.Time]
}

func newEnds(rows ConnectionRows) *ends {
	return &ends{rows: rows, known: expiring.New[ConnectionID, time.Time]()}
}

// update sets Until of the connections that have been renewed. It reads nothing for connections
// that have not ended or cannot have been renewed.
func (e *ends) update(ctx context.Context, now time.Time, all []*Connection) error {
	var unknown []*Connection
	for _, c := range all {
		if now.Before(c.Until) || !now.Before(c.last()) {
			continue
		}
		if end := e.get(c.ID); now.Before(end) {
			c.Until = end
			continue
		}
		unknown = append(unknown, c)
	}
	if len(unknown) == 0 {
		return nil
	}
	asked := make([]Connection, len(unknown))
	for i, c := range unknown {
		asked[i] = *c
	}
	found, err := e.rows.ConnectionEnds(ctx, asked)
	if err != nil {
		return err
	}
	for _, c := range unknown {
		if end := found[c.ID]; now.Before(end) {
			c.Until = end
			e.put(c.ID, end, now)
		}
	}
	return nil
}

// updateSubscriptions is update for the connections of active subscriptions.
func (e *ends) updateSubscriptions(ctx context.Context, now time.Time, all []Subscription) error {
	var active []*Connection
	for i := range all {
		if all[i].Active {
			active = append(active, &all[i].Connection)
		}
	}
	return e.update(ctx, now, active)
}

// get returns the end of a connection, or the zero time.
func (e *ends) get(id ConnectionID) time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	end, _ := e.known.Get(id)
	return end
}

func (e *ends) put(id ConnectionID, end, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.known.Put(id, end, func(end time.Time) bool { return !now.Before(end) })
}

// End returns when a connection ends, including renewals.
func (s *Service) End(ctx context.Context, c Connection) (time.Time, error) {
	err := s.ends.update(ctx, s.clock(), []*Connection{&c})
	return c.Until, err
}

// Renew extends a connection, at most to RenewableUntil, and returns the positions of its rooms.
// Its subscriptions last as long as the connection. The error is Conflict if the connection cannot
// be renewed, or is not stored.
func (s *Service) Renew(ctx context.Context, c Connection, until time.Time) ([]Position, error) {
	if c.RenewableUntil.IsZero() {
		return nil, chat.Conflictf("this connection cannot be renewed; connect again")
	}
	if until.After(c.RenewableUntil) {
		until = c.RenewableUntil
	}
	c.Until = until
	o, found, err := s.connections.RenewConnection(ctx, c, chat.ServerTime(s.clock()))
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, chat.Conflictf("the connection has no rooms; say hello first")
	}
	return s.positions(ctx, c.ID, o.Rooms)
}
