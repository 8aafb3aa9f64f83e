package ratelimit

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/expiring"
)

// Budgets are the instants at which a person's budgets are full again. A budget that is absent, or
// whose instant has passed, is full.
type Budgets [count]time.Time

// Spending moves the instant of one budget.
type Spending struct {
	Limit ID
	Now   time.Time // to the microsecond
	// By is how far the instant moves, from Now if it has passed.
	By time.Duration
	// Below is how far the instant may be ahead of Now at most before it moves.
	Below time.Duration
	// Trust is how far spending can move the instant ahead of Now. If it is further ahead, a clock
	// was ahead, and the budget is full.
	Trust time.Duration
	// Full means that the budget seems to be full. A wrong guess costs one more write unit.
	Full bool
}

// Store stores budgets with the rest of an account.
type Store interface {
	// Spend moves a budget's instant, unless it is already too far ahead. It returns the stored
	// instant in both cases. The error is a *chat.Error of kind Unavailable if the store cannot
	// answer at present.
	Spend(ctx context.Context, user chat.UserID, s Spending) (fullAt time.Time, spent bool, err error)
}

// Meter charges people's budgets. It remembers what this process knows of each. It is safe for
// concurrent use.
type Meter struct {
	o      Options
	mu     sync.Mutex
	shares *expiring.Map[budgetOf, share]
}

// Options are the settings of a Meter. All are required.
type Options struct {
	Store  Store
	Limits Limits
	Clock  func() time.Time
	// Chance returns a random number in [0, 1). It must be safe for concurrent use.
	Chance func() float64
}

// NewMeter returns a meter.
func NewMeter(o Options) *Meter { return &Meter{o: o, shares: expiring.New[budgetOf, share]()} }

type budgetOf struct {
	user  chat.UserID
	limit ID
}

// share is what a process knows and holds of a budget.
type share struct {
	fullAt    time.Time     // the latest that the process has seen
	held      time.Duration // recorded, and not yet spent by this process
	heldUntil time.Time
	sampled   time.Duration // passed by chance since sampledAt
	sampledAt time.Time
}

// see remembers an instant that was read or stored, if it is the latest. An instant beyond trust
// was set by a clock that was ahead. It counts as full: otherwise the person would wait until that
// time.
func (s *share) see(fullAt time.Time, l Limit, now time.Time) {
	latest := now.Add(l.Trust())
	if s.fullAt.After(latest) {
		s.fullAt = now
	}
	if fullAt.After(s.fullAt) && !fullAt.After(latest) {
		s.fullAt = fullAt
	}
}

// level returns how long the budget needs to be full again.
func (s *share) level(now time.Time) time.Duration { return max(0, s.fullAt.Sub(now)) }

// take spends held time, and reports whether there was enough.
func (s *share) take(by time.Duration, now time.Time) bool {
	if left := s.heldUntil.Sub(now); left <= 0 || left > holdTime {
		s.held = 0
	}
	if s.held < by {
		return false
	}
	s.held -= by
	return true
}

// sample reports whether a spending may pass by chance, and counts it if so.
func (s *share) sample(by time.Duration, l Limit, now time.Time) bool {
	if now.Sub(s.sampledAt).Abs() >= sampleTime {
		s.sampled, s.sampledAt = 0, now
	}
	if s.level(now) >= l.scarce() || s.sampled+by > l.Sampled {
		return false
	}
	s.sampled += by
	return true
}

// idle reports whether a share can be forgotten.
func (s *share) idle(now time.Time) bool {
	return s.level(now) == 0 && !now.Before(s.heldUntil) && now.Sub(s.sampledAt).Abs() >= sampleTime
}

// Cost is an amount of a limit.
type Cost struct {
	Limit ID
	Units int
}

// Take charges positive costs to a user's budgets. One request may overdraw each budget. known are
// the budgets as read; they may lag. If a budget is empty, the error is RateLimited and names the
// limit, and nothing more is charged.
func (m *Meter) Take(ctx context.Context, user chat.UserID, known Budgets, costs ...Cost) error {
	for _, c := range costs {
		if err := m.take(ctx, budgetOf{user, c.Limit}, known[c.Limit], c.Units, false); err != nil {
			return err
		}
	}
	return nil
}

