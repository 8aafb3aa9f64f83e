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

	"parley/internal/app"
	"parley/internal/chat"
)

const (
	// inPlay is how many messages of a room are worked on at a time: few, so that clients meet.
	inPlay = 8
	// maxUses bounds the operations on one message: the time that a check takes grows with them.
	maxUses = 40
	// maxTries bounds how often a client repeats what was unavailable.
	maxTries = 3
)

// letter is a message that clients work on, from before it is there.
type letter struct {
	place
	text     string
	revision atomic.Int64 // the newest that any client was shown: a guess
	uses     atomic.Int32
}

// pool holds the letters of a room.
type pool struct {
	mu      sync.Mutex
	letters []*letter
	head    atomic.Int64 // the newest that any client was shown
}

func (p *pool) add(l *letter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.letters = append(p.letters, l)
}

func (p *pool) all() []*letter {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.letters)
}

// pick draws one of the letters in play, of one author or of anyone; nil when there is none.
func (p *pool) pick(r *rand.Rand, author chat.UserID) *letter {
	var some []*letter
	for _, l := range slices.Backward(p.all()) {
		if l.uses.Load() < maxUses && (author == "" || l.id.User == author) {
			if some = append(some, l); len(some) == inPlay {
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

// client is a device of somebody's.
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

// step does one thing. Authors alone edit, and the first person deletes what others wrote.
func (c *client) step(room chat.RoomID, p *pool) {
	mine, anyones := p.pick(c.r, c.user), p.pick(c.r, "")
	switch n := c.r.IntN(100); {
	case n < 12 || mine == nil:
		l := c.draft(room)
		p.add(l)
		c.send(l, l.text)
		if c.r.IntN(3) == 0 {
			c.send(l, l.text)
		}
	case n < 18: // another device of theirs holds it in its queue, too
		c.send(mine, mine.text)
	case n < 20:
		c.send(mine, "something else")
	case n < 50:
		c.edit(mine)
	case n < 55:
		c.remove(mine)
	case n < 58 && c.user == person(0):
		c.remove(anyones)
	case n < 85:
		c.get(anyones)
	default:
		c.follow(room, p)
	}
}

// text is one that nobody else writes.
func (c *client) text(what string) string {
	c.texts++
	return fmt.Sprintf("%s %d of %d", what, c.texts, c.n)
}

func (c *client) draft(room chat.RoomID) *letter {
	var tail [10]byte
	for i := range tail {
		tail[i] = byte(c.r.Uint32())
	}
	id := chat.MessageID{UUID: chat.NewUUID(time.Now(), tail), User: c.user}
	return &letter{place: place{room, id}, text: c.text("message")}
}

// attempt makes a call, takes down how it ended, and tells whether that is known.
func (c *client) attempt(l *letter, what call, do func(context.Context) (chat.Message, bool, error)) bool {
	ctx, sent := countWrites(c.world.t.Context())
	called := c.world.rec.now()
	m, replay, err := do(ctx)
	a := answer{outcome: made, again: sent.Load() > 1}
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
			c.world.rec.found(wrongAnswer, "%v does not tell the revision", e)
		}
	default:
		if err != nil {
			c.world.rec.found(wrongAnswer, "%+v: %v", what, err)
			return true
		}
		a.view = viewOf(m)
		if replay {
			a.outcome = kept
		}
		if m.ID != what.id || m.Room != what.room {
			c.world.rec.found(wrongAnswer, "%+v was answered with %+v", what, m)
		}
		advance(&l.revision, int64(m.Revision))
	}
	c.note(what, called, a)
	return a.outcome != unknown
}

// note takes down an answer. A send that was sent more than once, and answers that the message was there, may have put it
// itself, and been shown what others have made of it since: that is two operations. Were it as it was sent, the
// store would have known its own traces.
func (c *client) note(what call, called int64, a answer) {
	if what.kind == send && a.outcome == kept && a.again && a.view.revision > 1 {
		read := what
		read.kind = get
		c.world.rec.message(c.n, read, called, answer{outcome: made, view: a.view})
		a.outcome = unknown
	}
	c.world.rec.message(c.n, what, called, a)
}

// advance moves a number that is known forward.
func advance(known *atomic.Int64, to int64) {
	for {
		n := known.Load()
		if n >= to || known.CompareAndSwap(n, to) {
			return
		}
	}
}

func (c *client) send(l *letter, text string) {
	for range maxTries {
		if c.attempt(l, call{place: l.place, kind: send, text: text}, func(ctx context.Context) (chat.Message, bool, error) {
			return c.service.PostMessage(ctx, c.user, l.room, chat.MessageDraft{UUID: l.id.UUID, Text: text})
		}) {
			return
		}
	}
}

// edit edits upon the newest revision that is known, or now and then upon an older one; to a text of its own, or back to
// the first one.
func (c *client) edit(l *letter) {
	base := max(1, int(l.revision.Load())-max(0, c.r.IntN(10)-8))
	text := c.text("edit")
	if c.r.IntN(8) == 0 {
		text = l.text
	}
	for range maxTries {
		if c.attempt(l, call{place: l.place, kind: edit, text: text, base: base}, func(ctx context.Context) (chat.Message, bool, error) {
			return c.service.EditMessage(ctx, c.user, chat.Revision{Room: l.room, ID: l.id, Base: base}, text)
		}) {
			return
		}
	}
}

func (c *client) remove(l *letter) {
	base := max(1, int(l.revision.Load()))
	if c.r.IntN(3) == 0 {
		base = chat.AnyRevision
	}
	for range maxTries {
		if c.attempt(l, call{place: l.place, kind: remove, base: base, by: c.user}, func(ctx context.Context) (chat.Message, bool, error) {
			m, err := c.service.DeleteMessage(ctx, c.user, chat.Revision{Room: l.room, ID: l.id, Base: base})
			return m, false, err
		}) {
			return
		}
	}
}

func (c *client) get(l *letter) {
	c.attempt(l, call{place: l.place, kind: get}, func(ctx context.Context) (chat.Message, bool, error) {
		m, err := c.service.Message(ctx, c.user, l.room, l.id)
		return m, false, err
	})
}
