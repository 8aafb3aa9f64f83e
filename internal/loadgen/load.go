// Package loadgen offers a running API a steady load of posts and pages, and then checks that
// every message that was acknowledged is in the room once. Requests start at fixed times, whether
// or not earlier ones have been answered, and their durations count from when they were due. A
// server that stops for a second thus delays all requests of that second, not just one.
package loadgen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"example.com/parley/client"
	"example.com/parley/internal/follow"
)

const (
	// patience bounds the retries of one message.
	patience = 30 * time.Second
	// textBytes is the length of each message: about the length that people write.
	textBytes = 100
	// pageSize is the number of messages that an app reads when it opens a room.
	pageSize = 50
)

// Config is a load.
type Config struct {
	People []*client.Client // who post and read in turn; at least one
	Room   string
	Posts  float64 // a second
	Pages  float64 // a second
	Time   time.Duration
	// InFlight bounds the concurrent requests. Requests that wait for a place are late.
	InFlight int
	Clock    func() time.Time
	Random   io.Reader // for ids; it is read by several goroutines
}

// Result is the outcome of a load.
type Result struct {
	Posts, Pages Times
	// Missing is the number of acknowledged messages that the room lacks, and Twice the number
	// that it has more than once. Foreign is the number of messages in the room that nobody
	// posted.
	Missing, Twice, Foreign int
	Stored                  int
}

// Times are the durations of requests of one kind, from when they were due.
type Times struct {
	Failed int // finally, retries included
	taken  []time.Duration
	errs   []error
}

// Err returns the first failures, each once.
func (t *Times) Err() error { return errors.Join(t.errs...) }

// Run offers the load, waits for all answers, and verifies the room. It fails if ctx ends first,
// or if the room cannot be read.
func Run(ctx context.Context, cfg Config) (Result, error) {
	r := &run{cfg: cfg, slots: make(chan struct{}, cfg.InFlight), posted: map[string]bool{}}
	var all sync.WaitGroup
	all.Go(func() { r.each(ctx, cfg.Posts, &r.result.Posts, r.post) })
	all.Go(func() { r.each(ctx, cfg.Pages, &r.result.Pages, r.page) })
	all.Wait()
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if err := r.verify(ctx); err != nil {
		return Result{}, fmt.Errorf("verify the room: %w", err)
	}
	return r.result, nil
}

// run is the state of a load.
type run struct {
	cfg    Config
	slots  chan struct{}
	mu     sync.Mutex
	posted map[string]bool // whether each post, by id, was acknowledged
	result Result
}

// each begins a request whenever one is due, and returns when all have ended.
func (r *run) each(
	ctx context.Context, rate float64, times *Times, request func(context.Context, *client.Client) error,
) {
	if rate <= 0 {
		return
	}
	begun := r.cfg.Clock()
	var all sync.WaitGroup
	defer all.Wait()
	for n := 0; ; n++ {
		after := time.Duration(float64(n) / rate * float64(time.Second))
		if after >= r.cfg.Time {
			return
		}
		due := begun.Add(after)
		if follow.Sleep(ctx, due.Sub(r.cfg.Clock())) != nil {
			return
		}
		select {
		case r.slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		all.Go(func() {
			defer func() { <-r.slots }()
			err := request(ctx, r.cfg.People[n%len(r.cfg.People)])
			r.note(times, r.cfg.Clock().Sub(due), err)
		})
	}
}

// note records the end of a request.
func (r *run) note(times *Times, took time.Duration, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		times.taken = append(times.taken, took)
		return
	}
	const shown = 3
	if times.Failed++; times.Failed <= shown {
		times.errs = append(times.errs, err)
	}
}

// post posts a message, with retries, and remembers its id.
func (r *run) post(ctx context.Context, api *client.Client) error {
	sender := client.Sender{
		Client: api, Clock: r.cfg.Clock, Rand: r.cfg.Random, Jitter: rand.Float64, Patience: patience,
	}
	id, err := sender.Post(ctx, r.cfg.Room, strings.Repeat("a", textBytes))
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.posted[id] = true
	return nil
}

// page reads the newest messages.
func (r *run) page(ctx context.Context, api *client.Client) error {
	_, err := api.Do(ctx, client.Call{
		Method: http.MethodGet, Path: fmt.Sprintf("/rooms/%s/messages?limit=%d", url.PathEscape(r.cfg.Room), pageSize),
		Want: []int{http.StatusOK},
	})
	return err
}