// Charge is Take for something that has already happened: it also charges an empty budget.
func (m *Meter) Charge(ctx context.Context, user chat.UserID, known Budgets, c Cost) error {
	return m.take(ctx, budgetOf{user, c.Limit}, known[c.Limit], c.Units, true)
}

// Allow returns the error of Take if a budget is known to be empty, and this process does not hold
// the cost. It charges nothing.
func (m *Meter) Allow(user chat.UserID, known Budgets, c Cost) error {
	now := m.o.Clock()
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.o.Limits[c.Limit]
	s, _ := m.shares.Get(budgetOf{user, c.Limit})
	s.see(known[c.Limit], l, now)
	left := s.heldUntil.Sub(now)
	holds := left > 0 && left <= holdTime && s.held >= time.Duration(c.Units)*l.Each
	if l.Each > 0 && s.level(now) >= l.Window && !holds {
		return limited(c.Limit, s.level(now)-l.Window)
	}
	return nil
}

func (m *Meter) take(ctx context.Context, of budgetOf, known time.Time, units int, due bool) error {
	l, now := m.o.Limits[of.limit], m.o.Clock()
	by := time.Duration(units) * l.Each
	if by <= 0 {
		return nil
	}
	d := m.decide(of, known, by, now)
	if d.empty && !due {
		return limited(of.limit, d.level-l.Window)
	}
	if d.record == 0 {
		return nil
	}
	p := Spending{
		Limit: of.limit, Now: now.Truncate(time.Microsecond), By: d.record, Below: l.Window, Trust: l.Trust(),
		Full: d.level == 0,
	}
	fullAt, spent, err := m.o.Store.Spend(ctx, of.user, p)
	if err == nil && !spent && due { // nothing is kept for later, but what has happened counts
		p.By, p.Below, p.Full, d.hold = d.record-d.hold, l.Window+l.Debt, false, 0
		fullAt, spent, err = m.o.Store.Spend(ctx, of.user, p)
	}
	if err != nil {
		return err
	}
	if !spent {
		d.hold = 0
	}
	m.learn(of, fullAt, d.hold, now)
	if !spent {
		return limited(of.limit, fullAt.Sub(now)-l.Window)
	}
	return nil
}

// decision is how to handle a spending.
type decision struct {
	empty  bool          // refuse it, or record all of it
	level  time.Duration // the time until the budget is full again
	record time.Duration // to record in the store; 0 if there is nothing to record
	hold   time.Duration // the part of record to keep for later
}

// decide decides about spending by, and takes it from held or sampled time.
func (m *Meter) decide(of budgetOf, known time.Time, by time.Duration, now time.Time) (d decision) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.o.Limits[of.limit]
	s, _ := m.shares.Get(of)
	s.see(known, l, now)
	d.level = s.level(now)
	switch {
	case s.take(by, now): // recorded before
	case d.level >= l.Window:
		d.empty, d.record = true, by
	case s.sample(by, l, now):
		if m.o.Chance()*float64(l.Quantum) < float64(by) {
			d.record = max(by, l.Quantum)
		}
	case d.level < l.scarce():
		d.record = max(by, l.Quantum)
		d.hold = d.record - by
	default: // nearly empty: processes must not take much from one another
		d.record = max(by, l.Quantum/4)
		d.hold = d.record - by
	}
	m.put(of, s, now)
	return d
}

// learn remembers the stored instant, and holds recorded time for later.
func (m *Meter) learn(of budgetOf, fullAt time.Time, hold time.Duration, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, _ := m.shares.Get(of)
	s.see(fullAt, m.o.Limits[of.limit], now)
	if hold > 0 {
		s.held, s.heldUntil = s.held+hold, now.Add(holdTime)
	}
	m.put(of, s, now)
}

func (m *Meter) put(of budgetOf, s share, now time.Time) {
	m.shares.Put(of, s, func(s share) bool { return s.idle(now) })
}

// limited returns the error for an empty budget.
func limited(limit ID, wait time.Duration) error {
	return &chat.Error{
		Kind: chat.RateLimited, Limit: limit.String(), RetryAfter: max(wait, 0) + time.Millisecond,
		Detail: fmt.Sprintf("you have used up your limit of %s; %s", limit, chat.RetryHint),
	}
}
