package live_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/policy"
)

// stranger is never in the room.
const stranger chat.UserID = "eve"

const room chat.RoomID = "p-06585601d0b7a2c9e4f8b6d2c1a0f3e"

var now = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// world is a room with its feed and its subscriptions, in memory. Only the actor whose turn it is
// uses it.
type world struct {
	members map[chat.UserID]bool
	feed    []feed.AppendedEntry
	changed []chat.UserID // whose memberships changed, but not in the feed yet
	rows    map[live.ConnectionID]live.Subscription

	acks   map[string]ack                       // by attempt
	posted map[live.ConnectionID]map[int64]bool // the entries that a connection has, or asks for
	sent   map[int64]bool                       // the entries whose delivery has ended
	missed map[live.ConnectionID]live.Missed
	drops  bool                  // some posts are refused
	barred map[chat.UserID]int64 // the last entry before a removal was answered
	faults []string

	opened      map[live.ConnectionID]live.Opened
	gone        map[live.ConnectionID]bool
	hungUp      map[live.ConnectionID]bool // whose end was handled
	requests    map[live.ConnectionID]int  // that are neither answered nor refused
	suspended   map[chat.UserID]bool
	suspensions []chat.UserID        // that the feed function has not delivered yet
	stopped     map[chat.UserID]bool // whose suspension was answered or delivered

	admissions, removals map[chat.UserID]int // of each person
	before               map[string]int      // removals before an attempt was stored
	told                 map[chat.UserID]int // how many of them the feed function has delivered
	cache                []live.Subscription // what a sender with a fault has read before
}

// ack is the answer to a Subscribe that succeeded.
type ack struct {
	connection live.Connection
	head       int64
	void       bool // the connection, or a removal of its person, has ended it
}

func newWorld(users ...chat.UserID) *world {
	w := &world{
		members: map[chat.UserID]bool{}, rows: map[live.ConnectionID]live.Subscription{}, acks: map[string]ack{},
		posted: map[live.ConnectionID]map[int64]bool{}, sent: map[int64]bool{}, barred: map[chat.UserID]int64{stranger: 0},
		admissions: map[chat.UserID]int{}, removals: map[chat.UserID]int{}, before: map[string]int{}, told: map[chat.UserID]int{},
		opened: map[live.ConnectionID]live.Opened{}, gone: map[live.ConnectionID]bool{}, hungUp: map[live.ConnectionID]bool{},
		requests: map[live.ConnectionID]int{}, missed: map[live.ConnectionID]live.Missed{}, suspended: map[chat.UserID]bool{}, stopped: map[chat.UserID]bool{},
	}
	for _, u := range users {
		w.members[u] = true
	}
	return w
}

// append adds an entry to the feed.
func (w *world) append(c feed.Change) feed.Appended {
	e := feed.AppendedEntry{Seq: int64(len(w.feed) + 1), StreamChange: feed.StreamChange{Change: c}}
	w.feed = append(w.feed, e)
	return feed.Appended{Room: room, Head: feed.Head{Room: room, Last: e.Seq}, Entries: []feed.AppendedEntry{e}}
}

// void marks the answers to the subscriptions of some connections as ended.
func (w *world) void(of func(live.Connection) bool) {
	for attempt, a := range w.acks {
		if of(a.connection) {
			a.void = true
			w.acks[attempt] = a
		}
	}
}

// check adds the faults that show when all actors have ended. A connection whose subscription was
// answered, and has not ended since, is still subscribed. It has every entry after its head, or has
// been told of it. A person whose removal the feed has shown is no longer subscribed, even if the
// process that removed them has ended. Nor is a person whose suspension was answered or delivered.
// A connection that has ended has left nothing, unless a process ended in the middle of one of its
// requests. The rows that are left deliver nothing: every post to the connection fails.
func (w *world) check() {
	for id := range w.hungUp {
		_, row := w.rows[id]
		_, stored := w.opened[id]
		if w.requests[id] == 0 && (row || stored) {
			w.faults = append(w.faults, fmt.Sprintf("%s has ended, and is still stored", id))
		}
	}
	for id, row := range w.rows {
		if w.gone[id] {
			continue
		}
		if row.Active && w.stopped[row.Connection.User] {
			w.faults = append(w.faults, fmt.Sprintf("%s is still subscribed after the suspension", row.Connection.ID))
		}
		if user := row.Connection.User; row.Active && !w.members[user] && w.removals[user] > 0 && w.told[user] == w.removals[user] {
			w.faults = append(w.faults, fmt.Sprintf("%s is still subscribed after the feed has shown the removal", row.Connection.ID))
		}
	}
	for attempt, a := range w.acks {
		if a.void {
			continue
		}
		if row := w.rows[a.connection.ID]; row.Attempt != attempt || !row.Active {
			w.faults = append(w.faults, fmt.Sprintf("%s lost its subscription", a.connection.ID))
		}
		for seq := a.head + 1; seq <= int64(len(w.feed)); seq++ {
			if !w.posted[a.connection.ID][seq] {
				w.faults = append(w.faults, fmt.Sprintf("%s has a gap at %d, after its head %d", a.connection.ID, seq, a.head))
			}
		}
	}
}

