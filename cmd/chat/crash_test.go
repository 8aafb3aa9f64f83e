package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/local/folder"
	"example.com/parley/internal/test/nightly"
)

const (
	// crashRoom is the room of the load.
	crashRoom chat.RoomID = "crash"
	// kills and nightlyKills are the number of times that the server is killed.
	kills, nightlyKills = 5, 100
	// maxAnswers limits the changes that a server acknowledges before it is killed.
	maxAnswers = 200
)

// TestServe_KillLosesNothingAcknowledged kills the server after a random number of responses under
// load and restarts it on the same data. Every post, edit and deletion acknowledged with 201 or
// 200 must be stored. An unanswered change is retried unchanged or abandoned; it may be stored
// once or not at all. The feed must contain every stored change once and in order.
func TestServe_KillLosesNothingAcknowledged(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	seed, rounds := nightly.Seed(t), nightly.Times(kills, nightlyKills)
	random := rand.New(rand.NewPCG(seed, 0))
	l := newLoad(t, dir, seed)

	for round := range rounds {
		s := serve(t, dir, "--send-rate", "100000")
		if round == 0 {
			mustCall(t, 201, "PUT", s.url+"/rooms/"+string(crashRoom), l.clients[0].token, `{"shards":3}`)
		}
		l.run(t, s.url, func() {
			l.awaitAnswers(t, 1+random.IntN(maxAnswers))
			if err := s.end(t, os.Kill); err == nil {
				t.Error("a killed server exited without an error")
			}
		})
	}
	s := serve(t, dir)
	l.awaitFeed(t, s.newStore(t))
	if err := s.end(t, syscall.SIGTERM); err != nil {
		t.Errorf("%v\n%s", err, s.logs)
	}
	e, err := folder.Own(t.Context(), folder.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Stop(context.Background()) }()
	changes := l.check(t, localStore(e.Endpoint()))
	if failures, err := os.ReadFile(filepath.Join(dir, failuresFile)); !os.IsNotExist(err) {
		t.Errorf("stored failures: %s, %v", failures, err)
	}
	acknowledged, unanswered := l.count()
	t.Logf("%d rounds, %d changes acknowledged, %d unanswered, %d in the feed", rounds, acknowledged, unanswered, changes)
}

// awaitFeed waits until the feed contains as many changes as were acknowledged.
func (l *load) awaitFeed(t *testing.T, store *dynamo.Store) {
	t.Helper()
	want, _ := l.count()
	got := 0
	for range int(readyTime / pollInterval) {
		if got = len(describe(feedOf(t, store, crashRoom))); got >= want {
			return
		}
		time.Sleep(pollInterval)
	}
	t.Errorf("the feed has %d changes, but %d were acknowledged", got, want)
}

// check compares the acknowledged changes with the messages, and the messages with the feed. It
// returns the number of message changes in the feed.
func (l *load) check(t *testing.T, store *dynamo.Store) (changes int) {
	t.Helper()
	inFeed := map[revision]feed.ChangeType{}
	newest := map[chat.MessageID]int{}
	for _, c := range feedOf(t, store, crashRoom) {
		if !c.Type.OfMessage() {
			continue
		}
		changes++
		if c.Revision != newest[c.Message]+1 {
			t.Errorf("revision %d of %v follows %d", c.Revision, c.Message, newest[c.Message])
		}
		newest[c.Message] = c.Revision
		inFeed[revision{c.Message, c.Revision}] = c.Type
	}
	for r, sent := range l.sent {
		switch kind := inFeed[r]; {
		case kind == 0 && sent.acknowledged:
			t.Errorf("the feed lacks the acknowledged change %v, %v", r, sent.kind)
		case kind != 0 && kind != sent.kind:
			t.Errorf("%v is %v in the feed, want %v", r, kind, sent.kind)
		}
		delete(inFeed, r)
	}
	for r, kind := range inFeed {
		t.Errorf("the feed has %v, %v, which no client sent", r, kind)
	}
	for _, m := range messagesIn(t, store) {
		r := revision{m.ID, m.Revision}
		if sent := l.sent[r]; newest[m.ID] != m.Revision || m.Text != sent.text || m.Deleted() != (sent.kind == feed.MessageDeleted) {
			t.Errorf("%v has text %q, want %+v; its last revision in the feed is %d", r, m.Text, sent, newest[m.ID])
		}
		delete(newest, m.ID)
	}
	for id := range newest {
		t.Errorf("message %v is in the feed but not stored", id)
	}
	return changes
}

// messagesIn returns all messages of the room.
func messagesIn(t *testing.T, store *dynamo.Store) (all []chat.Message) {
	t.Helper()
	r := chat.MessageRange{Room: crashRoom, Limit: chat.MaxLimit}
	for {
		page, more, err := store.Messages(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page...)
		if !more {
			return all
		}
		last := r.PositionOf(all[len(all)-1])
		r.After = &last
	}
}

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
