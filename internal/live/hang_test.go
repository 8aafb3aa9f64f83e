package live_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/live"
)

const (
	usualPost = 5 * time.Millisecond
	audience  = 1000
)

// faulty makes each tenth connection hang, and the one after it end.
func faulty(ctx context.Context, id live.ConnectionID) error {
	switch id[len(id)-1] {
	case '3':
		<-ctx.Done()
		return live.ErrBusy
	case '4':
		time.Sleep(usualPost)
		return live.ErrGone
	}
	return healthy(ctx, id)
}

func healthy(ctx context.Context, _ live.ConnectionID) error {
	select {
	case <-time.After(usualPost):
		return nil
	case <-ctx.Done():
		return live.ErrBusy
	}
}

// delays delivers messages, four a second, and returns how long each post to a connection that is
// always healthy took from its message on.
func delays(t *testing.T, h *hall, messages int) []time.Duration {
	t.Helper()
	d := h.delivery()
	var all []time.Duration
	next := time.Now()
	for range messages {
		if wait := time.Until(next); wait > 0 {
			time.Sleep(wait)
		}
		began, arrived := time.Now(), next
		if err := d.Consume(t.Context(), h.message("seattle", "hello")); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 301*time.Millisecond {
			t.Errorf("a batch took %v", took)
		}
		for _, p := range h.posts {
			if p.to[len(p.to)-1] != '3' && p.to[len(p.to)-1] != '4' {
				all = append(all, p.at.Sub(arrived))
			}
		}
		h.posts = nil
		next = next.Add(250 * time.Millisecond)
	}
	slices.Sort(all)
	return all
}

// TestConsume_HangingConnectionsDelayNobody lets a tenth of the connections hang, and a tenth end.
func TestConsume_HangingConnectionsDelayNobody(t *testing.T) {
	t.Parallel()
	const messages = 150
	run := func(post func(context.Context, live.ConnectionID) error) (h *hall, all []time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			h = newHall()
			h.post = post
			h.join("seattle", live.Full, connections(audience)...)
			all = delays(t, h, messages)
		})
		return h, all
	}
	_, good := run(healthy)
	h, bad := run(faulty)
	p99 := func(all []time.Duration) time.Duration { return all[len(all)*99/100] }
	t.Logf("p99 of the others: %v, and %v with faulty connections", p99(good), p99(bad))
	if want := messages * audience * 8 / 10; len(good) != want || len(bad) != want {
		t.Errorf("%d and %d posts, want %d", len(good), len(bad), want)
	}
	if p99(bad) > p99(good)*12/10 {
		t.Errorf("the others' p99 is %v instead of %v", p99(bad), p99(good))
	}
	for id, n := range h.tries {
		if strings.HasSuffix(string(id), "4") && n != 1 {
			t.Errorf("%d posts to %s, which has ended", n, id)
		}
	}
	if n := len(h.rows["seattle"]); n != audience*9/10 || len(h.opened) != audience*9/10 {
		t.Errorf("%d subscriptions and %d connections are left", n, len(h.opened))
	}
	if !strings.Contains(h.log.String(), "msg=delivery posts=800 gone=100 dropped=100 refused=0 cut=0 throttled=0 pacedMs=0") {
		t.Errorf("log: %.300s", h.log.String())
	}
}

// TestConsume_EndsInTime lets every post hang.
func TestConsume_EndsInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.post = func(ctx context.Context, _ live.ConnectionID) error { <-ctx.Done(); return live.ErrBusy }
		h.join("seattle", live.Full, connections(audience)...)
		d := h.delivery()
		for range 20 {
			began := time.Now()
			if err := d.Consume(t.Context(), h.message("seattle", "hello")); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > 300*time.Millisecond {
				t.Errorf("a batch took %v", took)
			}
		}
	})
}

// TestConsume_SlowReadDelaysAndLosesNothing lets the reading of an audience take longer than all
// posts may. A read that takes too long leaves the message to the next batch.
func TestConsume_SlowReadDelaysAndLosesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.post = healthy
		h.join("seattle", live.Full, "c1")
		d := h.delivery()
		for _, tt := range []struct {
			read, took time.Duration
			received   []int64
		}{
			{time.Second, time.Second + usualPost, []int64{1}},
			{3 * time.Second, 2 * time.Second, nil},
			{0, usualPost, []int64{2, 3}},
		} {
			h.readTime, h.posts = tt.read, nil
			began := time.Now()
			err := d.Consume(t.Context(), h.message("seattle", "hello"))
			if (err != nil) != (tt.received == nil) {
				t.Errorf("a read of %v: %v", tt.read, err)
			}
			if took := time.Since(began); took != tt.took || !slices.Equal(h.seqs("c1"), tt.received) {
				t.Errorf("a read of %v: %v arrived after %v, want %v after %v", tt.read, h.seqs("c1"), took, tt.received, tt.took)
			}
		}
	})
}

// TestConsume_SendsTheRestFirst has more connections than can be reached in time.
func TestConsume_SendsTheRestFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.post = func(ctx context.Context, id live.ConnectionID) error {
			time.Sleep(3 * usualPost)
			return healthy(ctx, id)
		}
		ids := connections(2000)
		h.join("seattle", live.Full, ids...)
		d := h.delivery()
		consume := func() {
			if err := d.Consume(t.Context(), h.message("seattle", "hello")); err != nil {
				t.Fatal(err)
			}
		}
		consume()
		if n := len(h.posts); n < 900 || n > 1000 {
			t.Fatalf("%d posts in 300 ms", n)
		}
		missed := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return len(h.seqs(id)) > 0 })
		h.rows["seattle"] = slices.DeleteFunc(h.rows["seattle"], func(s live.Subscription) bool { return string(s.Connection.ID) == missed[0] })
		h.posts = nil
		consume()
		if got := h.seqs(missed[0]); got != nil {
			t.Errorf("%s has no subscription any more, and received %v", missed[0], got)
		}
		for _, id := range missed[1:900] {
			if got := h.seqs(id); !slices.Equal(got, []int64{1, 2}) {
				t.Errorf("%s received %v", id, got)
				break
			}
		}
		time.Sleep(6 * time.Second)
		h.posts = nil
		consume()
		for _, p := range h.posts {
			if got := seqsOf(p.frame); !slices.Equal(got, []int64{3}) {
				t.Errorf("%s received %v after 6 s", p.to, got)
				break
			}
		}
	})
}

// TestConsume_SlowServiceSuspendsNobody lets the service stand still for one batch. Afterwards
// every connection receives each message with its batch, including the slow batch's messages.
func TestConsume_SlowServiceSuspendsNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		ids := connections(40)
		h.join("seattle", live.Full, ids...)
		d := h.delivery()
		for n, post := range []func(context.Context, live.ConnectionID) error{
			healthy, func(ctx context.Context, _ live.ConnectionID) error { <-ctx.Done(); return live.ErrBusy }, healthy, healthy,
		} {
			h.post, h.posts = post, nil
			if err := d.Consume(t.Context(), h.message("seattle", "hello")); err != nil {
				t.Fatal(err)
			}
			if got := len(h.posts); n >= 2 && got != len(ids) {
				t.Errorf("batch %d reached %d connections of %d", n+1, got, len(ids))
			}
		}
	})
}
