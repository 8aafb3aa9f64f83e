package model

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/policy"
)

// onlineEvery is the number of operations after which people go online and lists are compared.
const onlineEvery = 4

// online are the people who are subscribed to rooms. They lose a room when they may no longer
// read it, and never by the passing of time: people who are in a private room only by a mute do
// not subscribe.
type online struct {
	rand *rand.Rand // of its own, so that it changes no other operation
	rows live.Store // without the rights of the services, which subscribe nobody
	in   map[chat.RoomID]map[chat.UserID]bool
}

// after lets the model's people lose what an operation took from them. Now and then it lets somebody
// go online, and compares a room with the engine.
func (o *online) after(w *world) error {
	for id, users := range o.in {
		r := w.model.rooms[id]
		for user := range users {
			if r == nil || policy.Decide(r.role(user), r.rules(), policy.Read) != policy.Allow {
				delete(users, user)
			}
		}
	}
	if w.done%onlineEvery != 0 {
		return nil
	}
	ids := slices.Concat(w.roomIDs(), slices.Sorted(maps.Keys(w.model.deleted)))
	if len(ids) == 0 {
		return nil
	}
	in, user := ids[o.rand.IntN(len(ids))], people[o.rand.IntN(len(people))]
	if r := w.model.rooms[in]; r != nil && policy.Decide(r.role(user), r.rules(), policy.Read) == policy.Allow {
		if err := o.subscribe(w, in, user); err != nil {
			return err
		}
	}
	return o.compare(w, ids[o.rand.IntN(len(ids))])
}

func (o *online) subscribe(w *world, in chat.RoomID, user chat.UserID) error {
	c := live.Connection{ID: live.ConnectionID(fmt.Sprint("c", o.rand.IntN(3), user)), User: user, Until: w.clock.now().AddDate(10, 0, 0)}
	s := live.Subscription{Room: in, Connection: c, Attempt: fmt.Sprint(w.done)}
	if err := o.rows.PutPending(w.ctx, s); err != nil {
		return err
	}
	if ok, err := o.rows.Activate(w.ctx, s); !ok || err != nil {
		return fmt.Errorf("activated %v, %w", ok, err)
	}
	if o.in[in] == nil {
		o.in[in] = map[chat.UserID]bool{}
	}
	o.in[in][user] = true
	return nil
}

// compare compares the people who are subscribed to a room, which may be deleted, and the answer to
// a person who asks who is online.
func (o *online) compare(w *world, in chat.RoomID) error {
	want := slices.Sorted(maps.Keys(o.in[in]))
	all, err := o.rows.Subscriptions(w.ctx, in)
	if err != nil {
		return err
	}
	var got []chat.UserID
	for _, s := range all {
		if s.Active {
			got = append(got, s.Connection.User)
		}
	}
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		return fmt.Errorf("%v are subscribed to %s, want %v", got, in, want)
	}
	caller := people[o.rand.IntN(len(people))]
	_, denied := w.model.enter(caller, in, policy.See)
	if denied != (refusal{}) {
		want = nil
	}
	want = slices.DeleteFunc(want, func(user chat.UserID) bool { return w.model.blocks[user][caller] })
	answered, err := w.services[o.rand.IntN(len(w.services))].Live.Online(w.ctx, caller, in)
	if refusalOf(err) != denied || !slices.Equal(answered.Users, want) || answered.Count != len(want) {
		return fmt.Errorf("%s sees %+v, %w in %s, want %v, %v", caller, answered, err, in, want, denied)
	}
	return nil
}

// liveBug is a store with a fault in the rows of live connections.
type liveBug interface{ connectLive(live.Store) live.Store }

// lastingSubscriptions never end.
type lastingSubscriptions struct{ store }

func (lastingSubscriptions) connectLive(rows live.Store) live.Store { return lastingRows{rows} }

type lastingRows struct{ live.Store }

func (lastingRows) End(context.Context, []live.Subscription) (bool, error) { return true, nil }
