package history_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
)

const (
	// maxActive bounds the messages of a room in use at a time. It is low, so that clients collide.
	maxActive = 8
	// maxUses bounds the operations on one message, because the time of a check grows with them.
	maxUses = 40
	// maxTries bounds the attempts of a call that ends as unavailable.
	maxTries = 3
)

// trackedMessage is a message that clients use. It exists before it is posted.
type trackedMessage struct {
	messageKey
	text     string
	revision atomic.Int64 // the newest revision that any client has read
	uses     atomic.Int32
}

// pool holds the tracked messages of a room.
type pool struct {
	mu       sync.Mutex
	messages []*trackedMessage
	head     atomic.Int64 // the newest number that any client has read
}

func (p *pool) add(l *trackedMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.messages = append(p.messages, l)
}

func (p *pool) all() []*trackedMessage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.messages)
}

// pick returns a random active message, or nil. An empty author matches every author.
func (p *pool) pick(r *rand.Rand, author chat.UserID) *trackedMessage {
	var some []*trackedMessage
	for _, l := range slices.Backward(p.all()) {
		if l.uses.Load() < maxUses && (author == "" || l.id.User == author) {
			if some = append(some, l); len(some) == maxActive {
				break
			}
		}
	}
	if len(some) == 0 {
		return nil
	}
	l := some[r.IntN(len(some))]
	l.uses.Add(1)
	return l
}

// client is a device of a user.
type client struct {
	world   *world
	n       int
	user    chat.UserID
	service *app.Services
	r       *rand.Rand
	since   map[chat.RoomID]int64
	texts   int
}

func newClient(w *world, n int) *client {
	return &client{
		world: w, n: n, user: person(n % w.setup.people), service: w.services[n%len(w.services)],
		r: rand.New(rand.NewPCG(w.setup.seed, uint64(n+1))), since: map[chat.RoomID]int64{},
	}
}

func (c *client) run() {
	for range c.world.setup.steps {
		room := chat.RoomID(fmt.Sprint("room", c.r.IntN(c.world.setup.rooms)))
		c.step(room, c.world.pools[room])
	}
}

// step performs one operation. Only authors edit, and the first user deletes messages of others.
func (c *client) step(room chat.RoomID, p *pool) {
	own, anyMessage := p.pick(c.r, c.user), p.pick(c.r, "")
	switch n := c.r.IntN(100); {
	case n < 12 || own == nil:
		l := c.draft(room)
		p.add(l)
		c.post(l, l.text)
		if c.r.IntN(3) == 0 {
			c.post(l, l.text)
		}
	case n < 18: // another device of the author has it queued, too
		c.post(own, own.text)
	case n < 20:
		c.post(own, "something else")
	case n < 50:
		c.edit(own)
	case n < 55:
		c.remove(own)
	case n < 58 && c.user == person(0):
		c.remove(anyMessage)
	case n < 85:
		c.get(anyMessage)
	default:
		c.follow(room, p)
	}
}

// text returns a text that is unique among all clients.
func (c *client) text(prefix string) string {
	c.texts++
	return fmt.Sprintf("%s %d of %d", prefix, c.texts, c.n)
}

func (c *client) draft(room chat.RoomID) *trackedMessage {
	var tail [10]byte
	for i := range tail {
		tail[i] = byte(c.r.Uint32())
	}
	id := chat.MessageID{UUID: chat.NewUUID(time.Now(), tail), User: c.user}
	return &trackedMessage{messageKey: messageKey{room, id}, text: c.text("message")}
}