// ports are the world as one actor sees it. Each call is a step.
type ports struct {
	live.ConnectionRows // of which the methods below are used
	*world
	actor *actor
}

func (p ports) AddRooms(_ context.Context, c live.Connection, rooms []chat.RoomID, _ time.Time) (bool, error) {
	p.actor.step()
	_, stored := p.opened[c.ID]
	p.opened[c.ID] = live.Opened{Connection: c, Rooms: rooms}
	return !stored, nil
}

func (p ports) RemoveRooms(_ context.Context, c live.Connection, _ []chat.RoomID) error {
	p.actor.step()
	if o, stored := p.opened[c.ID]; stored {
		o.Rooms = nil
		p.opened[c.ID] = o
	}
	return nil
}

func (p ports) Connections(_ context.Context, user chat.UserID) (all []live.Opened, err error) {
	p.actor.step()
	for _, id := range slices.Sorted(maps.Keys(p.opened)) {
		if o := p.opened[id]; o.User == user {
			all = append(all, o)
		}
	}
	return all, nil
}

func (p ports) DeleteConnection(_ context.Context, c live.Connection) (live.Opened, bool, error) {
	p.actor.step()
	o, stored := p.opened[c.ID]
	delete(p.opened, c.ID)
	return o, stored, nil
}

func (p ports) PutGone(_ context.Context, id live.ConnectionID, _ time.Time) error {
	p.actor.step()
	p.gone[id] = true
	return nil
}

func (p ports) IsGone(_ context.Context, id live.ConnectionID) (bool, error) {
	p.actor.step()
	return p.gone[id], nil
}

func (p ports) CheckCurrent(_ context.Context, user chat.UserID) error {
	p.actor.step()
	if p.suspended[user] {
		return &chat.Error{Kind: chat.Suspended}
	}
	return nil
}

func (p ports) PutPending(_ context.Context, s live.Subscription) error {
	p.actor.step()
	p.void(func(c live.Connection) bool { return c.ID == s.Connection.ID })
	p.before[s.Attempt] = p.removals[s.Connection.User]
	s.Active, s.Ended = false, false
	p.rows[s.Connection.ID] = s
	return nil
}

func (p ports) Activate(_ context.Context, s live.Subscription) (bool, error) {
	p.actor.step()
	row, ok := p.rows[s.Connection.ID]
	if !ok || row.Attempt != s.Attempt {
		return false, nil
	}
	row.Active = true
	p.rows[s.Connection.ID] = row
	return true, nil
}

func (p ports) Delete(_ context.Context, all []live.Subscription) (bool, error) {
	done := true
	for _, s := range all {
		p.actor.step()
		done = p.delete(s, func(row live.Subscription) bool { return row.Attempt == s.Attempt && row.Active == s.Active }) && done
	}
	return done, nil
}

func (p ports) End(_ context.Context, all []live.Subscription) (bool, error) {
	done := true
	for _, s := range all {
		p.actor.step()
		done = p.end(s, endedAttempt) && done
	}
	return done, nil
}

// endedAttempt is the attempt of an ended subscription.
const endedAttempt = "ended"

// end ends a subscription if it is as given, and reports whether none is left. It deletes a pending
// one. An ended one belongs to an attempt.
func (w *world) end(s live.Subscription, attempt string) bool {
	row, ok := w.rows[s.Connection.ID]
	switch {
	case !ok || row.Ended:
		return true
	case row.Attempt != s.Attempt || row.Active != s.Active:
		return false
	case !row.Active:
		delete(w.rows, s.Connection.ID)
		return true
	}
	row.Active, row.Ended, row.Attempt = false, true, attempt
	w.rows[s.Connection.ID] = row
	return true
}

