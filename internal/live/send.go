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

// keep keeps the pieces that were cut off, the oldest first, for the next batch.
func (d *Delivery) keep(b *batch) {
	for _, r := range b.rooms {
		if r.appended != nil && r.err == nil {
			for _, e := range r.appended.Entries {
				d.sent[r.id] = max(d.sent[r.id], e.Seq)
			}
		}
		for _, p := range r.pieces {
			if p.waiting > 0 || r.undecided {
				d.cut = append(d.cut, p)
			}
		}
	}
	if over := len(d.cut) - maxCutPieces; over > 0 {
		d.cut = slices.Delete(d.cut, 0, over)
	}
}

// forget bounds what the process remembers about connections.
func (d *Delivery) forget(now time.Time) {
	if len(d.counted) > maxRemembered {
		for id, at := range d.counted {
			if now.Sub(at) >= countsInterval {
				delete(d.counted, id)
			}
		}
	}
	if len(d.sent) > maxRemembered {
		clear(d.sent)
	}
}
