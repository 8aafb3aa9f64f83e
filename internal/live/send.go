package live

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"example.com/parley/internal/chat"
)

const (
	// patienceShare is the part of a delivery's time after which others no longer wait for a post:
	// 100 ms of 300. Posts usually take 5 to 30 ms.
	patienceShare = 3
	// maxPosts bounds the posts in flight when many hang. A function may have 1,024 open files.
	maxPosts = 512
	// minSlow hung posts indicate a slow service or machine, if they exceed a slowShare-th of the
	// successful posts. Fewer may be clients that read nothing.
	minSlow, slowShare = 8, 4
)

// post carries out tasks until all are done or all the rest hang.
func (d *Delivery) post(ctx context.Context, tasks []*task) {
	if d.o.Sequential {
		for _, t := range tasks {
			d.serve(ctx, t)
		}
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	slots, all := make(chan struct{}, postsAtOnce), make(chan struct{}, maxPosts)
	progress := make(chan struct{}, 1)
	var running sync.WaitGroup
start:
	for _, t := range tasks {
		if d.rests.Resting(t.connection.ID) {
			t.outcome, t.skipped = dropped, true
			continue
		}
		for _, c := range []chan struct{}{slots, all} {
			select {
			case c <- struct{}{}:
			case <-ctx.Done():
				break start
			}
		}
		running.Go(func() {
			release := sync.OnceFunc(func() { <-slots })
			impatient := time.AfterFunc(d.patience(), release)
			d.serve(ctx, t)
			impatient.Stop()
			release()
			<-all
			select {
			case progress <- struct{}{}:
			default:
			}
		})
	}
	awaitProgress(ctx, &running, progress, d.patience())
	cancel()
	running.Wait()
}

// patience is the time after which others no longer wait for a post.
func (d *Delivery) patience() time.Duration { return d.o.Times.Post / patienceShare }

// awaitProgress returns when all tasks are done, when ctx ends, or when none has ended for a
// while.
func awaitProgress(ctx context.Context, running *sync.WaitGroup, progress <-chan struct{}, patience time.Duration) {
	ended := make(chan struct{})
	go func() {
		running.Wait()
		close(ended)
	}()
	idle := time.NewTimer(patience)
	defer idle.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ctx.Done():
			return
		case <-idle.C:
			return
		case <-progress:
			idle.Reset(patience)
		}
	}
}

// serve carries out one task and sets its outcome.
func (d *Delivery) serve(ctx context.Context, t *task) {
	began := time.Now()
	for _, f := range t.frames {
		err := d.o.Poster.Post(ctx, t.connection.ID, f.data)
		if err == nil {
			t.sent++
			continue
		}
		switch {
		case errors.Is(err, ErrGone):
			t.outcome = gone
			d.disconnect(ctx, t)
		case errors.Is(err, ErrRefused):
			t.outcome = refused
		case ctx.Err() == nil:
			t.outcome = dropped
			if !errors.Is(err, ErrBusy) {
				t.err = err
			}
		case time.Since(began) < d.patience() || errors.Is(err, ErrPaced):
			t.outcome = cutOff
		default:
			t.outcome = hung
		}
		return
	}
	t.outcome = done
	if t.expired {
		d.closeLater(t.connection.ID)
		d.disconnect(ctx, t)
	}
}

// CloseDelay is the time from the last frame of a connection to its deletion. API Gateway does not
// guarantee their order. A client that does not receive the reason dials again immediately, and
// each dial is billed. Clients close the connection themselves on receipt, which takes a round
// trip, so a second is ample.
const CloseDelay = time.Second

// Wait waits for a time, or until ctx ends.
func Wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// closeLater lets a later batch close a connection that was sent its last frame. This batch does
// not wait for it. The process may end first, or remember too many connections. The client then
// closes the connection, its next message does, or the gateway ends it as idle.
func (d *Delivery) closeLater(id ConnectionID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.closing) < maxRemembered {
		d.closing[id] = d.o.Clock().Add(CloseDelay)
	}
}

// closeDue closes the connections whose delay is over, each once. Until ctx ends, it closes as many
// as it can, and leaves the others for the next batch.
func (d *Delivery) closeDue(ctx context.Context) {
	due := d.due(d.o.Clock())
	d.each(postsAtOnce, len(due), func(i int) {
		if ctx.Err() != nil {
			return
		}
		_ = d.o.Poster.Close(ctx, due[i]) // most clients have closed it
		if ctx.Err() != nil {
			return // it may be open
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.closing, due[i])
	})
}

// due returns the connections whose delay is over. More than CloseDelay can remain only after the
// clock was set back.
func (d *Delivery) due(now time.Time) []ConnectionID {
	d.mu.Lock()
	defer d.mu.Unlock()
	var due []ConnectionID
	for id, at := range d.closing {
		if left := at.Sub(now); left <= 0 || left > CloseDelay {
			due = append(due, id)
		}
	}
	return due
}