func (p ports) Leave(_ context.Context, c live.Connection, rooms []chat.RoomID) (left []chat.RoomID, err error) {
	for _, room := range rooms {
		p.actor.step()
		p.void(func(other live.Connection) bool { return other.ID == c.ID })
		if p.rows[c.ID].Active {
			left = append(left, room)
		}
		delete(p.rows, c.ID)
	}
	return left, nil
}

// delete removes a subscription if it is as given, and reports whether none is left.
func (w *world) delete(s live.Subscription, isAsGiven func(live.Subscription) bool) bool {
	row, ok := w.rows[s.Connection.ID]
	if ok && !isAsGiven(row) {
		return false
	}
	delete(w.rows, s.Connection.ID)
	return true
}

func (p ports) Subscriptions(context.Context, chat.RoomID) ([]live.Subscription, error) {
	p.actor.step()
	all := slices.Collect(maps.Values(p.rows))
	slices.SortFunc(all, func(a, b live.Subscription) int { return cmp.Compare(a.Connection.ID, b.Connection.ID) })
	return all, nil
}

func (p ports) Authorize(_ context.Context, caller chat.UserID, _ chat.RoomID, _ policy.Action) (chat.Access, error) {
	p.actor.step()
	if !p.members[caller] {
		return chat.Access{}, &chat.Error{Kind: chat.NotFound}
	}
	return chat.Access{Role: policy.Member}, nil
}

func (p ports) CurrentFeedHead(context.Context, chat.RoomID) (feed.Head, error) {
	p.actor.step()
	return feed.Head{Room: room, Last: int64(len(p.feed))}, nil
}

func (p ports) FeedHeads(ctx context.Context, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, error) {
	head, err := p.CurrentFeedHead(ctx, room)
	return map[chat.RoomID]feed.Head{room: head}, err
}

func (p ports) PutMissed(_ context.Context, all []live.Missed, _ time.Time) error {
	for _, m := range all {
		p.actor.step()
		if m.Head > p.missed[m.Connection.ID].Head {
			p.missed[m.Connection.ID] = m
		}
	}
	return nil
}

func (p ports) SomeMissed(context.Context) ([]live.Missed, error) {
	p.actor.step()
	return slices.Collect(maps.Values(p.missed)), nil
}

func (p ports) DeleteMissed(_ context.Context, all []live.Missed) error {
	for _, m := range all {
		p.actor.step()
		if m.Head >= p.missed[m.Connection.ID].Head {
			delete(p.missed, m.Connection.ID)
		}
	}
	return nil
}

func (p ports) Post(_ context.Context, to live.ConnectionID, frame []byte) error {
	p.actor.step()
	if p.gone[to] {
		return live.ErrGone
	}
	if p.drops && p.actor.turns.random.IntN(4) == 0 {
		return live.ErrBusy
	}
	user := chat.UserID(to[:len(to)-1])
	if bytes.Contains(frame, []byte(`"unsubscribed"`)) && p.members[user] && p.removals[user] == 0 {
		p.faults = append(p.faults, fmt.Sprintf("%s is told of a removal, and was never removed", to))
	}
	if p.posted[to] == nil {
		p.posted[to] = map[int64]bool{}
	}
	seqs := seqsOf(frame)
	for seq := int64(1); seq <= headOf(frame); seq++ {
		seqs = append(seqs, seq)
	}
	for _, seq := range seqs {
		p.posted[to][seq] = true
		if last, barred := p.barred[user]; barred && seq > last {
			p.faults = append(p.faults, fmt.Sprintf("%s receives %d, appended after the removal was answered", to, seq))
		}
	}
	return nil
}

func (p ports) Close(context.Context, live.ConnectionID) error { return nil }

// headOf returns the head in a frame of heads of one room, and 0 for any other frame.
func headOf(frame []byte) int64 {
	_, after, found := bytes.Cut(frame, []byte(`"head":`))
	if !found {
		return 0
	}
	digits, _, _ := bytes.Cut(after, []byte("}"))
	head, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		panic(err)
	}
	return head
}

// seqsOf returns the numbers of the changes in a frame. Scanning is faster than parsing a few
// hundred thousand of them.
func seqsOf(frame []byte) []int64 {
	var seqs []int64
	for _, after := range bytes.Split(frame, []byte(`{"seq":`))[1:] {
		digits, _, _ := bytes.Cut(after, []byte(","))
		seq, err := strconv.ParseInt(string(digits), 10, 64)
		if err != nil {
			panic(err)
		}
		seqs = append(seqs, seq)
	}
	return seqs
}
