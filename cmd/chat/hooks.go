package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/deliverfn"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/outboxfn"
	"example.com/parley/internal/outgoing"
)

const (
	// localDelivery bounds one call of a delivery, like the timeout of the deliver function.
	localDelivery = time.Minute
	// localSweep is how often due timers are looked for. It costs nothing locally.
	localSweep = time.Second
)

// localAddresses are those that hooks may have on a laptop: receivers on it, too.
var localAddresses = outgoing.Options{Loopback: true}

// localHooks is the queue of hooks' deliveries and its consumer in one process. What waits is kept
// in rows, so a process that ends loses nothing.
type localHooks struct {
	table     *dynamo.Table
	deliverer *hook.Deliverer
	log       *slog.Logger

	mu      sync.Mutex
	hooks   map[string]*localHook // by Group
	ended   bool
	running sync.WaitGroup
	ctx     context.Context
	cancel  context.CancelFunc
}

// localHook is the state of the deliveries to a hook: one is under way at a time.
type localHook struct {
	running bool
	again   bool // it was woken meanwhile
}

// newLocalHooks returns the queue. stop ends deliveries under way, whose changes are sent again
// after the next start.
func (c *serveCmd) newLocalHooks(ctx context.Context, db *dynamodb.Client, log *slog.Logger) *localHooks {
	config := deliverfn.Config{
		DB: db, Table: localTable, Rules: hook.Rules(c.hooks), Addresses: localAddresses, Log: log, Clock: time.Now,
		Tried: c.deliveries.add,
	}
	l := &localHooks{
		table: dynamo.NewTable(db, localTable, nil), deliverer: config.Deliverer(), log: log,
		hooks: map[string]*localHook{},
	}
	c.deliveries.hooks = l.deliverer.Service
	l.ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return l
}

// Send implements hook.Queue.
func (l *localHooks) Send(ctx context.Context, wakes []hook.Wake) error {
	for _, w := range wakes {
		if err := hook.Keep(ctx, l.table, w, time.Now()); err != nil {
			return err
		}
		w.Rooms = nil
		l.wake(w)
	}
	return nil
}

// wake delivers to a hook in the background.
func (l *localHooks) wake(w hook.Wake) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.hooks[w.Group()]
	if h == nil {
		h = &localHook{}
		l.hooks[w.Group()] = h
	}
	if h.running || l.ended {
		h.again = true
		return
	}
	h.running = true
	l.running.Go(func() { l.deliver(h, w) })
}

// deliver delivers until nobody wakes the hook any more.
func (l *localHooks) deliver(h *localHook, w hook.Wake) {
	for {
		ctx, cancel := context.WithTimeout(l.ctx, localDelivery)
		pause, err := l.deliverer.Deliver(ctx, []hook.Wake{w})
		cancel()
		if err != nil && l.ctx.Err() == nil {
			l.log.ErrorContext(ctx, "a delivery failed", "hook", w.Hook, "error", err)
			pause = localSweep
		}
		if pause > 0 {
			select {
			case <-l.ctx.Done():
			case <-time.After(pause):
			}
		}
		l.mu.Lock()
		if l.ended || !h.again && pause == 0 {
			h.running = false
			l.mu.Unlock()
			return
		}
		h.again = false
		l.mu.Unlock()
	}
}

// run wakes all hooks once, as an earlier process may have left rows, and then those whose timers
// are due, until stop is called.
func (l *localHooks) run(outbox outboxfn.Config) {
	l.running.Go(func() {
		sweeper := outbox.Outbox()
		err := sweeper.WakeAll(l.ctx)
		for {
			if err != nil && l.ctx.Err() == nil {
				l.log.ErrorContext(l.ctx, "the timers of hooks are late", "error", err)
			}
			select {
			case <-l.ctx.Done():
				return
			case <-time.After(localSweep):
			}
			err = sweeper.Sweep(l.ctx)
		}
	})
}

// stop ends deliveries.
func (l *localHooks) stop() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	l.cancel()
	l.running.Wait()
}