// disconnect deletes a connection that has ended, and its subscriptions. If that fails, the next
// post finds it again.
func (d *Delivery) disconnect(ctx context.Context, t *task) {
	rooms, _, err := disconnect(ctx, d.o.Rows, d.o.Connections, t.connection)
	if err != nil {
		return
	}
	var left []chat.RoomID
	for _, r := range t.rooms {
		if !slices.Contains(rooms, r.id) {
			left = append(left, r.id)
		}
	}
	_, _ = d.o.Rows.Leave(ctx, t.connection, left)
}

// judge decides about the connections to which posts have hung or were refused. If many hung and
// few were reached, the service or this machine is slow, and they are cut off. So are refused
// connections if the poster has meanwhile found the account throttled, except for connections
// that were just as unreachable before. All others rest.
func (d *Delivery) judge(tasks []*task, throttled bool) {
	var slow []*task
	reached := 0
	for _, t := range tasks {
		switch t.outcome {
		case hung:
			slow = append(slow, t)
		case refused:
			_, again := d.rests.until(t.connection.ID)
			d.rest(t, throttled && !again)
		case done:
			reached++
		}
	}
	isSlow := len(slow) >= minSlow && len(slow)*slowShare > reached
	for _, t := range slow {
		d.rest(t, isSlow)
	}
}

// rest lets a task's connection rest, or leaves it to the next batch if others are at fault.
func (d *Delivery) rest(t *task, othersFault bool) {
	if othersFault {
		t.outcome = cutOff
		return
	}
	t.refused = t.outcome == refused
	t.outcome = dropped
	d.rests.Begin(t.connection.ID)
}

// settle records the outcome of a batch, and the work left for the next one. It returns the rows
// that change.
func (d *Delivery) settle(b *batch, tasks []*task, paced Pacing) (r report, rows rowChanges) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r = report{dropped: b.late, pacing: paced}
	d.judge(tasks, paced.Throttled > 0)
	for _, t := range tasks {
		r.posts += t.sent
		for _, f := range t.frames[:t.sent] {
			for _, p := range f.pieces {
				p.served[t.connection.ID] = true
			}
		}
		switch t.outcome {
		case done:
			d.rests.End(t.connection.ID)
			rows.remove = append(rows.remove, d.settleTold(t)...)
		case gone:
			r.gone++
			rows.remove = append(rows.remove, d.settleTold(t)...)
		case dropped:
			r.drop(t)
			rows.put = append(rows.put, d.remember(t, b.now)...)
		case cutOff:
			r.cut++
		}
		for _, p := range slices.Concat(t.pieces, t.late) {
			switch {
			case t.outcome != cutOff:
				p.served[t.connection.ID] = true
			case !p.served[t.connection.ID]:
				p.waiting++
			}
		}
	}
	d.keep(b)
	d.forget(b.now)
	return r, rows
}

const (
	// firstRest and longestRest are how long a connection receives nothing after it has accepted no
	// frame. The time doubles, so a hung connection delays hardly one batch in a hundred.
	firstRest   = 2 * time.Second
	longestRest = time.Minute
	// maxRemembered bounds the connections that a process remembers.
	maxRemembered = 10_000
)

// Rests are the connections to which nothing is sent for a while, because their clients accept
// nothing. It is safe for concurrent use.
type Rests struct {
	clock func() time.Time

	mu  sync.Mutex
	all map[ConnectionID]rest
}

// rest is the rest of one connection.
type rest struct {
	until  time.Time
	length time.Duration
}

// NewRests returns Rests without any connection.
func NewRests(clock func() time.Time) *Rests {
	return &Rests{clock: clock, all: map[ConnectionID]rest{}}
}

// Begin lets a connection rest: for twice as long as the last time, if nothing was sent since.
func (r *Rests) Begin(id ConnectionID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock()
	if len(r.all) >= maxRemembered {
		for id, old := range r.all {
			if now.Sub(old.until) > longestRest {
				delete(r.all, id)
			}
		}
	}
	length := min(longestRest, max(firstRest, 2*r.all[id].length))
	r.all[id] = rest{until: now.Add(length), length: length}
}

// End forgets the rests of a connection, because it has accepted a frame.
func (r *Rests) End(id ConnectionID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, id)
}

// Resting reports whether a connection rests. More than the length of its rest can remain only
// after the clock was set back.
func (r *Rests) Resting(id ConnectionID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	is := r.all[id]
	left := is.until.Sub(r.clock())
	return left > 0 && left <= is.length
}

// until returns the end of a connection's last rest, and false if it has accepted frames since.
func (r *Rests) until(id ConnectionID) (end time.Time, any bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	is, any := r.all[id]
	return is.until, any
}
