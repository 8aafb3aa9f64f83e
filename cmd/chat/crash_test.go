package main

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/feed"
	"parley/internal/local/folder"
)

const (
	// crashRoom is where the load goes.
	crashRoom chat.RoomID = "crash"
	// maxUptime is how long a server lives at most until it is killed: from the middle of its start
	// to some hundred changes.
	maxUptime = 300 * time.Millisecond
)

// TestNothingAcknowledgedIsLostByKill kills the server with SIGKILL at
// random moments under load, starts it again on the same data, and looks for every change
// that was answered with 201 or 200: posted, edited and deleted messages. What was not answered is sent
// again as it was, or never; it may be there once or not at all. The feed must tell of
// every change that is there, once and in order.
func TestNothingAcknowledgedIsLostByKill(t *testing.T) {
	t.Parallel()
	began := time.Now()
	dir := dataDir(t)
	seed := rand.Uint64()
	t.Logf("seed %d, %d rounds", seed, *rounds)
	random := rand.New(rand.NewPCG(seed, 0))
	l := newLoad(t, dir, seed)

	for round := range *rounds {
		s := serve(t, dir, "--send-rate", "100000")
		if round == 0 {
			mustCall(t, 201, "PUT", s.url+"/rooms/"+string(crashRoom), l.clients[0].token, `{"shards":3}`)
		}
		l.run(t, s.url, func() {
			time.Sleep(time.Duration(random.Int64N(int64(maxUptime))))
			if err := s.end(t, os.Kill); err == nil {
				t.Error("a killed server ended well")
			}
		})
	}
	s := serve(t, dir)
	l.awaitFeed(t, s.storeOf(t))
	if err := s.end(t, syscall.SIGTERM); err != nil {
		t.Errorf("%v\n%s", err, s.logs)
	}
	e, err := folder.Own(t.Context(), folder.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Stop(context.Background()) }()
	changes := l.check(t, localStore(e.Endpoint()))
	if kept, err := os.ReadFile(filepath.Join(dir, failuresFile)); !os.IsNotExist(err) {
		t.Errorf("there are failures: %s, %v", kept, err)
	}
	acknowledged, unanswered := l.count()
	t.Logf("%d rounds, %d changes acknowledged, %d never answered, %d in the feed, %.0f s",
		*rounds, acknowledged, unanswered, changes, time.Since(began).Seconds())
	if acknowledged < *rounds {
		t.Error("there was hardly any load")
	}
}

// awaitFeed waits until the feed is as long as it must be at least.
func (l *load) awaitFeed(t *testing.T, store *dynamo.Store) {
	t.Helper()
	want, _ := l.count()
	got := 0
	for range int(readyTime / lookPause) {
		if got = len(tell(feedOf(t, store, crashRoom))); got >= want {
			return
		}
		time.Sleep(lookPause)
	}
	t.Errorf("the feed tells of %d changes, and %d were acknowledged", got, want)
}

// check compares what the clients were told with the messages, and those with the feed. It returns
// how many changes of messages the feed tells of.
func (l *load) check(t *testing.T, store *dynamo.Store) (changes int) {
	t.Helper()
	told := map[revision]feed.ChangeType{}
	newest := map[chat.MessageID]int{}
	for _, c := range feedOf(t, store, crashRoom) {
		if !c.Type.OfMessage() {
			continue
		}
		changes++
		if c.Revision != newest[c.Message]+1 {
			t.Errorf("revision %d of %v comes behind %d", c.Revision, c.Message, newest[c.Message])
		}
		newest[c.Message] = c.Revision
		told[revision{c.Message, c.Revision}] = c.Type
	}
	for r, sent := range l.sent {
		switch kind := told[r]; {
		case kind == 0 && sent.acknowledged:
			t.Errorf("the feed does not tell that %v is %v, which was acknowledged", r, sent.kind)
		case kind != 0 && kind != sent.kind:
			t.Errorf("the feed tells that %v is %v, it is %v", r, kind, sent.kind)
		}
		delete(told, r)
	}
	for r, kind := range told {
		t.Errorf("the feed tells that %v is %v, and nobody did that", r, kind)
	}
	for _, m := range messagesIn(t, store) {
		r := revision{m.ID, m.Revision}
		if sent := l.sent[r]; newest[m.ID] != m.Revision || m.Text != sent.text || m.Deleted() != (sent.kind == feed.MessageDeleted) {
			t.Errorf("%v holds %q, sent was %+v; its feed ends with revision %d", r, m.Text, sent, newest[m.ID])
		}
		delete(newest, m.ID)
	}
	for id := range newest {
		t.Errorf("message %v is in the feed alone", id)
	}
	return changes
}

// messagesIn are all messages of the room.
func messagesIn(t *testing.T, store *dynamo.Store) (all []chat.Message) {
	t.Helper()
	span := chat.MessageRange{Room: crashRoom, Limit: chat.MaxLimit}
	for {
		page, more, err := store.Messages(t.Context(), span)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page...)
		if !more {
			return all
		}
		last := span.PositionOf(all[len(all)-1])
		span.After = &last
	}
}
