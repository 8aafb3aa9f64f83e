package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/test/nightly"
)

// poster posts messages until it is stopped. It repeats each until it is acknowledged.
type poster struct {
	url   *cutter
	room  string
	token string
	pause time.Duration

	mu    sync.Mutex
	texts []string
}

func (p *poster) run(t *testing.T, ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		id, err := uuid.NewV7()
		if err != nil {
			t.Error(err)
			return
		}
		p.post(id.String(), fmt.Sprintf("message %d", n))
		time.Sleep(p.pause)
	}
}

func (p *poster) post(id, text string) {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), answerTime)
		status, _, err := call(ctx, http.MethodPost, p.url.url()+"/rooms/"+p.room+"/messages", p.token, fmt.Sprintf(`{"id":%q,"text":%q}`, id, text))
		cancel()
		if err == nil && (status == http.StatusCreated || status == http.StatusOK) {
			p.mu.Lock()
			p.texts = append(p.texts, text)
			p.mu.Unlock()
			return
		}
		time.Sleep(pollInterval)
	}
}

// TestServe_FollowersResume follows a room while its server is killed and restarted, the network
// ends connections or transfers nothing, and tokens expire. Every change arrives once and in
// order.
func TestServe_FollowersResume(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	random := rand.New(rand.NewPCG(nightly.Seed(t), 0))
	i, err := openIssuer(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, dir, "--send-rate", "1000")
	network := newCutter(t, s.url)
	owner := signs(t, i, "amsg", time.Hour)()
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", owner, "{}")

	ctx, end := context.WithCancel(t.Context())
	posting, stop := context.WithCancel(t.Context())
	p := &poster{url: network, room: "seattle", token: owner, pause: pollInterval}
	f := &follower{t: t, url: network.url(), room: "seattle", token: signs(t, i, "bob", 2*time.Second)}
	var posts, follows sync.WaitGroup
	posts.Go(func() { p.run(t, posting) })
	follows.Go(func() { f.run(ctx) })
	for round := range 6 {
		f.resumed(t)
		f.awaitChanges(t, 1+random.IntN(20))
		switch round % 3 {
		case 0:
			if err := s.end(t, os.Kill); err == nil {
				t.Error("a killed server exited without an error")
			}
			s = serve(t, dir, "--send-rate", "1000")
			network.aim(s.url)
		case 1:
			network.cut()
		case 2:
			network.freeze()
			time.Sleep(300 * time.Millisecond)
			network.cut()
		}
	}
	f.resumed(t)
	f.await(t, func() bool { return slices.Contains(f.closings, "expired") })
	stop()
	posts.Wait()
	f.wantFeed(t, s.url+"/rooms/seattle/changes", owner, p.texts)
	end()
	follows.Wait()
	if err := s.end(t, syscall.SIGTERM); err != nil {
		t.Errorf("%v\n%s", err, s.logs)
	}
	t.Logf("%d changes, %d first in frames, over %d connections; closed for %q", len(f.seen), f.frames, f.sessions, f.closings)
}

// TestServe_FrameFollowsTheAnswer waits until a follower gets messages of a quiet room in frames,
// before it reads them from the feed. Frames are posted within the process and by signed requests.
func TestServe_FrameFollowsTheAnswer(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string][]string{"within the process": nil, "signed": {"--signed-posts"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			frameFollowsTheAnswer(t, flags...)
		})
	}
}

func frameFollowsTheAnswer(t *testing.T, flags ...string) {
	dir := dataDir(t)
	s := serve(t, dir, append(flags, "--send-rate", "1000")...)
	i, err := openIssuer(dir)
	if err != nil {
		t.Fatal(err)
	}
	owner := signs(t, i, "amsg", time.Hour)
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", owner(), "{}")
	ctx, end := context.WithCancel(t.Context())
	f := &follower{t: t, url: s.url, room: "seattle", token: owner, steady: true}
	var follows sync.WaitGroup
	follows.Go(func() { f.run(ctx) })
	f.await(t, func() bool { return f.since != "" }) // it is subscribed
	p := &poster{url: newCutter(t, s.url), room: "seattle", token: owner(), pause: 37 * time.Millisecond}
	posting, stop := context.WithCancel(t.Context())
	var posts sync.WaitGroup
	posts.Go(func() { p.run(t, posting) })
	const enough = 20
	f.await(t, func() bool { return f.frames >= enough })
	stop()
	posts.Wait()
	f.wantFeed(t, s.url+"/rooms/seattle/changes", p.token, p.texts)
	end()
	follows.Wait()
}
