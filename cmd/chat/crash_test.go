package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"parley/internal/chat"
)

// crashClients post at once while the server is killed.
const crashClients = 4

// TestNothingAcknowledgedIsLostByKill kills the server with SIGKILL at
// random moments under load, starts it again on the same data, and looks for every message
// that was answered with 201 or 200. What was not answered is sent again
// with the same id, and must be there once.
func TestNothingAcknowledgedIsLostByKill(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	seed := rand.Uint64()
	t.Logf("seed %d, %d rounds", seed, *rounds)
	random := rand.New(rand.NewPCG(seed, 0))
	load := &load{acknowledged: map[string]bool{}}

	for round := range *rounds {
		s := serve(t, dir, "--send-rate", "100000")
		load.url, load.token = s.url, tokenOf(t, dir, "amsg")
		if round == 0 {
			mustCall(t, 201, "PUT", s.url+"/rooms/crash", load.token, `{"shards":3}`)
		}
		load.run(t, round, func() {
			time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
			if err := s.end(t, os.Kill); err == nil {
				t.Error("a killed server ended well")
			}
		})
	}
	s := serve(t, dir)
	load.url, load.token = s.url, tokenOf(t, dir, "amsg")
	load.check(t)
	t.Logf("%d messages were acknowledged", len(load.acknowledged))
	if len(load.acknowledged) < *rounds {
		t.Error("there was hardly any load")
	}
}

// load is what the clients sent and what was acknowledged.
type load struct {
	url, token   string
	mu           sync.Mutex
	acknowledged map[string]bool
	unknown      []string // ids that were sent and not answered
}

// run posts from all clients until kill has ended the server.
func (l *load) run(t *testing.T, round int, kill func()) {
	ctx, stop := context.WithCancel(t.Context())
	retry := l.unknown
	l.unknown = nil
	var wg sync.WaitGroup
	for c := range crashClients {
		wg.Go(func() {
			for n := c; ctx.Err() == nil; n += crashClients {
				id := chat.NewUUID(time.Now(), [10]byte{byte(c), 0, 0, byte(round), byte(round >> 8), byte(n), byte(n >> 8), byte(n >> 16)}).String()
				if n < len(retry) {
					id = retry[n]
				}
				l.post(ctx, t, id)
			}
		})
	}
	kill()
	stop()
	wg.Wait()
}

func (l *load) post(ctx context.Context, t *testing.T, id string) {
	status, text, err := call(ctx, "POST", l.url+"/rooms/crash/messages", l.token, fmt.Sprintf(`{"id":%q,"text":"text of %s"}`, id, id))
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil || status >= 500:
		l.unknown = append(l.unknown, id)
	case status == 200 || status == 201:
		l.acknowledged[id] = true
	default:
		t.Errorf("post %s: %d %s", id, status, text)
	}
}

// check reads the whole room: every acknowledged message is there, once and whole.
func (l *load) check(t *testing.T) {
	seen := map[string]int{}
	cursor := ""
	for {
		var page struct {
			Messages []struct{ ID, Text string }
			Next     string
		}
		text := mustCall(t, 200, "GET", l.url+"/rooms/crash/messages?limit=200"+cursor, l.token, "")
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Messages {
			id := m.ID[:36]
			seen[id]++
			if m.Text != "text of "+id {
				t.Errorf("message %s holds %q", id, m.Text)
			}
		}
		if page.Next == "" {
			break
		}
		cursor = "&cursor=" + page.Next
	}
	for id := range l.acknowledged {
		if seen[id] != 1 {
			t.Errorf("message %s was acknowledged and is there %d times", id, seen[id])
		}
	}
}