// attempt performs a call and records its outcome. It reports whether the outcome is known.
func (c *client) attempt(l *trackedMessage, op call, do func(context.Context) (chat.Message, bool, error)) bool {
	ctx, writes := countWrites(c.world.t.Context())
	called := c.world.rec.now()
	m, replay, err := do(ctx)
	a := answer{outcome: succeeded, resent: writes.Load() > 1}
	switch chat.KindOf(err) {
	case chat.NotFound:
		a.outcome = notFound
	case chat.Conflict:
		a.outcome = conflict
	case chat.Unavailable:
		a.outcome = unknown
	case chat.Stale:
		a.outcome = stale
		var e *chat.Error
		errors.As(err, &e)
		if _, err := fmt.Sscanf(e.Detail, "the message is at revision %d", &a.revision); err != nil {
			c.world.rec.report(wrongAnswer, "%v does not name the revision", e)
		}
	default:
		if err != nil {
			c.world.rec.report(wrongAnswer, "%+v: %v", op, err)
			return true
		}
		a.view = viewOf(m)
		if replay {
			a.outcome = replayed
		}
		if m.ID != op.id || m.Room != op.room {
			c.world.rec.report(wrongAnswer, "%+v returned %+v", op, m)
		}
		advance(&l.revision, int64(m.Revision))
	}
	c.note(op, called, a)
	return a.outcome != unknown
}

// note records an answer. A post that was resent may report a replay of its own write, and the
// message may have been edited since. Such a post is recorded as two operations, a write of unknown
// outcome and a read. At revision 1 the store would have recognized its own write.
func (c *client) note(op call, called int64, a answer) {
	if op.kind == post && a.outcome == replayed && a.resent && a.view.revision > 1 {
		read := op
		read.kind = get
		c.world.rec.message(c.n, read, called, answer{outcome: succeeded, view: a.view})
		a.outcome = unknown
	}
	c.world.rec.message(c.n, op, called, a)
}

// advance raises a number to at least to.
func advance(known *atomic.Int64, to int64) {
	for {
		n := known.Load()
		if n >= to || known.CompareAndSwap(n, to) {
			return
		}
	}
}

func (c *client) post(l *trackedMessage, text string) {
	for range maxTries {
		if c.attempt(l, call{messageKey: l.messageKey, kind: post, text: text}, func(ctx context.Context) (chat.Message, bool, error) {
			return c.service.PostMessage(ctx, c.user, l.room, chat.MessageDraft{UUID: l.id.UUID, Text: text})
		}) {
			return
		}
	}
}

// edit edits the message. The base is the newest known revision, or sometimes an older one or any
// revision. The text is a new one, or sometimes the original.
func (c *client) edit(l *trackedMessage) {
	base := max(1, int(l.revision.Load())-max(0, c.r.IntN(10)-8))
	if c.r.IntN(4) == 0 {
		base = chat.AnyRevision
	}
	text := c.text("edit")
	if c.r.IntN(8) == 0 {
		text = l.text
	}
	for range maxTries {
		if c.attempt(l, call{messageKey: l.messageKey, kind: edit, text: text, base: base}, func(ctx context.Context) (chat.Message, bool, error) {
			return c.service.EditMessage(ctx, c.user, chat.Revision{Room: l.room, ID: l.id, Base: base}, chat.MessageEdit{Text: new(text)})
		}) {
			return
		}
	}
}

func (c *client) remove(l *trackedMessage) {
	base := max(1, int(l.revision.Load()))
	if c.r.IntN(3) == 0 {
		base = chat.AnyRevision
	}
	for range maxTries {
		if c.attempt(l, call{messageKey: l.messageKey, kind: remove, base: base, deletedBy: c.user}, func(ctx context.Context) (chat.Message, bool, error) {
			m, err := c.service.DeleteMessage(ctx, c.user, chat.Revision{Room: l.room, ID: l.id, Base: base})
			return m, false, err
		}) {
			return
		}
	}
}

func (c *client) get(l *trackedMessage) {
	c.attempt(l, call{messageKey: l.messageKey, kind: get}, func(ctx context.Context) (chat.Message, bool, error) {
		m, err := c.service.Message(ctx, c.user, l.room, l.id)
		return m, false, err
	})
}
