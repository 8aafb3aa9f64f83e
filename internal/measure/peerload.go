package measure

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// peerFigure is one figure of a peer, a rate or a time.
type peerFigure struct {
	name    string
	rate    bool
	format  string
	measure func(context.Context, peer, Scale) (float64, error)
}

const peerMilliseconds, peerRates = "%.2f ms", "%.0f/s"

// peerFigures returns the figures in the order of their measurement. The first one fills the room.
func peerFigures() []peerFigure {
	return []peerFigure{
		{"sends, 8 clients", true, peerRates, peerSends},
		{"newest 50, p50", false, peerMilliseconds, peerNewest},
		{"newest 50, 8 clients", true, peerRates, peerNewestRate},
		{"catch-up of 1,000", false, peerMilliseconds, peerCatchUp},
		{"whole room backwards, messages", true, peerRates, peerBackwards},
		{"delivery at 20 posts/s to 10 listeners, p50", false, peerMilliseconds, peerDelivery},
	}
}

// repeated are calls by several clients, each of which makes one after the other.
type repeated struct {
	times []time.Duration
	took  time.Duration
}

func (r repeated) median() float64 { return ms(median(r.times)) }

func (r repeated) rate() float64 { return rate(len(r.times), r.took) }

// repeat calls do until n calls are made or the time is over.
func repeat(clients, n int, limit time.Duration, do func(client int) error) (r repeated, err error) {
	var all errgroup.Group
	var mu sync.Mutex
	var calls atomic.Int64
	began := time.Now()
	for client := range clients {
		all.Go(func() error {
			var times []time.Duration
			for time.Since(began) < limit && calls.Add(1) <= int64(n) {
				if err := timed(&times, func() error { return do(client) }); err != nil {
					return err
				}
			}
			mu.Lock()
			defer mu.Unlock()
			r.times = append(r.times, times...)
			return nil
		})
	}
	err = all.Wait()
	r.took = time.Since(began)
	return r, err
}

func peerSends(ctx context.Context, p peer, scale Scale) (float64, error) {
	r, err := repeat(peerClients, scale.of(peerMessages), peerTime, func(client int) error {
		return p.send(ctx, client, typicalWords())
	})
	time.Sleep(scale.during(peerSettle))
	return r.rate(), err
}

func peerNewest(ctx context.Context, p peer, scale Scale) (float64, error) {
	r, err := readNewest(ctx, p, 1, scale)
	return r.median(), err
}

func peerNewestRate(ctx context.Context, p peer, scale Scale) (float64, error) {
	r, err := readNewest(ctx, p, peerClients, scale)
	return r.rate(), err
}

// readNewest reads the newest page repeatedly, and checks each.
func readNewest(ctx context.Context, p peer, clients int, scale Scale) (repeated, error) {
	return repeat(clients, scale.of(peerReads), peerReadTime, func(client int) error {
		n, err := p.newest(ctx, client)
		if err == nil && n != pageMessages {
			err = fmt.Errorf("the newest page has %d messages", n)
		}
		return err
	})
}

func peerCatchUp(ctx context.Context, p peer, scale Scale) (float64, error) {
	position, err := p.behind(ctx, scale.of(catchUp))
	if err != nil {
		return 0, err
	}
	r, err := repeat(1, scale.of(localCatchUps), peerReadTime, func(int) error {
		return p.since(ctx, position, scale.of(catchUp))
	})
	return r.median(), err
}

func peerBackwards(ctx context.Context, p peer, scale Scale) (float64, error) {
	began := time.Now()
	n, err := p.backwards(ctx)
	if sent := scale.of(peerMessages) * scale.of(peerRounds); err == nil && n < sent {
		err = fmt.Errorf("the room has %d messages of %d", n, sent)
	}
	return rate(n, time.Since(began)), err
}

// sentAt finds the times in the texts of timedText.
var sentAt = regexp.MustCompile(`~(\d{19})~`)

// timedText returns a text that contains the time.
func timedText(now time.Time) string {
	return fmt.Sprintf("~%019d~ %s", now.UnixNano(), typicalWords())
}

// deliveries are the times from a post until its frame, of all listeners.
type deliveries struct {
	mu    sync.Mutex
	times []time.Duration
}

// got notes each text in a frame.
func (d *deliveries) got(frame []byte) {
	now := time.Now().UnixNano()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, at := range sentAt.FindAllSubmatch(frame, -1) {
		if sent, err := strconv.ParseInt(string(at[1]), 10, 64); err == nil {
			d.times = append(d.times, time.Duration(now-sent))
		}
	}
}

// wait waits until n texts have arrived and returns their times. It waits lastFrames for the last
// ones, and replyTime for the half of them that a median needs.
func (d *deliveries) wait(n int) []time.Duration {
	for began := time.Now(); ; time.Sleep(lookPause) {
		d.mu.Lock()
		times := slices.Clone(d.times)
		d.mu.Unlock()
		waited := time.Since(began)
		if len(times) >= n || waited > lastFrames && len(times) > n/2 || waited > replyTime {
			return times
		}
	}
}

// peerDelivery posts at a rate while others listen. Texts that do not arrive count as the slowest.
func peerDelivery(ctx context.Context, p peer, scale Scale) (float64, error) {
	var d deliveries
	for range peerListeners {
		hangUp, err := p.listen(ctx, d.got)
		if err != nil {
			return 0, err
		}
		defer hangUp()
	}
	time.Sleep(scale.during(peerSettle))
	var posts errgroup.Group
	ticks := time.NewTicker(time.Second / peerRate)
	defer ticks.Stop()
	n := scale.of(peerPosts)
	for i := range n {
		<-ticks.C
		text := timedText(time.Now())
		posts.Go(func() error { return p.send(ctx, i%peerClients, text) })
	}
	if err := posts.Wait(); err != nil {
		return 0, err
	}
	want := n * peerListeners
	times := d.wait(want)
	if len(times) <= want/2 {
		return 0, fmt.Errorf("%d of %d texts arrived", len(times), want)
	}
	slices.Sort(times)
	return ms(times[want/2]), nil
}
