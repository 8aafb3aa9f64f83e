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
)

// poster posts messages until it is told to end. It repeats each until it is acknowledged.
type poster struct {
	url   *cutter
	room  string
	token string
	pause time.Duration

	mu    sync.Mutex
	texts []string
	acked map[string]time.Time
}

func (p *poster) run(t *testing.T, ctx context.Context) {
	if p.acked == nil {
		p.acked = map[string]time.Time{}
	}
	for n := len(p.texts); ctx.Err() == nil; n++ { // it may run again
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
			p.acked[text] = time.Now()
			p.mu.Unlock()
			return
		}
		time.Sleep(pollInterval)
	}
}

// TestServe_FollowersResume follows a room while its server is killed and restarted, the network
// ends connections or carries nothing, and tokens expire. Every change arrives once and in order.
func TestServe_FollowersResume(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
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
		time.Sleep(time.Duration(150+random.IntN(300)) * time.Millisecond)
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

// TestServe_FrameFollowsTheAnswer measures how long after its 201 a message reaches a follower of a
// quiet room. On a machine that stands still at times, one second in which it does not is enough.
func TestServe_FrameFollowsTheAnswer(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "--send-rate", "1000")
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
	for began := time.Now(); !framesFollow(t, f, p) && !t.Failed(); {
		if time.Since(began) > readyTime {
			t.Fatalf("in no second of %v half of the messages came in frames, a second after their answers at most", readyTime)
		}
	}
	end()
	follows.Wait()
}

// framesFollow posts for a second, and waits until the follower has everything. It reports whether
// half of the messages came in frames, and half of them a second after their answers at most.
func framesFollow(t *testing.T, f *follower, p *poster) bool {
	t.Helper()
	var seen, frames int
	f.await(t, func() bool { seen, frames = len(f.seen), f.frames; return true })
	posting, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	p.run(t, posting)
	f.wantFeed(t, f.url+"/rooms/"+f.room+"/changes", p.token, p.texts)
	var took []time.Duration
	for _, c := range f.seen[seen:] {
		if c.Message != nil {
			took = append(took, f.arrived[c.Seq].Sub(p.acked[c.Message.Text]))
		}
	}
	if len(took) == 0 {
		return false // the machine stood still for the whole second
	}
	slices.Sort(took)
	t.Logf("%d messages, %d in frames, 201 to frame p50 %v, p99 %v", len(took), f.frames-frames, took[len(took)/2], took[len(took)*99/100])
	return f.frames-frames >= len(took)/2 && took[len(took)/2] <= time.Second
}
