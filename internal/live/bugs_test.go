package live_test

import (
	"context"
	"errors"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/policy"
)

// wrong is the system with a fault in one place.
type wrong struct {
	system
	subscribe func(ctx context.Context, c live.Connection, attempt string, wants []live.Want) ([]live.Subscribed, error)
	append    func(ctx context.Context, c feed.Change) error
	remove    func(ctx context.Context, user chat.UserID) error
	hangUp    func(ctx context.Context, c live.Connection) ([]chat.RoomID, error)
	consume   func(ctx context.Context, b feed.Batch) error
}

func (w wrong) Subscribe(ctx context.Context, c live.Connection, attempt string, wants []live.Want) ([]live.Subscribed, error) {
	if w.subscribe == nil {
		return w.system.Subscribe(ctx, c, attempt, wants)
	}
	return w.subscribe(ctx, c, attempt, wants)
}

func (w wrong) RemovePerson(ctx context.Context, user chat.UserID) error {
	if w.remove == nil {
		return w.system.RemovePerson(ctx, user)
	}
	return w.remove(ctx, user)
}

func (w wrong) HangUp(ctx context.Context, c live.Connection) ([]chat.RoomID, error) {
	if w.hangUp == nil {
		return w.system.HangUp(ctx, c)
	}
	return w.hangUp(ctx, c)
}

func (w wrong) Consume(ctx context.Context, b feed.Batch) error {
	if w.consume == nil {
		return w.system.Consume(ctx, b)
	}
	return w.consume(ctx, b)
}

func (w wrong) AppendAndConsume(ctx context.Context, c feed.Change) error {
	if w.append == nil {
		return w.system.AppendAndConsume(ctx, c)
	}
	return w.append(ctx, c)
}

// TestSubscribe_WrongOrdersShow checks that other orders of the steps, as good as they seem, are
// found.
func TestSubscribe_WrongOrdersShow(t *testing.T) {
	t.Parallel()
	for name, newSystem := range map[string]func(ports) system{
		"the head is read before the subscription": func(p ports) system {
			return wrong{system: newRight(p), subscribe: func(ctx context.Context, c live.Connection, attempt string, wants []live.Want) ([]live.Subscribed, error) {
				head, _ := p.CurrentFeedHead(ctx, room)
				results, err := newRight(p).Subscribe(ctx, c, attempt, wants)
				for i := range results {
					results[i].Head = head
				}
				return results, err
			}}
		},
		"the audience is read before the append": func(p ports) system {
			return wrong{system: newRight(p), append: func(ctx context.Context, c feed.Change) error {
				all, _ := p.Subscriptions(ctx, room)
				p.actor.step()
				return p.consume(ctx, newDelivery(fixed{p, all}, p), p.append(c))
			}}
		},
		"the audience is cached": func(p ports) system {
			return wrong{system: newRight(p), append: func(ctx context.Context, c feed.Change) error {
				p.actor.step()
				a := p.append(c)
				if p.cache == nil {
					p.cache, _ = p.Subscriptions(ctx, room)
				}
				return p.consume(ctx, newDelivery(fixed{p, p.cache}, p), a)
			}}
		},
		"access is checked before the subscription": func(p ports) system {
			return wrong{system: newRight(p), subscribe: func(ctx context.Context, c live.Connection, attempt string, wants []live.Want) ([]live.Subscribed, error) {
				if _, err := p.Authorize(ctx, c.User, room, policy.Read); err != nil {
					return nil, err
				}
				return newService(p, permissive{p, p}, p).Subscribe(ctx, c, attempt, wants)
			}}
		},
		"the account is checked before the subscription": func(p ports) system {
			return wrong{system: newRight(p), subscribe: func(ctx context.Context, c live.Connection, attempt string, wants []live.Want) ([]live.Subscribed, error) {
				if err := p.CheckCurrent(ctx, c.User); err != nil {
					return nil, err
				}
				return newService(p, trusting{p, p}, p).Subscribe(ctx, c, attempt, wants)
			}}
		},
		"the account is checked after the activation": func(p ports) system {
			return wrong{system: newRight(p), subscribe: func(ctx context.Context, c live.Connection, attempt string, wants []live.Want) ([]live.Subscribed, error) {
				results, err := newService(p, trusting{p, p}, p).Subscribe(ctx, c, attempt, wants)
				return results, errors.Join(err, p.CheckCurrent(ctx, c.User))
			}}
		},
		"a suspension ends no subscriptions": func(p ports) system {
			return wrong{system: newRight(p), remove: func(context.Context, chat.UserID) error { return nil }}
		},
		"a suspension passes over connections": func(p ports) system {
			return wrong{system: newRight(p), remove: func(ctx context.Context, user chat.UserID) error {
				all, _ := p.Connections(ctx, user)
				for _, o := range all[:min(1, len(all))] {
					_, _ = p.Leave(ctx, o.Connection, o.Rooms)
				}
				return nil
			}}
		},
		"an end is not recorded": func(p ports) system {
			return wrong{system: newRight(p), hangUp: newRight(p).Disconnect}
		},
		"an end is recorded after the deletions": func(p ports) system {
			return wrong{system: newRight(p), hangUp: func(ctx context.Context, c live.Connection) ([]chat.RoomID, error) {
				rooms, err := newRight(p).Disconnect(ctx, c)
				return rooms, errors.Join(err, p.PutGone(ctx, c.ID, now))
			}}
		},
		"an end is looked for before the activation": func(p ports) system {
			return wrong{system: newRight(p), subscribe: func(ctx context.Context, c live.Connection, attempt string, wants []live.Want) ([]live.Subscribed, error) {
				if gone, _ := p.IsGone(ctx, c.ID); gone {
					return nil, live.ErrGone
				}
				return newLasting(p).Subscribe(ctx, c, attempt, wants)
			}}
		},
		"a refused post is not remembered": func(p ports) system {
			return wrong{system: newRight(p), append: func(ctx context.Context, c feed.Change) error {
				p.actor.step()
				return p.consume(ctx, newDeliveryWith(p, nil, p), p.append(c))
			}}
		},
		"a repeated batch tells nobody": func(p ports) system {
			return wrong{system: newRight(p), consume: func(ctx context.Context, b feed.Batch) error {
				b.Repeated = nil
				return newRight(p).Consume(ctx, b)
			}}
		},
		"an ended subscription keeps its attempt": func(p ports) system { return withRows(p, reviving{p}) },
		"a subscription is active immediately":    func(p ports) system { return withRows(p, hasty{p}) },
		"activations do not compare":              func(p ports) system { return withRows(p, careless{p}) },
		"deletions do not compare":                func(p ports) system { return withRows(p, sweeping{p}) },
		"deletions do not see activations":        func(p ports) system { return withRows(p, blind{p}) },
		"removals pass over activations":          func(p ports) system { return withRows(p, hurried{p}) },
		"a removal deletes no subscriptions":      func(p ports) system { return withRows(p, idle{p}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(searched) {
				if faults := play(t.Context(), seed, newSystem); len(faults) > 0 {
					t.Logf("seed %d: %q", seed, faults)
					return
				}
			}
			t.Error("not noticed")
		})
	}
}

