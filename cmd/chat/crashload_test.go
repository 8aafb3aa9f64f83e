package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

const (
	// crashClients is the number of concurrent clients.
	crashClients = 4
	// editShare and deleteShare are the percentages of edits and deletions. The rest are new
	// messages.
	editShare   = 30
	deleteShare = 10
	// giveUpShare is the percentage of unanswered changes that are not retried.
	giveUpShare = 25
)

// revision is one change of one message.
type revision struct {
	id     chat.MessageID
	number int
}

// sent is a change that a client sent.
type sent struct {
	kind         feed.ChangeType
	text         string
	acknowledged bool
}

// load holds the clients and all changes that they sent.
type load struct {
	clients []*loadUser
	mu      sync.Mutex
	sent    map[revision]sent
}

// loadUser is a user who changes only their own messages.
type loadUser struct {
	user     chat.UserID
	token    string
	number   byte
	random   *rand.Rand
	posted   int
	editable []revision // messages that are not deleted and have no unanswered change
	retry    *revision  // an unanswered change to retry, or nil
}

func newLoad(t *testing.T, dir string, seed uint64) *load {
	l := &load{sent: map[revision]sent{}}
	for n := range crashClients {
		user := fmt.Sprintf("client-%d", n)
		l.clients = append(l.clients, &loadUser{
			user: chat.UserID(user), token: tokenOf(t, dir, user), number: byte(n), random: rand.New(rand.NewPCG(seed, uint64(n)+1)),
		})
	}
	return l
}

// count returns the numbers of acknowledged and unanswered changes.
func (l *load) count() (acknowledged, unanswered int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.sent {
		if s.acknowledged {
			acknowledged++
		} else {
			unanswered++
		}
	}
	return acknowledged, unanswered
}

// awaitAnswers waits until n more changes are acknowledged.
func (l *load) awaitAnswers(t *testing.T, n int) {
	t.Helper()
	before, _ := l.count()
	for range int(readyTime / time.Millisecond) {
		if now, _ := l.count(); now >= before+n {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d changes were not acknowledged", n)
}

// run runs all clients until kill has ended the server.
func (l *load) run(t *testing.T, url string, kill func()) {
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, c := range l.clients {
		wg.Go(func() {
			for ctx.Err() == nil {
				l.send(ctx, t, url, c)
			}
		})
	}
	kill()
	stop()
	wg.Wait()
}

// send sends one change and records the result.
func (l *load) send(ctx context.Context, t *testing.T, url string, c *loadUser) {
	r := c.next(l)
	l.mu.Lock()
	s := l.sent[r]
	l.mu.Unlock()
	body, err := json.Marshal(map[string]string{"text": s.text})
	if err != nil {
		t.Error(err)
	}
	method, address, with := "PATCH", fmt.Sprintf("%s/rooms/%s/messages", url, crashRoom), request{token: c.token}
	if s.kind == feed.MessageCreated {
		method, with.body = "POST", fmt.Sprintf(`{"id":%q,"text":%q}`, r.id.UUID, s.text)
	} else {
		address, with.ifMatch, with.body = address+"/"+r.id.String(), fmt.Sprintf(`"%d"`, r.number-1), string(body)
	}
	if s.kind == feed.MessageDeleted {
		method, with.body = "DELETE", ""
	}
	status, text, err := callIf(ctx, method, address, with)
	switch {
	case err != nil || status >= 500:
		if c.random.IntN(100) >= giveUpShare {
			c.retry = &r
		}
	case status == 200 || status == 201:
		l.acknowledge(r)
		if s.kind != feed.MessageDeleted {
			c.editable = append(c.editable, r)
		}
	default:
		t.Errorf("%s %s, revision %d: %d %s", method, address, r.number, status, text)
	}
}

func (l *load) acknowledge(r revision) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.sent[r]
	s.acknowledged = true
	l.sent[r] = s
}

// next returns the next change of a client. It removes the changed message from c.editable, until
// the change is acknowledged.
func (c *loadUser) next(l *load) revision {
	if r := c.retry; r != nil {
		c.retry = nil
		return *r
	}
	r, s := revision{number: 1}, sent{kind: feed.MessageCreated}
	if share := c.random.IntN(100); share < editShare+deleteShare && len(c.editable) > 0 {
		i := c.random.IntN(len(c.editable))
		r, s.kind = c.editable[i], feed.MessageDeleted
		r.number++
		if share < editShare && r.number <= chat.MaxEdits {
			s.kind = feed.MessageEdited
		}
		c.editable[i] = c.editable[len(c.editable)-1]
		c.editable = c.editable[:len(c.editable)-1]
	} else {
		c.posted++
		r.id = chat.MessageID{User: c.user, UUID: chat.NewUUID(time.Now(), [10]byte{c.number, 0, 0, byte(c.posted >> 16), byte(c.posted >> 8), byte(c.posted)})}
	}
	if s.kind != feed.MessageDeleted {
		s.text = fmt.Sprintf("%v as of %d", r.id, r.number)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent[r] = s
	return r
}
