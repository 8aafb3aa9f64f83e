package main

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
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