// newLasting returns a service to which connections never end.
func newLasting(p ports) *live.Service {
	return live.NewService(live.Options{
		Store: store{Rows: p, ConnectionRows: lasting{p}}, Rooms: p, Heads: p, Accounts: p, Clock: clock, Sequential: true,
	})
}

type lasting struct{ ports }

func (lasting) IsGone(context.Context, live.ConnectionID) (bool, error) { return false, nil }

// reviving ends subscriptions in a way that lets their requests activate them again.
type reviving struct{ ports }

func (r reviving) End(_ context.Context, all []live.Subscription) (bool, error) {
	done := true
	for _, s := range all {
		r.actor.step()
		if !s.Active { // it stays, although its request may still be on its way
			row := r.rows[s.Connection.ID]
			row.Ended = row.Attempt == s.Attempt
			r.rows[s.Connection.ID] = row
			continue
		}
		done = r.end(s, s.Attempt) && done
	}
	return done, nil
}

// withRows returns the right code on rows with a fault.
func withRows(p ports, rows live.Rows) system {
	return right{newService(rows, p, p), newDelivery(rows, p), p}
}

// fixed has subscriptions that were read before.
type fixed struct {
	ports
	all []live.Subscription
}

func (f fixed) Subscriptions(context.Context, chat.RoomID) ([]live.Subscription, error) {
	return f.all, nil
}

// permissive allows every room without a step, and trusting every account.
type (
	permissive struct {
		chat.Authorizer
		live.Accounts
	}
	trusting struct {
		chat.Authorizer
		live.Accounts
	}
)

func (trusting) CheckCurrent(context.Context, chat.UserID) error { return nil }

func (permissive) Authorize(context.Context, chat.UserID, chat.RoomID, policy.Action) (chat.Access, error) {
	return chat.Access{}, nil
}

// hasty stores subscriptions as active.
type hasty struct{ ports }

func (h hasty) PutPending(ctx context.Context, s live.Subscription) error {
	err := h.ports.PutPending(ctx, s)
	s.Active = true
	h.rows[s.Connection.ID] = s
	return err
}

// careless activates the subscription of another attempt.
type careless struct{ ports }

func (c careless) Activate(ctx context.Context, s live.Subscription) (bool, error) {
	c.actor.step()
	row, ok := c.rows[s.Connection.ID]
	row.Active = true
	if ok {
		c.rows[s.Connection.ID] = row
	}
	return ok, nil
}

// sweeping deletes whatever subscription the connection has, and blind does not see activations.
type (
	sweeping struct{ ports }
	blind    struct{ ports }
)

func (s sweeping) Delete(_ context.Context, all []live.Subscription) (bool, error) {
	for _, sub := range all {
		s.actor.step()
		s.delete(sub, func(live.Subscription) bool { return true })
	}
	return true, nil
}

func (b blind) Delete(_ context.Context, all []live.Subscription) (bool, error) {
	for _, sub := range all {
		b.actor.step()
		b.delete(sub, func(row live.Subscription) bool { return row.Attempt == sub.Attempt })
	}
	return true, nil
}

func (s sweeping) End(_ context.Context, all []live.Subscription) (bool, error) {
	for _, sub := range all {
		s.actor.step()
		s.end(s.rows[sub.Connection.ID], endedAttempt)
	}
	return true, nil
}

func (b blind) End(_ context.Context, all []live.Subscription) (bool, error) {
	for _, sub := range all {
		b.actor.step()
		if row := b.rows[sub.Connection.ID]; row.Attempt == sub.Attempt {
			b.end(row, endedAttempt)
		}
	}
	return true, nil
}

// hurried does not repeat a removal that met an activation.
type hurried struct{ ports }

func (h hurried) Delete(ctx context.Context, all []live.Subscription) (bool, error) {
	_, err := h.ports.Delete(ctx, all)
	return true, err
}

func (h hurried) End(ctx context.Context, all []live.Subscription) (bool, error) {
	_, err := h.ports.End(ctx, all)
	return true, err
}

// idle deletes nothing.
type idle struct{ ports }

func (i idle) Delete(context.Context, []live.Subscription) (bool, error) {
	i.actor.step()
	return true, nil
}

func (i idle) End(ctx context.Context, all []live.Subscription) (bool, error) {
	return i.Delete(ctx, all)
}
